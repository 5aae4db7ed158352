import EarshotCore
import Logging
import ServiceLifecycle

/// Removes expired sessions every few minutes.
struct SessionReaper: Service {
    static let interval = Duration.seconds(600)

    let identity: IdentityService
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do { try await identity.sessions.removeExpired() } catch {
                    logger.warning(
                        "Removing expired sessions failed. It will be retried.", metadata: ["error": "\(error)"])
                }
                try? await Task.sleep(for: Self.interval)
            }
        }
    }
}
