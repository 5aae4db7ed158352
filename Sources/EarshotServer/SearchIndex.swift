import EarshotCore
import Logging
import ServiceLifecycle

/// Makes what was said findable, a few seconds behind the commits, so that a search has little to catch up with.
struct SearchIndex: Service {
    static let interval = Duration.seconds(5)
    static let step = 500

    let store: any ContactCentreStore
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do { while try await store.index(atMost: Self.step) == Self.step, !Task.isCancelled {} } catch {
                    logger.warning("The search index could not be written.", metadata: ["error": "\(error)"])
                }
                try? await Task.sleep(for: Self.interval)
            }
        }
    }
}
