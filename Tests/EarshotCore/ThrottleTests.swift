import EarshotDomain
import EarshotModel
import Testing

@testable import EarshotCore

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

    @Test func `whose memory is full of guesses refuses a new name, and forgets the old ones when their time is over`()
        throws
    {
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

    @Test func `forgets names whose time is over, long before its memory is full`() throws {
        let throttle = Throttle(LeakyBucket.Rule(burst: 1, refillMs: 1000), capacity: 1_000_000)
        for number in 0..<100_000 { try throttle.take("\(number)", at: start.adding(milliseconds: Int64(number) * 10)) }
        #expect(throttle.count <= 2_000)
    }

    /// Bar 22: somebody who tries ten times a second for ten minutes, and believes no refusal.
    @Test(arguments: [
        (LeakyBucket.Rule(burst: 60, refillMs: 1_000), 660), (.init(burst: 20, refillMs: 3_000), 220),
        (.init(burst: 5, refillMs: 6_000), 105),
        (.init(burst: 5, refillMs: 30_000), 25),
    ])
    func `counts within one over ten minutes, and what it says of waiting is true`(rule: LeakyBucket.Rule, wanted: Int)
        throws
    {
        let throttle = Throttle(rule)
        var allowed = 0
        for tenth in 0..<6_000 {
            let now = start.adding(milliseconds: Int64(tenth) * 100)
            do {
                try throttle.take("eve", at: now)
                allowed += 1
            } catch {
                #expect(tenth >= rule.burst && error.code == .rateLimited)
                guard tenth % 100 == 0 else { continue }
                let patient = Throttle(rule)
                for _ in 0..<rule.burst { try patient.take("dana", at: now) }
                let wait = try #require(
                    #expect(throws: Rejection.self) { try patient.take("dana", at: now) }?.retryAfter)
                try patient.take("dana", at: now.adding(milliseconds: Int64(wait) * 1000))
            }
        }
        #expect(abs(allowed - wanted) <= 1, "\(allowed)")
    }

    @Test
    func
        `of guesses lets through 5 and then one every 6 s per person, and 50 a minute per address for any account`()
    {
        let logins = LoginLimiter()
        var allowed: [String: Int] = [:]
        for tenth in 0..<6_000 {
            let now = start.adding(milliseconds: Int64(tenth) * 100)
            if (try? logins.admit(person: "dana", from: .address("\(tenth)"), at: now)) != nil {
                allowed["dana", default: 0] += 1
            }
            if (try? logins.admit(person: "\(tenth)", from: .address("eve's"), at: now)) != nil {
                allowed["eve", default: 0] += 1
            }
        }
        #expect(abs(allowed["dana", default: 0] - 105) <= 1)
        #expect(abs(allowed["eve", default: 0] - 540) <= 1)
    }
}
