import EarshotCore
import Logging
import ServiceLifecycle

/// Runs routing: takes over what stands in the log, then follows it. It ends behind the sockets, so that the last commits find it.
struct RoutingRunner: Service {
    let routing: RoutingService
    let logger: Logger
    /// What has to stand in the log before.
    let prepare: @Sendable () async throws -> Void

    func run() async throws {
        try await prepare()
        try await routing.begin()
        let logger = logger
        await cancelWhenGracefulShutdown {
            await routing.run { error in
                logger.warning("Routing could not do something. It tries again.", metadata: ["error": "\(error)"])
            }
        }
    }
}
