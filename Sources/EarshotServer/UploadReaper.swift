import EarshotCore
import EarshotModel
import Logging
import ServiceLifecycle

/// Removes uploads that were begun and never finished.
struct UploadReaper: Service {
    static let interval = Duration.seconds(600)
    /// The age at which an unfinished upload is removed. Until then a consumer can return to the draft.
    static let maximumAgeMs: Int64 = 24 * 3600 * 1000

    let uploads: any RecordingUploads
    let environment: SystemEnvironment
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
            try await uploads.sweep(begunBefore: environment.now().adding(milliseconds: -Self.maximumAgeMs))
        } catch {
            logger.warning("Removing abandoned uploads failed. It will be retried.", metadata: ["error": "\(error)"])
        }
    }
}
