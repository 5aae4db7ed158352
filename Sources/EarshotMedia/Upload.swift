import EarshotCore
import EarshotModel
import Foundation
import Synchronization

/// One upload on disk and what is known of it. Its methods block (files): for `BlockingPool.run` only.
///
/// OneShot: a byte that was acknowledged is in the file. What could not be written wholly is cut off again.
final class Upload: Sendable {
    let about: About
    let folder: String
    /// Its scan while it arrives; `nil` where there is no scanner.
    let scan: RecordingScan?
    /// Whether only the answer is left of it; asked without waiting for its files.
    let isRefused: Atomic<Bool>
    private let state: Mutex<State>

    /// What was said when it was begun.
    struct About: Codable, Sendable {
        let upload: UploadID
        let conversation: ConversationID
        let draft: DraftID
        let author: String
        let limitMs: Int
        let begun: Timestamp
    }

    private enum Phase {
        case receiving
        case finishing
        case refused(Rejection)
        case gone
    }

    private struct State {
        var phase = Phase.receiving
        var received = 0
        var ingest: RecordingIngest?
    }

    /// What a finish has to wait for.
    enum Finish {
        /// It is being decoded.
        case running(RecordingIngest)
        /// It has still to find a worker.
        case begun(RecordingIngest)
    }

    init(_ about: About, folder: String, received: Int = 0, refusal: Rejection? = nil, scanner: Scanner? = nil) {
        self.about = about
        self.folder = folder
        scan = scanner.map { RecordingScan(scanner: $0, path: Self.original(in: folder), available: received) }
        state = Mutex(State(phase: refusal.map(Phase.refused) ?? .receiving, received: received))
        isRefused = Atomic(refusal != nil)
    }

    func create() throws {
        do {
            try Folders.make(folder)
            try Folders.replace(Self.about(in: folder), with: Array(JSONEncoder().encode(about)))
        } catch {
            try? Folders.remove(folder)
            throw error
        }
    }

    var received: Int { state.withLock { $0.received } }

    /// Takes bytes in order; answers how many there are now.
    func append(_ bytes: [UInt8], at offset: Int) throws -> Int {
        try state.withLock { state in
            try Self.checkReceiving(state.phase)
            guard offset >= 0, offset <= state.received else {
                throw Rejection(.uploadGap, "Bytes are missing before these.", limit: state.received)
            }
            let fresh = bytes.dropFirst(state.received - offset)
            guard state.received + fresh.count <= Limits.audioBytes else { throw try refuse(.audioTooLarge, &state) }
            if !fresh.isEmpty { try write(fresh, &state) }
            return state.received
        }
    }

    /// A decoding to be started while the bytes still come, if none was.
    func beginDecoding(_ make: (_ available: Int) -> RecordingIngest) -> RecordingIngest? {
        state.withLock { state in
            guard case .receiving = state.phase, state.ingest == nil, state.received > 0 else { return nil }
            state.ingest = make(state.received)
            return state.ingest
        }
    }

    /// It failed: the next attempt starts from the file.
    func forget(_ ingest: RecordingIngest) {
        state.withLock { state in
            guard state.ingest === ingest else { return }
            state.ingest = nil
            if case .finishing = state.phase { state.phase = .receiving }
        }
    }

    /// There is no worker for it while bytes still come. `false`: it is being finished by now and must get one.
    func postpone(_ ingest: RecordingIngest) -> Bool {
        state.withLock { state in
            guard state.ingest === ingest else { return true }
            if case .finishing = state.phase { return false }
            state.ingest = nil
            return true
        }
    }

    func beginFinish(bytes: Int, _ make: (_ available: Int) -> RecordingIngest) throws -> Finish {
        try state.withLock { state in
            if case .finishing = state.phase, let running = state.ingest { return .running(running) }
            try Self.checkReceiving(state.phase)
            guard bytes <= state.received else {
                throw Rejection(.uploadGap, "Not all bytes have arrived.", limit: state.received)
            }
            guard bytes == state.received else { throw Rejection(.badRequest, "More bytes have arrived than that.") }
            guard bytes > 0 else { throw Rejection.audioEmpty }
            state.phase = .finishing
            if let running = state.ingest { return .running(running) }
            let made = make(state.received)
            state.ingest = made
            return .begun(made)
        }
    }

    /// Puts all of it where finished media lie. From then on it stays.
    func publish(_ record: RecordedMedia, to target: String) throws {
        try state.withLock { state in
            guard case .finishing = state.phase else { throw Rejection.notFound }
            try OpenFile(writing: Self.original(in: folder)).sync()
            try OpenFile(writing: Self.mp3(in: folder)).sync()
            try Folders.replace(Self.record(in: folder), with: Array(JSONEncoder().encode(record)))
            try Folders.move(folder, to: target)
            state.phase = .gone
            state.ingest = nil
        }
    }

    /// Keeps nothing but the answer, so that the same question gets it again.
    func refuse(_ rejection: Rejection) throws {
        try state.withLock { state in
            if case .gone = state.phase { return }
            throw try refuse(rejection, &state)
        }
    }

    /// Removes everything of it.
    func remove() throws {
        try state.withLock { state in
            if case .finishing = state.phase { throw Rejection.uploadFinished }
            state.ingest?.cancel()
            state.ingest = nil
            scan?.cancel()
            state.phase = .gone
            try Folders.remove(folder)
        }
    }

    // MARK: Inside the lock

    private static func checkReceiving(_ phase: Phase) throws {
        switch phase {
        case .receiving: return
        case .finishing: throw Rejection.uploadFinished
        case .refused(let rejection): throw rejection
        case .gone: throw Rejection.notFound
        }
    }

    private func write(_ bytes: ArraySlice<UInt8>, _ state: inout State) throws {
        let file = try OpenFile(writing: Self.original(in: folder))
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

    private func refuse(_ rejection: Rejection, _ state: inout State) throws -> Rejection {
        state.phase = .refused(rejection)
        isRefused.store(true, ordering: .relaxed)
        state.ingest?.cancel()
        state.ingest = nil
        scan?.cancel()
        try Folders.removeFile(Self.original(in: folder))
        try Folders.removeFile(Self.mp3(in: folder))
        try Self.keep(rejection, in: folder)
        return rejection
    }
}
