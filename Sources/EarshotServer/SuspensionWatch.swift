import EarshotCore
import Logging
import ServiceLifecycle

/// Takes over what `earshot suspend` and `earshot resume` changed in the database of this running server. A brand that is suspended is out within a
/// second, so it looks more often than for settings; what it reads is a few rows of an index.
struct SuspensionWatch: Service {
    static let interval = Duration.milliseconds(250)

    let identity: IdentityService
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do { try await identity.refreshSuspensions() } catch {
                    logger.warning("The suspended brands could not be read.", metadata: ["error": "\(error)"])
                }
                try? await Task.sleep(for: Self.interval)
            }
        }
    }
}
