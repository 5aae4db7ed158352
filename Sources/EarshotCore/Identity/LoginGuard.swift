import EarshotDomain
import EarshotModel

/// What stands between a guesser and a password: allowances per person and per address, and few guesses at a time whatever their number.
actor LoginGuard {
    /// 5 at once, then one every 6 s: at most 10 guesses a minute for one person.
    static let perPerson = LeakyBucket.Rule(burst: 5, refillMs: 6_000)
    /// An office behind one address signs in at nine o'clock.
    static let perAddress = LeakyBucket.Rule(burst: 40, refillMs: 1_200)
    /// scrypt takes 64 MiB each: this many at a time, the others wait.
    static let concurrent = 2
    static let waiting = 100

    private nonisolated let persons = Throttle(perPerson)
    private nonisolated let addresses = Throttle(perAddress)
    private var running = 0
    private var queue: [CheckedContinuation<Void, Never>] = []

    nonisolated func admit(person: String, address: String, at now: Timestamp) throws(Rejection) {
        try addresses.take(address, at: now)
        try persons.take(person, at: now)
    }

    /// Runs `work` when it is its turn.
    func inTurn<Value: Sendable>(_ work: @Sendable () async throws -> Value) async throws -> Value {
        if running >= Self.concurrent {
            guard queue.count < Self.waiting else { throw Rejection.unavailable }
            await withCheckedContinuation { queue.append($0) }
        } else {
            running += 1
        }
        defer { next() }
        return try await work()
    }

    /// Hands the turn on, or gives it back.
    private func next() {
        if queue.isEmpty { running -= 1 } else { queue.removeFirst().resume() }
    }
}
