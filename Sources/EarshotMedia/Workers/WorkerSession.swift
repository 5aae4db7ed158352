import EarshotWorkerProtocol
import Glibc
import NIOCore

/// The life of one worker process: it becomes ready, gets at most one job, and ends.
struct WorkerSession: Sendable {
    private let process: WorkerProcess
    private let assignment: WorkerAssignment
    private let settings: WorkerPool.Settings
    private let onReady: @Sendable (Confinement) -> Void
    private let status = Locked(Status())

    /// The pool assigns the job through `assignment`. `onReady` is called when the worker is inside its sandbox.
    init(
        process: WorkerProcess, assignment: WorkerAssignment, settings: WorkerPool.Settings,
        onReady: @escaping @Sendable (Confinement) -> Void
    ) {
        self.process = process
        self.assignment = assignment
        self.settings = settings
        self.onReady = onReady
    }

    /// Runs until the worker is gone and its job has ended.
    func run() async -> Status {
        process.end(in: settings.startLimit)
        // An error means that the worker closed its pipes. What it sent before counts; if it sent no answer, it
        // crashed.
        try? await exchange()
        assignment.resolve(nil)
        let exitStatus = await process.reap()
        let last = status.update { status in
            status.exitStatus = exitStatus
            return status
        }
        await last.job?.finish(last.outcome ?? .crashed("it ended with status \(exitStatus)"))
        return last
    }

    private func exchange() async throws {
        try await process.output.executeThenClose { inbound, _ in
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await sendRecording() }
                // Returns when the worker closed its output or sent an invalid frame, or when this task is cancelled.
                try? await receiveFrames(inbound)
                process.end()
                assignment.resolve(nil)
                group.cancelAll()
            }
        }
    }

    /// Sends the order, then the recording's bytes as they arrive.
    private func sendRecording() async {
        guard let job = await assignment.value() else { return await process.closeInput() }
        status.update { $0.job = job }
        process.end(in: settings.sessionLimit)
        job.start(on: process)
        do {
            var bytes: [UInt8]? = job.order.encoded
            while let next = bytes {
                // A failed write means that the worker closed its input. `receiveFrames` gets the reason, if it sent
                // one.
                guard (try? await process.write(next)) != nil else { break }
                bytes = try await job.nextBytes()
            }
        } catch {
            fail(error)
        }
        await process.closeInput()
    }

    /// Passes the worker's frames on. An encoder's packets are tiny, so audio that arrived together is written
    /// together.
    private func receiveFrames(_ inbound: NIOAsyncChannelInboundStream<ByteBuffer>) async throws {
        var decoder = WorkerFrameDecoder()
        for try await buffer in inbound {
            decoder.append(buffer.readableBytesView)
            var audio: [UInt8] = []
            while let frame = try decoder.next() {
                if case .audio(let bytes) = frame {
                    audio += bytes
                    continue
                }
                if !audio.isEmpty { try await receive(.audio(audio)) }
                audio = []
                try await receive(frame)
            }
            if !audio.isEmpty { try await receive(.audio(audio)) }
        }
    }

    private func receive(_ frame: WorkerFrame) async throws {
        let now = status.value
        switch (frame, now.job, now.outcome) {
        case (.ready(let walls), nil, nil) where !now.wasReady:
            status.update { $0.wasReady = true }
            process.cancelDeadline()
            onReady(walls)
        case (.unconfined(let failure), nil, nil) where !now.wasReady:
            status.update { $0.unconfined = failure }
        case (.audio(let bytes), let job?, nil): try await failing { try await job.write(audio: bytes) }
        case (.header(let bytes), let job?, nil): try await failing { try await job.write(header: bytes) }
        case (.result(let result), let job?, nil) where job.order.work == .transcode:
            status.update { $0.outcome = .result(result) }
        case (.rendition(let made), let job?, nil) where job.order.work != .transcode:
            status.update { $0.outcome = .rendition(made) }
        case (.failure(.broken), _?, nil): status.update { $0.outcome = .crashed("its decoder failed") }
        case (.failure(let failure), _?, nil): status.update { $0.outcome = .refused(failure) }
        default: throw WorkerFrameError()
        }
    }

    private func failing(_ body: () async throws -> Void) async throws {
        do { try await body() } catch {
            fail(error)
            throw error
        }
    }

    /// The server's own side cannot go on with this job.
    private func fail(_ error: any Error) {
        status.update { status in
            if status.outcome == nil { status.outcome = .failed(error) }
        }
        process.end()
    }
}

extension WorkerSession {
    /// What is known of a worker: whether it became ready, its job, and how both ended.
    struct Status: Sendable {
        fileprivate(set) var wasReady = false
        fileprivate(set) var job: (any WorkerJob)?
        fileprivate(set) var outcome: WorkerOutcome?
        fileprivate(set) var exitStatus: Int32 = 0
        fileprivate(set) var unconfined: ConfinementFailure?

        /// How far the worker came, for the pool.
        var end: WorkerPoolState.End { job != nil ? .served : wasReady ? .idle : .neverReady }

        /// What went wrong, for the log; `nil` if nothing did.
        var fault: String? {
            if !wasReady { return startFault }
            switch outcome {
            case .crashed(let reason): return reason
            case .failed(let error): return "\(error)"
            case nil where job != nil: return "it did not answer, status \(exitStatus)"
            case nil, .result, .rendition, .refused: return nil
            }
        }

        private var startFault: String {
            if let unconfined {
                let reason = String(cString: strerror(Int32(truncatingIfNeeded: unconfined.errno)))
                return "it could not enter its sandbox: \(unconfined.name): \(reason)"
            }
            if exitStatus & 0x7F == SIGSYS {
                return "a system call that its sandbox needs is forbidden to this service (SIGSYS)"
            }
            return "it never became ready, status \(exitStatus)"
        }
    }
}
