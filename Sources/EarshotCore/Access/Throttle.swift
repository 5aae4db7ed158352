public import EarshotDomain
public import EarshotModel
import Synchronization

/// Leaky buckets by name (an address, an account and e-mail …), in bounded memory.
public final class Throttle: Sendable {
    private let rule: LeakyBucket.Rule
    private let capacity: Int
    private let buckets = Mutex<[String: LeakyBucket]>([:])

    /// - Parameter capacity: names remembered at a time. When it is full of names that still count, a new name is refused: somebody is guessing.
    public init(_ rule: LeakyBucket.Rule, capacity: Int = 100_000) {
        self.rule = rule
        self.capacity = capacity
    }

    /// Takes one of this name's allowance.
    public func take(_ name: String, at now: Timestamp) throws(Rejection) {
        let wait = buckets.withLock { buckets -> Int64? in
            if buckets[name] == nil, buckets.count >= capacity { Self.forget(&buckets, at: now) }
            guard buckets[name] != nil || buckets.count < capacity else { return rule.refillMs }
            return buckets[name, default: LeakyBucket()].take(rule, at: now)
        }
        guard let wait else { return }
        let seconds = Int((wait + 999) / 1000)
        throw Rejection(.rateLimited, "Too many tries. Try again in \(seconds) s.", retryAfter: seconds)
    }

    private static func forget(_ buckets: inout [String: LeakyBucket], at now: Timestamp) {
        for (name, bucket) in buckets {
            var bucket = bucket
            if bucket.isEmpty(at: now) { buckets[name] = nil }
        }
    }
}
