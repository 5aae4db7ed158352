import EarshotCore
import EarshotDomain
import EarshotModel
import Testing

@Suite struct `A throttle` {
    let start = Timestamp(milliseconds: 1_000_000)
    let rule = LeakyBucket.Rule(burst: 5, refillMs: 6_000)

    @Test func `lets a burst through, refuses the next and says when to come back`() throws {
        let throttle = Throttle(rule)
        for _ in 0..<5 { try throttle.take("dana", at: start) }
        let refused = #expect(throws: Rejection.self) { try throttle.take("dana", at: start) }
        #expect(refused?.code == .rateLimited)
        #expect(refused?.retryAfter == 6)
    }

    @Test func `allows one more after each refill, exactly`() throws {
        let throttle = Throttle(rule)
        for _ in 0..<5 { try throttle.take("dana", at: start) }
        #expect(throws: Rejection.self) { try throttle.take("dana", at: start.adding(milliseconds: 5_999)) }
        try throttle.take("dana", at: start.adding(milliseconds: 6_000))
        #expect(throws: Rejection.self) { try throttle.take("dana", at: start.adding(milliseconds: 6_001)) }
    }

    @Test func `keeps people apart`() throws {
        let throttle = Throttle(LeakyBucket.Rule(burst: 1, refillMs: 1000))
        try throttle.take("dana", at: start)
        try throttle.take("omar", at: start)
    }

    @Test func `whose memory is full of guesses refuses a new name, and forgets the old ones when their time is over`() throws {
        let throttle = Throttle(LeakyBucket.Rule(burst: 1, refillMs: 1000), capacity: 2)
        try throttle.take("a", at: start)
        try throttle.take("b", at: start)
        #expect(throws: Rejection.self) { try throttle.take("c", at: start) }
        try throttle.take("c", at: start.adding(milliseconds: 1000))
    }

    @Test func `is not locked for ever by a clock that was set back`() throws {
        let throttle = Throttle(LeakyBucket.Rule(burst: 1, refillMs: 1000))
        try throttle.take("dana", at: start)
        let past = start.adding(milliseconds: -1_000_000)
        #expect(throws: Rejection.self) { try throttle.take("dana", at: past) }
        try throttle.take("dana", at: past.adding(milliseconds: 1000))
    }

    @Test func `counts within one over ten minutes`() {
        var bucket = LeakyBucket()
        var allowed = 0
        for second in 0..<600 where bucket.take(rule, at: start.adding(milliseconds: Int64(second) * 1000)) == nil { allowed += 1 }
        #expect(abs(allowed - (5 + 100)) <= 1)
    }
}
