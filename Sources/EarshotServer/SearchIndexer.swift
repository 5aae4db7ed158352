import EarshotCore
import EarshotModel
import Logging
import ServiceLifecycle

/// Indexes new events every few seconds, so that a search has little to catch up on.
struct SearchIndexer: Service {
    static let interval = Duration.seconds(5)
    static let step = 500

    let store: any SearchStore
    let indexed: Gauge
    let logger: Logger

    /// When the index last had every event.
    static func gauge() -> Gauge {
        Gauge(
            "earshot_search_indexed_seconds",
            "When the search index last contained every message, in seconds since 1970; 0 before the first time.")
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    while try await store.index(atMost: Self.step) == Self.step, !Task.isCancelled {}
                    indexed.set(Int(SystemEnvironment.system.now().milliseconds / 1000))
                } catch {
                    logger.warning(
                        "Updating the search index failed. It will be retried.", metadata: ["error": "\(error)"])
                }
                try? await Task.sleep(for: Self.interval)
            }
        }
    }
}
