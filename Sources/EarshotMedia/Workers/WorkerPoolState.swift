import EarshotCore

/// Which workers start, wait and work, and which jobs wait: the pool's bookkeeping, without any process.
///
/// No network address and no brand gets more than its share of the workers or of the waiting places, and a free worker
/// goes to the brand, and then to the address, that has the fewest.
struct WorkerPoolState {
    private struct Busy {
        let source: UploadSource?
        /// Whether the recording was still arriving when the worker got it.
        let isLive: Bool
    }

    private let settings: WorkerPool.Settings
    private var starting = 0
    private var idle: [(id: Int, assignment: WorkerAssignment)] = []
    private var busy: [Int: Busy] = [:]
    private var waiting: [(ticket: Int, job: any WorkerJob)] = []
    private var isMemoryShort = false
    private var failuresInRow = 0
    private var isOpen = true
    private var lastTicket = 0
    private static let failuresAllowed = 3

    /// What became of a submitted job.
    enum Submission {
        case assigned
        /// It waits for a worker, under this ticket.
        case waiting(Int)
        case refused
    }

    /// How far a worker came before it ended.
    enum End {
        case neverReady
        case idle
        case served
    }

    /// What a worker does, for monitoring.
    enum WorkerState: String, MetricLabel {
        case starting, idle, busy
    }

    /// How many workers there are in each state.
    var workers: [WorkerState: Double] {
        [.starting: Double(starting), .idle: Double(idle.count), .busy: Double(busy.count)]
    }

    /// How many complete recordings wait for a worker.
    var waitingCount: Int { waiting.count }

    init(_ settings: WorkerPool.Settings) {
        self.settings = settings
    }

    /// Assigns a job to an idle worker, or queues it. A recording that is still arriving gets a worker only if one is
    /// free beyond the reserve: it can be decoded once it is complete.
    mutating func submit(_ job: any WorkerJob, isComplete: Bool) -> Submission {
        guard isOpen else { return .refused }
        failuresInRow = min(failuresInRow, Self.failuresAllowed - 1)
        if !isComplete {
            let live = busy.values.count { $0.isLive }
            guard !isMemoryShort, live < settings.maxWorkers - settings.reserved, mayWork(job.source) else {
                return .refused
            }
            return assign(job, isLive: true) ? .assigned : .refused
        }
        if waiting.isEmpty, !isMemoryShort, mayWork(job.source), assign(job, isLive: false) { return .assigned }
        guard waiting.count < settings.maxWaiting,
            isWithinShare(job.source, of: settings.maxWaiting, waiting.map(\.job.source))
        else { return .refused }
        lastTicket += 1
        waiting.append((lastTicket, job))
        assignWaiting()
        return waiting.contains { $0.ticket == lastTicket } ? .waiting(lastTicket) : .assigned
    }

    /// Removes a waiting job; `nil` if a worker has it already.
    mutating func withdraw(_ ticket: Int) -> (any WorkerJob)? {
        guard let index = waiting.firstIndex(where: { $0.ticket == ticket }) else { return nil }
        return waiting.remove(at: index).job
    }

    /// How many workers to start now. They count as starting from here on.
    mutating func takeMissing() -> Int {
        guard isOpen, failuresInRow < Self.failuresAllowed else { return 0 }
        let wanted = max(settings.ready, waiting.count) - idle.count - starting
        let missing = max(0, min(wanted, settings.maxWorkers - starting - idle.count - busy.count))
        starting += missing
        return missing
    }

    /// A worker is ready: it gets a waiting job, or becomes idle.
    mutating func ready(_ id: Int, _ assignment: WorkerAssignment) {
        starting -= 1
        idle.append((id, assignment))
        assignWaiting()
    }

    /// Whether the workers use more memory than they may.
    mutating func setMemoryShort(_ isShort: Bool) {
        isMemoryShort = isShort
        assignWaiting()
    }

    /// A worker is gone.
    /// - Returns: the jobs to abandon, because one worker after another fails.
    mutating func ended(_ id: Int, _ end: End) -> [any WorkerJob] {
        switch end {
        case .neverReady:
            starting -= 1
            failuresInRow += 1
        case .idle:
            idle.removeAll { $0.id == id }
            failuresInRow += 1
        case .served:
            busy[id] = nil
            failuresInRow = 0
        }
        assignWaiting()
        return failuresInRow < Self.failuresAllowed ? [] : takeWaiting()
    }

    /// Refuses all further jobs.
    /// - Returns: the waiting jobs, to abandon.
    mutating func close() -> [any WorkerJob] {
        isOpen = false
        return takeWaiting()
    }

    /// Gives idle workers to waiting jobs: first to the brand, then to the address that has the fewest workers, then to
    /// the job that has waited longest.
    private mutating func assignWaiting() {
        while !idle.isEmpty, !isMemoryShort {
            let sources = busy.values.map(\.source)
            let next = waiting.enumerated().filter { mayWork($0.element.job.source) }.min {
                let (one, other) = ($0.element.job.source, $1.element.job.source)
                return (held(by: one, sources), $0.offset) < (held(by: other, sources), $1.offset)
            }
            guard let next, assign(next.element.job, isLive: false) else { return }
            waiting.remove(at: next.offset)
        }
    }

    /// - Returns: `false` if no worker is idle.
    private mutating func assign(_ job: any WorkerJob, isLive: Bool) -> Bool {
        while let worker = idle.popLast() {
            guard worker.assignment.resolve(job) else { continue }
            busy[worker.id] = Busy(source: job.source, isLive: isLive)
            return true
        }
        return false
    }

    private func mayWork(_ source: UploadSource?) -> Bool {
        isWithinShare(source, of: settings.maxWorkers, busy.values.map(\.source))
    }

    private func isWithinShare(_ source: UploadSource?, of all: Int, _ holders: [UploadSource?]) -> Bool {
        guard let source else { return true }
        let ofAccount = holders.count { $0?.account == source.account }
        guard ofAccount < max(1, all * settings.accountShare / 100) else { return false }
        guard let address = source.address else { return true }
        return holders.count { $0?.address == address } < max(1, all * settings.addressShare / 100)
    }

    /// How many of `holders` are of the same brand, and how many of these from the same address, as one number to
    /// compare.
    private func held(by source: UploadSource?, _ holders: [UploadSource?]) -> Int {
        guard let source else { return 0 }
        let ofAccount = holders.count { $0?.account == source.account }
        let ofAddress = holders.count { $0?.address == source.address }
        return ofAccount * settings.maxWorkers + ofAddress
    }

    private mutating func takeWaiting() -> [any WorkerJob] {
        defer { waiting = [] }
        return waiting.map(\.job)
    }
}
