/// Who works, who waits and who may begin: the pool's bookkeeping, without any process.
struct WorkerPoolState {
    /// Workers to keep ready, and the most that may exist.
    let ahead: Int
    let most: Int
    /// Workers that only recordings which are already complete may get: someone waits for those, and they are over soon.
    let reserved: Int
    let mostWaiting: Int

    private var starting = 0
    private var idle: [(id: Int, offer: WorkerOffer)] = []
    private var busy: Set<Int> = []
    /// Those of the busy ones whose recording was not complete when they got it.
    private var live: Set<Int> = []
    private var waiting: [(ticket: Int, job: any WorkerJob)] = []
    private var failuresInRow = 0
    private var isOpen = true
    private var lastTicket = 0
    private static let failuresAllowed = 3

    enum Submission {
        case given
        /// Waits under this ticket.
        case waiting(Int)
        case refused
    }

    init(ahead: Int, most: Int, reserved: Int, mostWaiting: Int) {
        self.ahead = ahead
        self.most = most
        self.reserved = reserved
        self.mostWaiting = mostWaiting
    }

    /// A recording that is not complete yet gets a worker only if one is free beyond the reserve: it can be decoded when it is complete.
    mutating func submit(_ job: any WorkerJob, isComplete: Bool) -> Submission {
        guard isOpen else { return .refused }
        failuresInRow = min(failuresInRow, Self.failuresAllowed - 1)
        if !isComplete, live.count >= most - reserved { return .refused }
        while let worker = idle.popLast() {
            guard worker.offer.give(job) else { continue }
            busy.insert(worker.id)
            if !isComplete { live.insert(worker.id) }
            return .given
        }
        guard isComplete, waiting.count < mostWaiting else { return .refused }
        lastTicket += 1
        waiting.append((lastTicket, job))
        return .waiting(lastTicket)
    }

    /// Takes back what waits; `nil` where a worker has it.
    mutating func withdraw(_ ticket: Int) -> (any WorkerJob)? {
        guard let index = waiting.firstIndex(where: { $0.ticket == ticket }) else { return nil }
        return waiting.remove(at: index).job
    }

    /// How many workers to start now; they count as starting from here on.
    mutating func takeMissing() -> Int {
        guard isOpen, failuresInRow < Self.failuresAllowed else { return 0 }
        let wanted = max(ahead, waiting.count) - idle.count - starting
        let missing = max(0, min(wanted, most - starting - idle.count - busy.count))
        starting += missing
        return missing
    }

    mutating func ready(_ id: Int, _ offer: WorkerOffer) {
        starting -= 1
        if !waiting.isEmpty, offer.give(waiting[0].job) {
            waiting.removeFirst()
            busy.insert(id)
        } else {
            idle.append((id, offer))
        }
    }

    enum End {
        case neverReady
        case idle
        case served
    }

    /// A worker is gone. What it answers are the jobs that nobody will do: workers fail one after the other.
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

    /// No job is taken any more; what waited is handed back.
    mutating func close() -> [any WorkerJob] {
        isOpen = false
        return takeWaiting()
    }

    private mutating func takeWaiting() -> [any WorkerJob] {
        defer { waiting = [] }
        return waiting.map(\.job)
    }
}
