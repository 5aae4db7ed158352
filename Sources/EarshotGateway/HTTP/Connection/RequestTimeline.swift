import NIOCore

/// Tracks the requests of a connection and the deadline of the next step. Without I/O: time is an argument.
struct RequestTimeline {
    enum Reading: Hashable {
        /// Between two requests.
        case idle(since: NIODeadline)
        /// Some bytes of a head arrived.
        case head(since: NIODeadline)
        case body(BodyLimits, since: NIODeadline, received: Int)
    }

    enum Verdict: Hashable {
        case fine
        /// No request is open: close without an answer.
        case idleTooLong
        case tooSlow
    }

    private let deadlines: ConnectionDeadlines
    private(set) var reading: Reading
    /// Requests whose answer has not ended.
    private(set) var unanswered = 0

    init(_ deadlines: ConnectionDeadlines, now: NIODeadline) {
        self.deadlines = deadlines
        reading = .head(since: now)
    }

    /// Bytes arrived that completed no part of a request.
    mutating func trickled(now: NIODeadline) {
        if case .idle = reading, unanswered == 0 { reading = .head(since: now) }
    }

    mutating func begin(_ limits: BodyLimits, now: NIODeadline) {
        unanswered += 1
        reading = .body(limits, since: now, received: 0)
    }

    /// - Returns: whether the body is still within its limit.
    mutating func receive(_ count: Int) -> Bool {
        guard case .body(let limits, let since, let received) = reading else { return true }
        reading = .body(limits, since: since, received: received + count)
        return received + count <= limits.bytes
    }

    mutating func endRequest(now: NIODeadline) {
        reading = .idle(since: now)
    }

    mutating func endAnswer(now: NIODeadline) {
        unanswered -= 1
        if case .idle = reading, unanswered == 0 { reading = .idle(since: now) }
    }

    /// How many bytes of the current body may still arrive.
    var outstanding: Int {
        guard case .body(let limits, _, let received) = reading else { return 0 }
        return max(0, limits.bytes - received)
    }

    /// When to check again; `nil` while only the server has something to do.
    var deadline: NIODeadline? {
        switch reading {
        case .idle(let since): unanswered == 0 ? since + deadlines.keepAlive : nil
        case .head(let since): since + deadlines.head
        case .body(let limits, let since, let received): Self.deadline(limits, since, received)
        }
    }

    func verdict(now: NIODeadline) -> Verdict {
        guard let deadline, now >= deadline else { return .fine }
        if case .idle = reading { return .idleTooLong }
        return .tooSlow
    }

    /// The end of the deadline, or the time at which the bytes so far are below the minimum rate.
    private static func deadline(_ limits: BodyLimits, _ since: NIODeadline, _ received: Int) -> NIODeadline {
        guard let rate = limits.minimumRate else { return since + limits.deadline }
        let covered = TimeAmount.milliseconds(Int64(received) * 1000 / Int64(rate))
        return since + min(limits.deadline, BodyLimits.grace + covered)
    }
}
