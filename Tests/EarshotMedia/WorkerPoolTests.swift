import EarshotWorkerProtocol
import Glibc
import Testing

@testable import EarshotMedia

@Suite struct `A pool of workers` {
    @Test func `loses only the recording of a worker that is killed`() async throws {
        let speech = try await Fixtures.shared().bytes("speech.ogg")
        try await PoolLab.with({ $0.ready = 2 }) { lab in
            let (first, second) = (TestJob(), TestJob())
            _ = try await (lab.workers.nextReady(), lab.workers.nextReady())
            #expect(lab.pool.submit(first, isComplete: false) && lab.pool.submit(second, isComplete: false))
            first.give(Array(speech[..<5000]))
            second.give(Array(speech[..<5000]))
            kill(await first.worker(), SIGKILL)
            try await first.expect(.crashed)
            second.give(Array(speech[5000...]))
            second.complete()
            try await second.expectResult()
            let third = TestJob(speech)
            lab.pool.submit(third, isComplete: true)
            try await third.expectResult()
        }
    }

    @Test func `ends a worker that hangs at the deadline`() async throws {
        let speech = try await Fixtures.shared().bytes("speech.ogg")
        try await PoolLab.with({ $0.sessionLimit = .milliseconds(200) }) { lab in
            let worker = try await lab.workers.nextReady()
            kill(worker, SIGSTOP)
            let job = TestJob(speech)
            lab.pool.submit(job, isComplete: true)
            let its = await job.worker()
            #expect(its == worker)
            try await job.expect(.crashed)
            let next = TestJob(speech)
            _ = try await lab.workers.nextReady()
            lab.pool.submit(next, isComplete: true)
            _ = await next.end()
        }
    }

    @Test func `replaces a worker that is killed while it waits`() async throws {
        let speech = try await Fixtures.shared().bytes("speech.ogg")
        try await PoolLab.with { lab in
            let first = try await lab.workers.nextReady()
            kill(first, SIGKILL)
            let second = try await lab.workers.nextReady()
            #expect(second != first)
            let job = TestJob(speech)
            lab.pool.submit(job, isComplete: true)
            try await job.expectResult()
        }
    }

    @Test func `gives every recording a worker of its own`() async throws {
        let speech = try await Fixtures.shared().bytes("speech.ogg")
        try await PoolLab.with { lab in
            let (first, second) = (TestJob(speech), TestJob(speech))
            lab.pool.submit(first, isComplete: true)
            lab.pool.submit(second, isComplete: true)
            let workers = await [first.worker(), second.worker()]
            #expect(workers[0] != workers[1])
            try await first.expectResult()
            try await second.expectResult()
        }
    }

    @Test func `never has more workers than it may, and queues complete recordings`() async throws {
        let speech = try await Fixtures.shared().bytes("speech.ogg")
        try await PoolLab.with({
            $0.maxWorkers = 2
            $0.ready = 2
            $0.reserved = 1
        }) { lab in
            let jobs = (0..<6).map { _ in TestJob(speech) }
            for job in jobs { #expect(lab.pool.submit(job, isComplete: true)) }
            for job in jobs { try await job.expectResult() }
            #expect(lab.workers.mostAlive == 2)
        }
    }

    @Test func `refuses a job at once when its queue is full, and later when it waited too long`() async throws {
        try await PoolLab.with({
            $0.maxWorkers = 1
            $0.reserved = 0
            $0.maxWaiting = 1
            $0.waitLimit = .milliseconds(50)
        }) { lab in
            _ = try await lab.workers.nextReady()
            let (holder, waiting, over) = (TestJob(), TestJob([1]), TestJob([1]))
            #expect(lab.pool.submit(holder, isComplete: false))
            #expect(lab.pool.submit(waiting, isComplete: true))
            #expect(!lab.pool.submit(over, isComplete: true))
            try await over.expect(.abandoned)
            try await waiting.expect(.abandoned)
            holder.complete()
            try await holder.expect(.refused(.empty))
        }
    }

    @Test func `reserves workers for complete recordings`() async throws {
        let speech = try await Fixtures.shared().bytes("speech.ogg")
        try await PoolLab.with({
            $0.maxWorkers = 2
            $0.ready = 2
            $0.reserved = 1
        }) { lab in
            _ = try await (lab.workers.nextReady(), lab.workers.nextReady())
            let (live, another, complete) = (TestJob(), TestJob(), TestJob(speech))
            #expect(lab.pool.submit(live, isComplete: false))
            #expect(!lab.pool.submit(another, isComplete: false))
            #expect(lab.pool.submit(complete, isComplete: true))
            try await complete.expectResult()
        }
    }

    @Test func `that cannot start workers fails each recording, and tries again for the next one`() async throws {
        try await PoolLab.with({ $0.executable = "/nowhere/EarshotMediaWorker" }) { lab in
            for _ in 0..<3 {
                let job = TestJob([1])
                lab.pool.submit(job, isComplete: true)
                try await job.expect(.abandoned)
            }
        }
    }

    @Test func `does not trust a worker that sends an invalid frame`() async throws {
        try await PoolLab.with({
            $0.executable = "/bin/echo"
            $0.startLimit = .seconds(5)
        }) { lab in
            let job = TestJob([1])
            lab.pool.submit(job, isComplete: true)
            try await job.expect(.abandoned)
        }
    }

    @Test func `that is stopped ends busy workers and waiting jobs`() async throws {
        let job = TestJob()
        try await PoolLab.with { lab in
            _ = try await lab.workers.nextReady()
            lab.pool.submit(job, isComplete: false)
            _ = await job.worker()
        }
        try await job.expect(.crashed)
    }
}

extension TestJob {
    func expectResult(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let end = await end()
        guard case .result(let ms) = end, ms > 2000 else {
            Issue.record("ended as \(end)", sourceLocation: sourceLocation)
            return
        }
    }

    func expect(_ expected: End, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let end = await end()
        #expect(end == expected, sourceLocation: sourceLocation)
    }
}
