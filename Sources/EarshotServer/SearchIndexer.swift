import EarshotCore
import Logging
import ServiceLifecycle

/// Indexes new events every few seconds, so that a search has little to catch up on.
struct SearchIndexer: Service {
    static let interval = Duration.seconds(5)
    static let step = 500

    let store: any SearchStore
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do { while try await store.index(atMost: Self.step) == Self.step, !Task.isCancelled {} } catch {
                    logger.warning(
                        "Updating the search index failed. It will be retried.", metadata: ["error": "\(error)"])
                }
                try? await Task.sleep(for: Self.interval)
            }
        }
    }
}
