public import EarshotCore
public import EarshotModel
import Synchronization

/// Time that moves only when a test says so.
public final class ManualClock: Sendable {
    private let time: Mutex<Timestamp>

    /// Begins at 22 November 2025, 08:00 UTC, unless told otherwise.
    public init(_ start: Timestamp = Timestamp(milliseconds: 1_763_798_400_000)) {
        time = Mutex(start)
    }

    /// The current time.
    public var now: Timestamp { time.withLock { $0 } }

    /// Moves the time forward, or back.
    public func advance(milliseconds: Int64) {
        time.withLock { $0 = $0.adding(milliseconds: milliseconds) }
    }

    /// This clock, and random bytes that are the same in every run with this seed.
    public func environment(seed: UInt64) -> SystemEnvironment {
        let generator = Mutex(SeededGenerator(seed: seed))
        return SystemEnvironment(
            now: { self.now },
            random: { count in
                generator.withLock { generator in (0..<count).map { _ in .random(in: .min ... .max, using: &generator) }
                }
            })
    }
}

/// SplitMix64: random numbers that a seed repeats. For tests only.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates a generator.
    public init(seed: UInt64) {
        state = seed
    }

    /// Returns the next random number.
    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
