import EarshotCore
import Logging
import ServiceLifecycle

/// Runs routing: loads its state from the log, then follows the commits. It ends after the sockets, so that it sees the
/// last commits.
struct RoutingRunner: Service {
    let routing: RoutingService
    let readiness: Readiness
    let logger: Logger
    /// Runs before routing loads its state.
    let prepare: @Sendable () async throws -> Void

    func run() async throws {
        try await prepare()
        let logger = logger
        try await routing.begin { error in
            logger.error("A brand's routing could not be loaded.", metadata: ["error": "\(error)"])
        }
        readiness.withdraw(.starting)
        await cancelWhenGracefulShutdown {
            await routing.run { error in
                logger.warning("A routing action failed. It will be retried.", metadata: ["error": "\(error)"])
            }
        }
    }
}
