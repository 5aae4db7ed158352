public import EarshotModel

/// A rate limit: `burst` at once, then one every `refillMs` milliseconds. Pure: the caller says what time it is.
public struct LeakyBucket: Hashable, Sendable {
    public struct Rule: Hashable, Sendable {
        public let burst: Int
        /// Milliseconds until one more is allowed.
        public let refillMs: Int64

        public init(burst: Int, refillMs: Int64) {
            precondition(burst > 0 && refillMs > 0, "a bucket lets something through")
            self.burst = burst
            self.refillMs = refillMs
        }
    }

    /// How full it is, in milliseconds of refilling.
    private var level: Int64 = 0
    private var last: Timestamp?

    public init() {}

    /// Takes one.
    /// - Returns: `nil` when it is allowed, else in how many milliseconds one will be.
    public mutating func take(_ rule: Rule, at now: Timestamp) -> Int64? {
        drain(until: now)
        let full = Int64(rule.burst) * rule.refillMs
        guard level + rule.refillMs <= full else { return level + rule.refillMs - full }
        level += rule.refillMs
        return nil
    }

    /// Whether it holds nothing any more, so that it need not be remembered.
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
