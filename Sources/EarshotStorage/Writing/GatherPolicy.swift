/// Decides how long the writer waits for more writes to batch before it commits. Pure: told what arrived and what time
/// it is, in nanoseconds.
///
/// A commit costs one flush and about 80 µs of CPU however many changes it carries. Alone, a change is committed at
/// once; the busier it gets, the longer the first of a batch waits for the others, so that commits cost at most a tenth
/// of a core and nobody waits longer than `longest`.
struct GatherPolicy: Equatable, Sendable {
    /// The constants, in one place to be tuned by measuring.
    struct Tuning: Equatable, Sendable {
        /// Below so many changes a millisecond each is committed at once.
        var quietRate = 0.4
        /// What a batch waits as soon as it is not quiet.
        var shortest = 500_000.0
        /// What each change a millisecond adds to the wait.
        var perRate = 250_000.0
        var longest = 4_000_000.0
        /// A batch of so many is committed without waiting for more.
        var enough = 256
        /// The rate is an average over about so long.
        var memory = 50_000_000.0
    }

    let tuning: Tuning
    /// Arrivals per millisecond, lately.
    private(set) var rate = 0.0
    private var countedAt: UInt64?

    init(tuning: Tuning = Tuning()) {
        self.tuning = tuning
    }

    /// So many arrived since the last call.
    mutating func count(_ arrivals: Int, at now: UInt64) {
        guard let last = countedAt, now > last else {
            countedAt = countedAt ?? now
            return
        }
        let elapsed = Double(now - last)
        let weight = elapsed / (elapsed + tuning.memory)
        rate += weight * (Double(arrivals) / elapsed * 1_000_000 - rate)
        countedAt = now
    }

    /// Until when to wait for more, if the oldest of `queued` came at `oldest`. In the past, or `oldest` itself: commit
    /// now.
    func deadline(queued: Int, oldest: UInt64) -> UInt64 {
        guard rate > tuning.quietRate, queued < tuning.enough else { return oldest }
        return oldest + UInt64(min(tuning.longest, tuning.shortest + tuning.perRate * rate))
    }
}
