public import EarshotModel

/// A rate limit: `burst` at once, then one every `refillMs` milliseconds. Pure: the caller says what time it is.
public struct LeakyBucket: Hashable, Sendable {
    /// How much a bucket allows.
    public struct Rule: Hashable, Sendable {
        /// How many are allowed at once.
        public let burst: Int
        /// Milliseconds until one more is allowed.
        public let refillMs: Int64

        /// Makes the rule.
        public init(burst: Int, refillMs: Int64) {
            precondition(burst > 0 && refillMs > 0, "a rate limit allows at least one")
            self.burst = burst
            self.refillMs = refillMs
        }
    }

    /// How full it is, in milliseconds of refilling.
    private var level: Int64 = 0
    private var last: Timestamp?

    /// Makes an empty bucket.
    public init() {}

    /// Takes one permit.
    /// - Returns: `nil` when it is allowed, else in how many milliseconds one will be.
    public mutating func take(_ rule: Rule, at now: Timestamp) -> Int64? {
        drain(until: now)
        let full = Int64(rule.burst) * rule.refillMs
        guard level + rule.refillMs <= full else { return level + rule.refillMs - full }
        level += rule.refillMs
        return nil
    }

    /// Whether it is empty, so that it need not be kept.
    public mutating func isEmpty(at now: Timestamp) -> Bool {
        drain(until: now)
        return level == 0
    }

    private mutating func drain(until now: Timestamp) {
        let passed = last.map { max(0, now.milliseconds - $0.milliseconds) } ?? 0
        level = max(0, level - passed)
        // A clock that was set back must not lock anyone out until it catches up.
        last = now
    }
}
