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
        /// When the memory was last looked through for names that no longer count, and at how many names it is again.
        var swept: Timestamp?
        var sweepAt = Throttle.firstSweep
    }

    /// - Parameter capacity: names remembered at a time. When it is full of names that still count, a new name is refused: somebody is guessing.
    public init(_ rule: LeakyBucket.Rule, capacity: Int = 100_000) {
        self.rule = rule
        self.capacity = capacity
    }

    /// Takes one of this name's allowance.
    public func take(_ name: String, at now: Timestamp) throws(Rejection) {
        guard let wait = wait(afterTaking: name, at: now) else { return }
        let seconds = Int((wait + 999) / 1000)
        throw Rejection(.rateLimited, "Too many tries. Try again in \(seconds) s.", retryAfter: seconds)
    }

    /// The same, for whoever says it otherwise.
    /// - Returns: `nil` when it is allowed, else in how many milliseconds one will be.
    public func wait(afterTaking name: String, at now: Timestamp) -> Int64? {
        memory.withLock { memory in
            if memory.buckets[name] == nil, memory.buckets.count >= min(capacity, memory.sweepAt) {
                forget(&memory, at: now)
            }
            guard memory.buckets[name] != nil || memory.buckets.count < capacity else { return rule.refillMs }
            return memory.buckets[name, default: LeakyBucket()].take(rule, at: now)
        }
    }

    /// Names remembered now.
    var count: Int { memory.withLock { $0.buckets.count } }

    private static let firstSweep = 1_000

    /// At most once in the time of one refill: looking through all names for each new one would be work that a guesser makes us do.
    private func forget(_ memory: inout Memory, at now: Timestamp) {
        if let swept = memory.swept, swept <= now, now < swept.adding(milliseconds: rule.refillMs) { return }
        memory.swept = now
        memory.buckets = memory.buckets.filter { _, bucket in
            var bucket = bucket
            return !bucket.isEmpty(at: now)
        }
        memory.sweepAt = max(Self.firstSweep, memory.buckets.count * 2)
    }
}
