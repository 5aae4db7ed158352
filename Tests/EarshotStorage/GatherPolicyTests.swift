import Testing

@testable import EarshotStorage

@Suite struct `Gathering a batch` {
    let millisecond: UInt64 = 1_000_000

    @Test func `a lone change is committed at once`() {
        #expect(GatherPolicy().deadline(queued: 1, oldest: 7) == 7)
    }

    @Test func `a trickle is committed at once`() {
        #expect(window(0.2) == 0)
    }

    @Test func `the busier it is the longer a batch waits, and never longer than its limit`() {
        let windows = [1.0, 5.0, 20.0, 1_000.0].map(window)
        #expect(windows == windows.sorted())
        #expect(windows[0] >= 0.4 && windows[0] <= 1, "at 1,000 a second half a millisecond or so: \(windows[0])")
        #expect(windows[2] == 4, "the limit")
        #expect(windows[3] == 4, "the limit")
    }

    @Test func `a batch that is large enough waits for nobody`() {
        let policy = busy(5)
        #expect(policy.deadline(queued: policy.tuning.enough, oldest: 7) == 7)
        #expect(policy.deadline(queued: policy.tuning.enough - 1, oldest: 7) > 7)
    }

    @Test func `what waited through a slow flush is committed at once`() {
        let now = 100 * millisecond
        #expect(busy(1).deadline(queued: 5, oldest: now - 5 * millisecond) < now)
    }

    @Test func `after a silence the first change is alone again`() {
        var policy = busy(10)
        policy.count(0, at: 60_000 * millisecond)
        #expect(policy.deadline(queued: 1, oldest: 7) == 7)
    }

    private func window(_ rate: Double) -> Double {
        Double(busy(rate).deadline(queued: 1, oldest: 0)) / Double(millisecond)
    }

    /// After a second of so many changes a millisecond.
    private func busy(_ rate: Double) -> GatherPolicy {
        var policy = GatherPolicy()
        for step in UInt64(0)...100 { policy.count(Int(rate * 10), at: step * 10 * millisecond) }
        return policy
    }
}
