import EarshotWorkerProtocol
import NIOCore

/// One worker's life: ready, at most one job, over.
struct WorkerSession: Sendable {
    private let process: WorkerProcess
    private let offer: WorkerOffer
    private let settings: WorkerPool.Settings
    private let whenReady: @Sendable () -> Void
    private let course = Locked(Course())

    /// `offer`: where the pool lays down its job.
    init(
        process: WorkerProcess, offer: WorkerOffer, settings: WorkerPool.Settings,
        whenReady: @escaping @Sendable () -> Void
    ) {
        self.process = process
        self.offer = offer
        self.settings = settings
        self.whenReady = whenReady
    }

    /// Runs until the worker is gone and its job was told how it ended.
    func run() async -> Course {
        process.end(in: settings.startLimit)
        // Its pipes are closed when this throws. What it said before counts; one that said nothing crashed.
        try? await converse()
        offer.close()
        let status = await process.reap()
        let end = course.change { course in
            course.status = status
            return course
        }
        await end.job?.end(end.outcome ?? .crashed("it ended with status \(status)"))
        return end
    }

    private func converse() async throws {
        try await process.output.executeThenClose { inbound, _ in
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await feed() }
                // It said all it will, or what no worker says, or we are to stop.
                try? await listen(inbound)
                process.end()
                offer.close()
                group.cancelAll()
            }
        }
    }

    /// The order, then the recording's bytes as they come. A worker that wants no more closes its end; what it said is played by `listen`.
    private func feed() async {
        guard let job = await offer.take() else { return await process.closeInput() }
        course.change { $0.job = job }
        process.end(in: settings.sessionLimit)
        job.attach(process)
        do {
            var bytes: [UInt8]? = job.order.encoded
            while let more = bytes {
                // A failed write: it wants no more. Whether it said why is played elsewhere.
                guard (try? await process.write(more)) != nil else { break }
                bytes = try await job.next()
            }
        } catch {
            fail(error)
        }
        await process.closeInput()
    }

    private func listen(_ inbound: NIOAsyncChannelInboundStream<ByteBuffer>) async throws {
        var decoder = WorkerFrameDecoder()
        for try await buffer in inbound {
            decoder.append(buffer.readableBytesView)
            try await hearAll(&decoder)
        }
    }

    /// An encoder's packets are tiny, and keeping each by itself costs more than renditionJob it: sound that came together is kept together.
    private func hearAll(_ decoder: inout WorkerFrameDecoder) async throws {
        var sound: [UInt8] = []
        while let frame = try decoder.next() {
            if case .sound(let bytes) = frame {
                sound += bytes
                continue
            }
            if !sound.isEmpty { try await hear(.sound(sound)) }
            sound = []
            try await hear(frame)
        }
        if !sound.isEmpty { try await hear(.sound(sound)) }
    }

    private func hear(_ frame: WorkerFrame) async throws {
        let now = course.value
        switch (frame, now.job, now.outcome) {
        case (.ready, nil, nil) where !now.wasReady:
            course.change { $0.wasReady = true }
            process.keep()
            whenReady()
        case (.sound(let bytes), let job?, nil): try await keep { try await job.take(sound: bytes) }
        case (.head(let bytes), let job?, nil): try await keep { try await job.take(head: bytes) }
        case (.result(let result), let job?, nil) where job.order.work == .transcode:
            course.change { $0.outcome = .result(result) }
        case (.made(let made), let job?, nil) where job.order.work != .transcode:
            course.change { $0.outcome = .made(made) }
        case (.failure(.broken), _?, nil): course.change { $0.outcome = .crashed("the decoder broke") }
        case (.failure(let failure), _?, nil): course.change { $0.outcome = .refused(failure) }
        default: throw WorkerFrameError()
        }
    }

    private func keep(_ body: () async throws -> Void) async throws {
        do { try await body() } catch {
            fail(error)
            throw error
        }
    }

    /// Our own side cannot go on with this job.
    private func fail(_ error: any Error) {
        course.change { course in
            if course.outcome == nil { course.outcome = .failed(error) }
        }
        process.end()
    }
}

extension WorkerSession {
    /// How far a worker came.
    struct Course: Sendable {
        var wasReady = false
        var job: (any WorkerJob)?
        var outcome: WorkerOutcome?
        var status: Int32 = 0

        var end: WorkerPoolState.End { job != nil ? .served : wasReady ? .idle : .neverReady }

        /// What the log should know.
        var fault: String? {
            if !wasReady {
                return status >> 8 == WorkerExit.sandbox
                    ? "it could not enter its sandbox" : "not ready, status \(status)"
            }
            switch outcome {
            case .crashed(let why): return why
            case .failed(let error): return "\(error)"
            case nil where job != nil: return "no answer, status \(status)"
            case nil, .result, .made, .refused: return nil
            }
        }
    }
}
