import EarshotCore
import EarshotModel
import Foundation
import Synchronization

/// One unfinished upload: its phase, its bytes on disk, and the ingest that decodes them. Its methods block: call them
/// inside `BlockingPool.run` only.
///
/// Promise: an acknowledged byte is in the file. What could not be written completely is cut off again.
final class Upload: Sendable {
    let about: About
    private let files: RecordingPaths
    private let finishLimit: Duration
    /// The scan of the bytes as they arrive; `nil` without a scanner.
    private let scan: RecordingScan?
    /// Where it comes from, for the fair use of workers. Never saved: it may hold a network address.
    private let source: UploadSource?
    private let refused: Atomic<Bool>
    private let state: Mutex<State>
    /// A recorder does not stop on the exact sample, so recordings may exceed the account's limit by this much.
    static let overshootMs = 500

    /// Who began the upload, for what, and when.
    struct About: Codable, Sendable {
        let upload: UploadID
        let conversation: ConversationID
        let draft: DraftID
        let author: String
        let limitMs: Int
        let begun: Timestamp
        /// The brand; `nil` in what an earlier version wrote.
        let account: AccountID?

        init(_ id: UploadID, _ request: UploadRequest) {
            upload = id
            conversation = request.conversation
            draft = request.draft
            author = request.author
            limitMs = request.limitMs
            begun = request.at
            account = request.source?.account
        }
    }

    private enum Phase {
        case receiving
        case finishing
        case refused(Rejection)
        /// It is a finished recording now.
        case published
        case gone
    }

    private struct State {
        var phase = Phase.receiving
        var received = 0
        var ingest: RecordingIngest?
        /// The SHA-256 of the whole recording, if its sender said it at the end.
        var expectedHash: [UInt8]?
        /// Whether flushing the files failed.
        var hasFailedFlush = false
    }

    /// A new upload in `folder`; it is on disk after `create`.
    init(_ id: UploadID, _ request: UploadRequest, folder: String, finishLimit: Duration, scanner: Scanner?) {
        about = About(id, request)
        source = request.source
        files = RecordingPaths(folder: folder)
        self.finishLimit = finishLimit
        scan = scanner.map { RecordingScan(scanner: $0, path: RecordingPaths(folder: folder).original) }
        state = Mutex(State())
        refused = Atomic(false)
    }

    /// An upload that an earlier run of the server left in `folder`; `nil` if the folder holds none.
    init?(restoredFrom folder: String, finishLimit: Duration, scanner: Scanner?) {
        let files = RecordingPaths(folder: folder)
        guard let about = files.loadAbout(), !files.holdsRefusal else { return nil }
        self.about = about
        source = about.account.map { UploadSource(account: $0) }
        self.files = files
        self.finishLimit = finishLimit
        let received = FileSystem.size(of: files.original) ?? 0
        scan = scanner.map { RecordingScan(scanner: $0, path: files.original, available: received) }
        state = Mutex(State(received: received))
        refused = Atomic(false)
    }

    /// Whether the recording was refused. Does not block.
    var isRefused: Bool { refused.load(ordering: .relaxed) }

    /// How many bytes have arrived, and why the recording was refused, if it was.
    var progress: (received: Int, refused: Rejection?) {
        state.withLock { state in
            if case .refused(let rejection) = state.phase { (0, rejection) } else { (state.received, nil) }
        }
    }

    /// Makes the folder and saves `about`.
    func create() throws {
        do {
            try FileSystem.makeFolder(files.folder)
            try files.save(about)
        } catch {
            try? FileSystem.removeFolder(files.folder)
            throw error
        }
    }

    /// Writes bytes to the file and passes them on to the scan and the ingest. Bytes that arrived before must be the
    /// same, and are skipped.
    /// - Returns: how many bytes there are now, and an ingest if this call began one: it needs a worker.
    func append(
        _ bytes: [UInt8], at offset: Int, settle: @escaping RecordingIngest.Settle
    ) throws -> (received: Int, begun: RecordingIngest?) {
        try state.withLock { state in
            try Self.checkReceiving(state.phase)
            guard offset >= 0, offset <= state.received else {
                throw Rejection(
                    .uploadGap, "Bytes are missing before this chunk. Continue at `received`.", limit: state.received)
            }
            let again = bytes.prefix(state.received - offset)
            guard try again.isEmpty || OpenFile(reading: files.original).read(again.count, at: offset) == Array(again)
            else { throw Rejection.uploadMismatch }
            let fresh = bytes.dropFirst(again.count)
            guard state.received + fresh.count <= Limits.audioBytes else { throw try refuse(.audioTooLarge, &state) }
            if !fresh.isEmpty { try write(fresh, &state) }
            guard state.ingest == nil, state.received > 0 else { return (state.received, nil) }
            let begun = makeIngest(isLive: true, available: state.received, settle)
            state.ingest = begun
            return (state.received, begun)
        }
    }

    /// Ends the upload at `bytes` bytes.
    /// - Parameter sha256: the hash of all bytes, if the sender said it. `matches` compares.
    /// - Returns: the ingest to wait for, `nil` if the recording is finished already, and whether it needs a worker.
    func beginFinish(
        bytes: Int, sha256: [UInt8]?, settle: @escaping RecordingIngest.Settle
    ) throws -> (ingest: RecordingIngest?, needsWorker: Bool) {
        let (ingest, needsWorker): (RecordingIngest?, Bool) = try state.withLock { state in
            if case .published = state.phase { return (nil, false) }
            if case .finishing = state.phase, let running = state.ingest { return (running, false) }
            try Self.checkReceiving(state.phase)
            guard bytes <= state.received else {
                throw Rejection(
                    .uploadGap, "Not all bytes have arrived. Continue at `received`.", limit: state.received)
            }
            guard bytes == state.received else {
                throw Rejection(.badRequest, "More bytes have arrived than the request says.")
            }
            guard bytes > 0 else { throw Rejection.audioEmpty }
            state.phase = .finishing
            state.expectedHash = sha256
            if let running = state.ingest { return (running, false) }
            let begun = makeIngest(isLive: false, available: state.received, settle)
            state.ingest = begun
            return (begun, true)
        }
        if let ingest {
            scan?.complete()
            ingest.complete()
        }
        return (ingest, needsWorker)
    }

    /// Whether all bytes have the hash that the sender said; `true` if it said none.
    func matches(_ sha256: [UInt8]) -> Bool {
        state.withLock { $0.expectedHash.map { $0 == sha256 } ?? true }
    }

    /// Drops an ingest that failed, so that the next attempt starts from the file.
    func drop(_ ingest: RecordingIngest) {
        state.withLock { state in
            guard state.ingest === ingest else { return }
            state.ingest = nil
            if case .finishing = state.phase { state.phase = .receiving }
        }
    }

    /// Drops an ingest that got no worker while bytes still arrive; the recording is decoded at the end then.
    /// - Returns: `false` if the upload is being finished by now: the ingest must wait for a worker.
    func postpone(_ ingest: RecordingIngest) -> Bool {
        state.withLock { state in
            guard state.ingest === ingest else { return true }
            if case .finishing = state.phase { return false }
            state.ingest = nil
            return true
        }
    }

    /// What the scanner said of all the bytes; `nil` without a scanner. Only after `beginFinish`.
    func scanOutcome() async -> RecordingScan.Outcome? {
        await scan?.outcome()
    }

    /// Saves the record and moves the folder to where finished recordings are. Requests that found the upload before
    /// are told that it is finished.
    func publish(_ record: RecordedMedia, to target: String) throws {
        try state.withLock { state in
            guard case .finishing = state.phase else { throw Rejection.notFound }
            try flush(&state)
            try FileSystem.replace(files.record, with: Array(JSONEncoder().encode(record)))
            try FileSystem.move(files.folder, to: target)
            state.phase = .published
            state.ingest = nil
        }
    }

    /// Refuses the recording: removes its files, remembers why, and throws that. Does nothing if the upload is gone.
    func refuse(_ rejection: Rejection) throws {
        try state.withLock { state in
            switch state.phase {
            case .published, .gone: return
            case .receiving, .finishing, .refused: break
            }
            throw try refuse(rejection, &state)
        }
    }

    /// Removes the upload with all its files.
    /// - Parameter evenIfFinishing: whether to stop the decoding of a complete recording too. Otherwise it goes on.
    /// - Returns: `false` if the upload is a finished recording by now, or is left alone because it is being finished.
    func remove(evenIfFinishing: Bool) throws -> Bool {
        try state.withLock { state in
            switch state.phase {
            case .finishing where !evenIfFinishing: return false
            case .published, .gone: return false
            case .receiving, .finishing, .refused: break
            }
            state.ingest?.cancel()
            state.ingest = nil
            scan?.cancel()
            state.phase = .gone
            try FileSystem.removeFolder(files.folder)
            return true
        }
    }

    // MARK: While holding the lock

    private static func checkReceiving(_ phase: Phase) throws {
        switch phase {
        case .receiving: return
        case .finishing, .published: throw Rejection.uploadFinished
        case .refused(let rejection): throw rejection
        case .gone: throw Rejection.notFound
        }
    }

    private func makeIngest(
        isLive: Bool, available: Int, _ settle: @escaping RecordingIngest.Settle
    ) -> RecordingIngest {
        RecordingIngest(
            files,
            .init(
                limitMs: about.limitMs + Self.overshootMs, isLive: isLive, finishLimit: finishLimit, source: source),
            available: available, settle: settle)
    }

    private func write(_ bytes: ArraySlice<UInt8>, _ state: inout State) throws {
        let file = try OpenFile(writing: files.original)
        do {
            try file.write(bytes, at: state.received)
        } catch {
            try file.truncate(to: state.received)
            throw error
        }
        state.received += bytes.count
        state.ingest?.advance(to: state.received)
        scan?.advance(to: state.received)
    }

    /// Flushes what a worker has just read and written whole.
    ///
    /// After a failed flush the kernel may call pages clean that never reached the disk, so a second flush of the same
    /// file proves nothing: its content goes into a new file.
    private func flush(_ state: inout State) throws {
        let paths = [files.original, files.mp3]
        if state.hasFailedFlush {
            for path in paths { try FileSystem.replace(path, with: FileSystem.contents(of: path)) }
        }
        state.hasFailedFlush = true
        for path in paths { try OpenFile(writing: path).sync() }
        state.hasFailedFlush = false
    }

    private func refuse(_ rejection: Rejection, _ state: inout State) throws -> Rejection {
        state.phase = .refused(rejection)
        refused.store(true, ordering: .relaxed)
        state.ingest?.cancel()
        state.ingest = nil
        scan?.cancel()
        try FileSystem.removeFolder(files.folder)
        return rejection
    }
}
