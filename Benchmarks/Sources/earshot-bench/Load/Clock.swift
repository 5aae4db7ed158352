import Glibc

/// Nanoseconds of the monotonic clock.
func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

let nanosecondsPerSecond: Int64 = 1_000_000_000

/// Sleeps; for waits outside a measurement.
func pause(milliseconds: Int64) {
    var time = timespec(tv_sec: Int(milliseconds / 1000), tv_nsec: Int(milliseconds % 1000) * 1_000_000)
    nanosleep(&time, nil)
}

/// How long, in seconds, a bench waits for something before it fails. It ends a bench that would never end, and says
/// nothing of speed: a debug server on a busy machine needs minutes for what takes a second.
let patience = 900.0

/// Why a measurement failed. There is no figure then.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// A seeded generator (xorshift64*), so that two runs send the same load.
struct Random: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed | 1 }

    mutating func next() -> UInt64 {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return state &* 2_685_821_657_736_338_717
    }

    /// The time to the next of many independent arrivals (a Poisson process), in nanoseconds.
    mutating func interval(perSecond rate: Double) -> Int64 {
        let uniform = Double.random(in: 0..<1, using: &self)
        return Int64(-log(1 - uniform) / rate * Double(nanosecondsPerSecond))
    }
}
