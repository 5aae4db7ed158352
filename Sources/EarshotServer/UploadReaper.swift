import EarshotCore
import Logging
import ServiceLifecycle

/// Removes recordings that nobody sent, and finds the uploads that an earlier run of the server left.
struct UploadReaper: Service {
    static let interval = Duration.seconds(600)

    let cleanup: RecordingCleanup
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await sweep()
                try? await Task.sleep(for: Self.interval)
            }
        }
    }

    private func sweep() async {
        do {
            try await cleanup.run()
        } catch {
            logger.warning(
                "Removing recordings that nobody sent failed. It will be retried.", metadata: ["error": "\(error)"])
        }
    }
}
