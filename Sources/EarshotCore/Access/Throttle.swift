public import EarshotDomain
public import EarshotModel
import Synchronization

/// Leaky buckets by name (an address, an account and e-mail …), in bounded memory.
public final class Throttle: Sendable {
    private let rule: LeakyBucket.Rule
    private let capacity: Int
    private let memory = Mutex(Memory())

    private struct Memory {
        var buckets: [String: LeakyBucket] = [:]
        /// When the memory was last looked through for names that no longer count.
        var swept: Timestamp?
    }

    /// - Parameter capacity: names remembered at a time. When it is full of names that still count, a new name is refused: somebody is guessing.
    public init(_ rule: LeakyBucket.Rule, capacity: Int = 100_000) {
        self.rule = rule
        self.capacity = capacity
    }

    /// Takes one of this name's allowance.
    public func take(_ name: String, at now: Timestamp) throws(Rejection) {
        let wait = memory.withLock { memory -> Int64? in
            if memory.buckets[name] == nil, memory.buckets.count >= capacity { forget(&memory, at: now) }
            guard memory.buckets[name] != nil || memory.buckets.count < capacity else { return rule.refillMs }
            return memory.buckets[name, default: LeakyBucket()].take(rule, at: now)
        }
        guard let wait else { return }
        let seconds = Int((wait + 999) / 1000)
        throw Rejection(.rateLimited, "Too many tries. Try again in \(seconds) s.", retryAfter: seconds)
    }

    /// At most once in the time of one refill: looking through all names for each new one would be work that a guesser makes us do.
    private func forget(_ memory: inout Memory, at now: Timestamp) {
        if let swept = memory.swept, swept <= now, now < swept.adding(milliseconds: rule.refillMs) { return }
        memory.swept = now
        memory.buckets = memory.buckets.filter { _, bucket in
            var bucket = bucket
            return !bucket.isEmpty(at: now)
        }
    }
}
