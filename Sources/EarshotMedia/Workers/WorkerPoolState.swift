import EarshotCore

/// Which workers start, wait and work, and which jobs wait: the pool's bookkeeping, without any process.
struct WorkerPoolState {
    private let settings: WorkerPool.Settings
    private var starting = 0
    private var idle: [(id: Int, assignment: WorkerAssignment)] = []
    private var busy: Set<Int> = []
    /// The busy workers whose recording was still arriving when they got it.
    private var live: Set<Int> = []
    private var waiting: [(ticket: Int, job: any WorkerJob)] = []
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
        if !isComplete, live.count >= settings.maxWorkers - settings.reserved { return .refused }
        while let worker = idle.popLast() {
            guard worker.assignment.resolve(job) else { continue }
            busy.insert(worker.id)
            if !isComplete { live.insert(worker.id) }
            return .assigned
        }
        guard isComplete, waiting.count < settings.maxWaiting else { return .refused }
        lastTicket += 1
        waiting.append((lastTicket, job))
        return .waiting(lastTicket)
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

    /// A worker is ready: it gets the first waiting job, or becomes idle.
    mutating func ready(_ id: Int, _ assignment: WorkerAssignment) {
        starting -= 1
        if let first = waiting.first, assignment.resolve(first.job) {
            waiting.removeFirst()
            busy.insert(id)
        } else {
            idle.append((id, assignment))
        }
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
            busy.remove(id)
            live.remove(id)
            failuresInRow = 0
        }
        return failuresInRow < Self.failuresAllowed ? [] : takeWaiting()
    }

    /// Refuses all further jobs.
    /// - Returns: the waiting jobs, to abandon.
    mutating func close() -> [any WorkerJob] {
        isOpen = false
        return takeWaiting()
    }

    private mutating func takeWaiting() -> [any WorkerJob] {
        defer { waiting = [] }
        return waiting.map(\.job)
    }
}
