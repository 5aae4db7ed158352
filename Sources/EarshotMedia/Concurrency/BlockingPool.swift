import EarshotModel
import NIOCore
import NIOPosix
import Synchronization

/// Runs blocking work (files, processes) on its own threads, never on an event loop or on Swift's cooperative
/// threads, and notices a volume that hangs: work that takes longer than the deadline.
///
/// While such work is under way, `answer` refuses requests at once, so that none waits and nothing piles up. When the
/// volume answers again, the work ends and requests are taken again.
final class BlockingPool: Sendable {
    /// For the files of recordings.
    static let files = BlockingPool(threads: max(8, 2 * System.coreCount))
    /// For processes, which may take as long as they like, also while the volume hangs.
    static let processes = BlockingPool(threads: max(8, 2 * System.coreCount))

    /// How many threads there are.
    let threadCount: Int
    private let deadline: TimeAmount
    private let maximumJobs: Int
    private let threads: NIOThreadPool
    private let state = Mutex(State())

    private struct State {
        /// Work that runs or waits for a thread.
        var jobs = 0
        /// How much of it is late.
        var late = 0
        /// What fails the requests that wait, by number.
        var requests: [Int: @Sendable () -> Void] = [:]
        var number = 0
    }

    /// - Parameters:
    ///   - deadline: how long work may take, with its wait for a thread.
    ///   - maximumJobs: with how much unfinished work new requests are still taken.
    init(threads count: Int, deadline: TimeAmount = .seconds(5), maximumJobs: Int = 512) {
        threadCount = count
        self.deadline = deadline
        self.maximumJobs = maximumJobs
        threads = NIOThreadPool(numberOfThreads: count)
        threads.start()
    }

    /// Runs `body` on a thread for files.
    static func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await files.run(body)
    }

    /// Runs `body` to its end even if the waiting task is cancelled, so that no file operation is left half done.
    func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        let (loop, job) = (MultiThreadedEventLoopGroup.singleton.any(), Job())
        state.withLock { $0.jobs += 1 }
        let watch = loop.scheduleTask(in: deadline) { if job.becomesLate() { self.hangs() } }
        defer {
            watch.cancel()
            let wasLate = job.ends()
            state.withLock { state in
                state.jobs -= 1
                if wasLate { state.late -= 1 }
            }
        }
        return try await threads.runIfActive(eventLoop: loop, body).get()
    }

    /// Queues `body` for a thread, without waiting for it to run.
    func submit(_ body: @escaping @Sendable () -> Void) {
        threads.submit { _ in body() }
    }

    /// Answers a request that needs the volume, or fails it once work on the volume is late. `body` goes on to its end
    /// all the same, so that what it began is whole when the volume answers again.
    /// - Throws: `unavailable` where the volume hangs, or is so slow that too much work waits.
    func answer<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let outcome = OneShot<Result<Value, any Error>>()
        let number = try enter { _ = outcome.resolve(.failure(Rejection.unavailable)) }
        defer { state.withLock { $0.requests[number] = nil } }
        Task {
            do { outcome.resolve(.success(try await body())) } catch { outcome.resolve(.failure(error)) }
        }
        return try await outcome.value().get()
    }

    /// Whether work is late.
    var isHanging: Bool { state.withLock { $0.late > 0 } }

    /// How much work runs or waits for a thread.
    var unfinishedJobs: Int { state.withLock { $0.jobs } }

    private func enter(_ fail: @escaping @Sendable () -> Void) throws(Rejection) -> Int {
        let number = state.withLock { state -> Int? in
            guard state.late == 0, state.jobs < maximumJobs else { return nil }
            state.number += 1
            state.requests[state.number] = fail
            return state.number
        }
        guard let number else { throw .unavailable }
        return number
    }

    private func hangs() {
        let waiting = state.withLock { state in
            state.late += 1
            return Array(state.requests.values)
        }
        for fail in waiting { fail() }
    }
}

/// Whether work is late. Its end and its deadline may come at once.
private final class Job: Sendable {
    private enum Phase {
        case running
        case late
        case over
    }

    private let phase = Mutex(Phase.running)

    /// - Returns: `false` where it has ended.
    func becomesLate() -> Bool {
        phase.withLock { phase in
            guard case .running = phase else { return false }
            phase = .late
            return true
        }
    }

    /// - Returns: whether it was late.
    func ends() -> Bool {
        phase.withLock { phase in
            defer { phase = .over }
            if case .late = phase { return true }
            return false
        }
    }
}
