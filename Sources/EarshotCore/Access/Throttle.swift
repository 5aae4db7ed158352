public import EarshotDomain
public import EarshotModel
import Synchronization

/// A rate limiter: one leaky bucket per name (a network address, an account with an e-mail address), in bounded memory.
public final class Throttle: Sendable {
    private let rule: LeakyBucket.Rule
    private let capacity: Int
    private let memory = Mutex(Memory())

    private struct Memory {
        var buckets: [String: LeakyBucket] = [:]
        /// When empty buckets were last removed.
        var purged: Timestamp?
        /// The number of names at which empty buckets are removed next.
        var purgeAt = Throttle.firstPurge
    }

    /// Creates a limiter.
    /// - Parameter capacity: how many names are remembered. While all of them have used some of their allowance, new
    ///   names are refused, because that only happens when someone is guessing.
    public init(_ rule: LeakyBucket.Rule, capacity: Int = 100_000) {
        self.rule = rule
        self.capacity = capacity
    }

    /// Takes one request off a name's allowance.
    /// - Throws: `rate_limited` with the seconds to wait.
    public func take(_ name: String, at now: Timestamp) throws(Rejection) {
        guard let wait = wait(afterTaking: name, at: now) else { return }
        let seconds = Int((wait + 999) / 1000)
        throw Rejection(.rateLimited, "Too many attempts. Try again in \(seconds) s.", retryAfter: seconds)
    }

    /// Takes one request off a name's allowance.
    /// - Returns: `nil` if the request is allowed, otherwise the milliseconds until the next one will be.
    public func wait(afterTaking name: String, at now: Timestamp) -> Int64? {
        memory.withLock { memory in
            if memory.buckets[name] == nil, memory.buckets.count >= min(capacity, memory.purgeAt) {
                removeEmpty(from: &memory, at: now)
            }
            guard memory.buckets[name] != nil || memory.buckets.count < capacity else { return rule.refillMs }
            return memory.buckets[name, default: LeakyBucket()].take(rule, at: now)
        }
    }

    /// How many names are remembered.
    var count: Int { memory.withLock { $0.buckets.count } }

    private static let firstPurge = 1_000

    /// Removes empty buckets, at most once per refill interval, so that an attacker cannot make us scan for every name.
    private func removeEmpty(from memory: inout Memory, at now: Timestamp) {
        if let purged = memory.purged, purged <= now, now < purged.adding(milliseconds: rule.refillMs) { return }
        memory.purged = now
        memory.buckets = memory.buckets.filter { _, bucket in
            var bucket = bucket
            return !bucket.isEmpty(at: now)
        }
        memory.purgeAt = max(Self.firstPurge, memory.buckets.count * 2)
    }
}
