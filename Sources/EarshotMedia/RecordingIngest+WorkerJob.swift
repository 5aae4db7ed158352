import Crypto
import EarshotModel
import EarshotWorkerProtocol
import Glibc

/// What a worker's session asks of it.
extension RecordingIngest: WorkerJob {
    var order: WorkerOrder { WorkerOrder(.transcode, limitMs: UInt32(clamping: limitMs)) }

    func attach(_ process: WorkerProcess) {
        let now = state.change { state in
            state.process = process
            return (state.isComplete, state.isOver)
        }
        if now.0 { process.end(in: finishLimit) }
        if now.1 { process.end() }
    }

    func next() async throws -> [UInt8]? {
        while true {
            let now = state.value
            if now.isOver { throw CancellationError() }
            if now.position < now.available { return try await BlockingPool.run { try self.read() } }
            if now.isComplete { return nil }
            var waiting = arrivals.makeAsyncIterator()
            guard await waiting.next() != nil else { throw CancellationError() }
        }
    }

    func take(sound bytes: [UInt8]) async throws {
        try await BlockingPool.run { try self.write(bytes) }
    }

    func take(head bytes: [UInt8]) async throws {
        let now = state.value
        guard let mp3 = now.mp3, bytes.count <= now.mp3Bytes else { throw WorkerFrameError() }
        try await BlockingPool.run { try mp3.write(bytes[...], at: 0) }
    }

    func end(_ outcome: WorkerOutcome) async {
        let last = state.change { state in
            defer { state.close() }
            return state
        }
        let isRead = last.isComplete && last.position == last.available && last.mp3Bytes > 0
        let believed =
            if case .result = outcome, !isRead { WorkerOutcome.crashed("a result before the end") } else { outcome }
        let settlement = Settlement(outcome: believed, bytes: last.position, sha256: Array(last.hash.finalize()))
        do {
            try await settle(settlement)
            promise.keep(.success(()))
        } catch {
            promise.keep(.failure(error))
        }
    }

    func abandon() {
        state.change { $0.isOver = true }
        promise.keep(.failure(Rejection.unavailable))
    }
}

extension RecordingIngest {
    /// Only one task reads at a time: the session's.
    private func read() throws -> [UInt8] {
        let now = state.value
        let file = try now.original ?? OpenFile(reading: Upload.original(in: folder))
        let bytes = try file.read(min(Self.chunkBytes, now.available - now.position), at: now.position)
        guard !bytes.isEmpty else { throw FileFailure(code: EIO, verb: "read") }
        state.change { state in
            state.original = file
            state.position += bytes.count
            state.hash.update(data: bytes)
        }
        return bytes
    }

    private func write(_ bytes: [UInt8]) throws {
        let now = state.value
        guard now.mp3Bytes + bytes.count <= limitMs * Self.mp3BytesPerMs + Self.mp3SpareBytes else {
            throw WorkerFrameError()
        }
        let file = try now.mp3 ?? OpenFile(writing: Upload.mp3(in: folder), isFresh: true)
        try file.write(bytes[...], at: now.mp3Bytes)
        state.change { state in
            state.mp3 = file
            state.mp3Bytes += bytes.count
        }
    }
}
