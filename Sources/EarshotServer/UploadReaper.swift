import EarshotCore
import EarshotModel
import Logging
import ServiceLifecycle

/// Throws away recordings that somebody began and never finished.
struct UploadReaper: Service {
    static let interval = Duration.seconds(600)
    /// A consumer whose tab died comes back for the draft within a day, or not at all.
    static let patienceMs: Int64 = 24 * 3600 * 1000

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
            try await uploads.sweep(begunBefore: environment.now().adding(milliseconds: -Self.patienceMs))
        } catch {
            logger.warning("Abandoned uploads could not be swept.", metadata: ["error": "\(error)"])
        }
    }
}
