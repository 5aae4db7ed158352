import EarshotCore
import Logging
import ServiceLifecycle

/// Takes over what `earshot set` changed in the database of this running server: it looks once a second.
struct SettingsWatch: Service {
    static let interval = Duration.seconds(1)

    let settings: SettingsService
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do { try await settings.refresh() } catch {
                    logger.warning("The settings could not be read.", metadata: ["error": "\(error)"])
                }
                try? await Task.sleep(for: Self.interval)
            }
        }
    }
}
