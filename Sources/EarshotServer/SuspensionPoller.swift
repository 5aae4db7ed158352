import EarshotCore
import Logging
import ServiceLifecycle

/// Checks for brands that `earshot suspend` and `earshot resume` changed in the database of this running server.
///
/// A suspended brand must be disconnected within a second, so it checks more often than for settings. A check reads
/// only a few rows of an index.
struct SuspensionPoller: Service {
    static let interval = Duration.milliseconds(250)

    let identity: IdentityService
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do { try await identity.refreshSuspensions() } catch {
                    logger.warning(
                        "Reading the suspended brands failed. It will be retried.", metadata: ["error": "\(error)"])
                }
                try? await Task.sleep(for: Self.interval)
            }
        }
    }
}
