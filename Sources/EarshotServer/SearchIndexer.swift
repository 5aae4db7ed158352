import EarshotCore
import Logging
import ServiceLifecycle

/// Indexes new events every two seconds, behind their commits and in steps of bounded size, so that no message waits
/// for the index. Searches look through what is not indexed yet.
struct SearchIndexer: Service {
    static let interval = Duration.seconds(2)
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
