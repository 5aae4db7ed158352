import EarshotCore
import EarshotModel
import EarshotWorkerProtocol
import Glibc
import Logging
import Testing

@testable import EarshotMedia

@Suite struct `The share of the media workers` {
    private static func source(_ account: String, _ address: String) -> UploadSource {
        UploadSource(account: AccountID(trusted: account), address: address)
    }

    /// A pool's bookkeeping with so many idle workers.
    private static func state(idle: Int, _ change: (inout WorkerPool.Settings) -> Void = { _ in }) -> WorkerPoolState {
        var settings = WorkerPool.Settings(executable: "/nowhere")
        (settings.maxWorkers, settings.reserved, settings.ready, settings.maxWaiting) = (8, 0, idle, 8)
        change(&settings)
        var state = WorkerPoolState(settings)
        #expect(state.takeMissing() == idle)
        for id in 0..<idle { state.ready(id, WorkerAssignment()) }
        return state
    }

    private static func submit(
        _ state: inout WorkerPoolState, _ account: String, _ address: String, isComplete: Bool
    ) -> WorkerPoolState.Submission {
        state.submit(TestJob(from: source(account, address)), isComplete: isComplete)
    }

    @Test func `of one address is half of them, of one brand three quarters; others still get theirs`() {
        var state = Self.state(idle: 8)
        for _ in 1...4 { #expect(Self.submit(&state, "a", "1", isComplete: false).isAssigned) }
        #expect(!Self.submit(&state, "a", "1", isComplete: false).isAssigned, "the address has half")
        for _ in 1...2 { #expect(Self.submit(&state, "a", "2", isComplete: false).isAssigned) }
        #expect(!Self.submit(&state, "a", "3", isComplete: false).isAssigned, "the brand has three quarters")
        #expect(Self.submit(&state, "b", "3", isComplete: false).isAssigned)
        #expect(Self.submit(&state, "b", "4", isComplete: true).isAssigned)
    }

    @Test func `of the waiting places is limited too`() {
        var state = Self.state(idle: 0)
        for _ in 1...4 { #expect(Self.submit(&state, "a", "1", isComplete: true).isWaiting) }
        #expect(!Self.submit(&state, "a", "1", isComplete: true).isWaiting)
        for _ in 1...2 { #expect(Self.submit(&state, "a", "2", isComplete: true).isWaiting) }
        #expect(!Self.submit(&state, "a", "3", isComplete: true).isWaiting)
        for _ in 1...2 { #expect(Self.submit(&state, "b", "4", isComplete: true).isWaiting) }
        #expect(!Self.submit(&state, "c", "5", isComplete: true).isWaiting, "all places are taken")
    }

    @Test func `a free worker goes to the brand, then to the address, that has the fewest`() async {
        var state = Self.state(idle: 2)
        #expect(Self.submit(&state, "a", "1", isComplete: true).isAssigned)
        #expect(Self.submit(&state, "b", "3", isComplete: true).isAssigned)
        let jobs = [("a", "1"), ("a", "2"), ("c", "1")].map { TestJob(from: Self.source($0.0, $0.1)) }
        for job in jobs { #expect(state.submit(job, isComplete: true).isWaiting) }
        var order: [Int] = []
        for id in 2..<5 {
            #expect(state.takeMissing() > 0 || id > 2)
            let assignment = WorkerAssignment()
            state.ready(id, assignment)
            let job = await assignment.value()
            order.append(jobs.firstIndex { $0 === job } ?? -1)
        }
        #expect(order == [2, 1, 0], "another brand, then another address, then the first")
    }

    @Test func `a recording over its share waits although a worker is idle, and gets it when one of its own ends`() {
        var state = Self.state(idle: 5)
        for _ in 1...4 { #expect(Self.submit(&state, "a", "1", isComplete: true).isAssigned) }
        #expect(Self.submit(&state, "a", "1", isComplete: true).isWaiting)
        #expect(Self.submit(&state, "a", "2", isComplete: true).isAssigned, "the idle one goes to another address")
        _ = state.takeMissing()
        state.ready(9, WorkerAssignment())
        #expect(Self.submit(&state, "a", "1", isComplete: true).isWaiting)
        #expect(state.ended(4, .served).isEmpty)
        #expect(state.waitingCount == 1, "the idle worker has one of the two")
    }

    @Test func `while memory is short no new recording gets a worker, and the waiting ones do afterwards`() {
        var state = Self.state(idle: 2)
        state.setMemoryShort(true)
        #expect(!Self.submit(&state, "a", "1", isComplete: false).isAssigned)
        #expect(Self.submit(&state, "a", "1", isComplete: true).isWaiting)
        state.setMemoryShort(false)
        #expect(state.waitingCount == 0)
    }
}

extension WorkerPoolState.Submission {
    fileprivate var isAssigned: Bool { if case .assigned = self { true } else { false } }
    fileprivate var isWaiting: Bool { if case .waiting = self { true } else { false } }
}

@Suite struct `The confinement of a media worker` {
    @Test func `is told with its first frame and names every wall`() async throws {
        let (log, lines) = LineLog.make()
        let pool = WorkerPool(.init(), logger: Logger(label: "pool") { _ in log })
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await pool.run() }
            defer { group.cancelAll() }
            for await line in lines where line.contains("confined") || line.contains("walls of their sandbox") { break }
        }
        let walls = try #require(pool.walls)
        #expect(walls.standing.contains("seccomp") && walls.standing.contains("no-new-privileges"))
        #expect(Set(walls.missing).isDisjoint(with: walls.standing))
        #expect(
            Confinement.namespaces.words == [
                "network namespace", "ipc namespace", "uts namespace", "mount namespace", "pid namespace", "empty root",
            ])
    }

    @Test func `that fails says the step and the system's answer`() throws {
        let failure = ConfinementFailure(step: 4, errno: UInt32(EPERM))
        var decoder = WorkerFrameDecoder()
        decoder.append(WorkerFrame.unconfined(failure).encoded)
        #expect(try decoder.next() == .unconfined(failure))
        #expect(failure.name == "dropping capabilities (capset)")
        #expect(ConfinementFailure(step: 200, errno: 1).name == "?")
    }

    @Test func `gives way: the kernel ends it first when memory is short, and it is a batch process`() async throws {
        let child = try await BlockingPool.run { try SpawnedChild(WorkerPool.installedExecutable(), []) }
        defer {
            kill(child.pid, SIGKILL)
            waitpid(child.pid, nil, 0)
            close(child.input)
            close(child.output)
        }
        let score = try await BlockingPool.run {
            var ready = [UInt8](repeating: 0, count: 7)
            #expect(read(child.output, &ready, 7) == 7)
            return try OpenFile(reading: "/proc/\(child.pid)/oom_score_adj").read(10, at: 0)
        }
        #expect(String(decoding: score, as: UTF8.self) == "1000\n")
        let batch: Int32 = 3  // SCHED_BATCH in sched.h, which Swift does not import
        #expect(sched_getscheduler(child.pid) == batch)
    }
}
