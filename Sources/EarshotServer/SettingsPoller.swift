import EarshotCore
import Logging
import ServiceLifecycle

/// Checks once a second for settings that `earshot set` changed in the database of this running server.
struct SettingsPoller: Service {
    static let interval = Duration.seconds(1)

    let settings: SettingsService
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do { try await settings.refresh() } catch {
                    logger.warning("Reading the settings failed. It will be retried.", metadata: ["error": "\(error)"])
                }
                try? await Task.sleep(for: Self.interval)
            }
        }
    }
}
