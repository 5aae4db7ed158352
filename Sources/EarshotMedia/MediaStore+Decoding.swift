import EarshotCore
import EarshotModel
import EarshotWorkerProtocol
import Foundation

extension MediaStore {
    /// Waits until the recording is decoded and kept. A worker that was lost on the way costs time only: the file gets another one. Lost again: the
    /// recording is to blame.
    func finish(_ upload: Upload, _ bytes: Int) async throws {
        do {
            try await attempt(upload, bytes)
        } catch Attempt.lostLiveWorker {
            try await attempt(upload, bytes)
        }
    }

    private enum Attempt: Error {
        case lostLiveWorker
    }

    private func attempt(_ upload: Upload, _ bytes: Int) async throws {
        let finish = try await BlockingPool.run {
            try upload.beginFinish(bytes: bytes) { self.ingest(of: upload, isLive: false, $0) }
        }
        upload.scan?.complete()
        let ingest: RecordingIngest
        switch finish {
        case .running(let running):
            ingest = running
            running.complete()
        case .begun(let begun):
            ingest = begun
            begun.complete()
            pool.submit(begun, isComplete: true)
        }
        do { try await ingest.settled() } catch {
            try await BlockingPool.run { upload.forget(ingest) }
            // A disk that was full while it was recorded may have room by now.
            let code = (error as? Rejection)?.code
            if ingest.isLive, code == .audioFailed || code == .storageFull { throw Attempt.lostLiveWorker }
            throw error
        }
    }

    /// Starts decoding what has arrived, if a worker can be spared for it.
    func decode(_ upload: Upload) async throws {
        let begun = try await BlockingPool.run { upload.beginDecoding { self.ingest(of: upload, isLive: true, $0) } }
        guard let begun, !pool.submit(begun, isComplete: false) else { return }
        let waits = try await BlockingPool.run { upload.postpone(begun) }
        if !waits { pool.submit(begun, isComplete: true) }
    }

    private func ingest(of upload: Upload, isLive: Bool, _ available: Int) -> RecordingIngest {
        RecordingIngest(
            folder: upload.folder, limitMs: upload.about.limitMs + Self.overshootMs, isLive: isLive,
            available: available, finishLimit: finishLimit
        ) { try await self.settle(upload, $0) }
    }

    private func settle(_ upload: Upload, _ end: RecordingIngest.Settlement) async throws {
        switch end.outcome {
        case .result(let result):
            try await keep(
                upload,
                record(of: upload, result, end, scan: await scanState(of: upload, end.bytes, "\(result.container)")))
        case .refused(let failure):
            let rejection = Rejection.audio(failure, limitMs: upload.about.limitMs)
            try await BlockingPool.run { try self.refuse(upload, rejection) }
        case .failed(let error as Rejection): throw error
        case .failed(let error as FileFailure): throw error
        case .failed, .crashed, .made: throw Rejection.audioFailed
        }
    }

    private func record(
        of upload: Upload, _ result: WorkerResult, _ end: RecordingIngest.Settlement, scan: ScanState
    ) -> RecordedMedia {
        let content = AudioContent(
            media: MediaID(trusted: upload.about.upload.rawValue), durationMs: Int(result.durationMs),
            waveform: result.waveform.map(Int.init),
            sizeBytes: end.bytes, loudness: result.loudness)
        return RecordedMedia(
            content: content, conversation: upload.about.conversation, author: upload.about.author, sha256: end.sha256,
            container: "\(result.container)", scan: scan)
    }
}
