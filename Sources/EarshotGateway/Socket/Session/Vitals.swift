import EarshotModel

/// Whether somebody is there, and takes what is sent. Pure: told of what happens, and asked every second.
struct Vitals {
    enum Verdict: Hashable {
        case well
        case ping
        case end(CloseCode)
        /// The farewell took too long: cut it.
        case cut
    }

    private let born: Timestamp
    /// When anything came last.
    private var played: Timestamp
    private var pinged: Timestamp
    private var hasGreeted = false
    /// Since when nothing could be written.
    private var stuckSince: Timestamp?
    private var cutAt: Timestamp?

    init(at now: Timestamp) {
        (born, played, pinged) = (now, now, now)
    }

    mutating func hear(at now: Timestamp) { played = now }
    mutating func greeted() { hasGreeted = true }
    mutating func writable(_ isWritable: Bool, at now: Timestamp) { stuckSince = isWritable ? nil : stuckSince ?? now }

    mutating func ended(at now: Timestamp, _ limits: SocketLimits) {
        guard cutAt == nil else { return }
        cutAt = now.adding(milliseconds: stuckSince == nil ? limits.farewellMs : limits.slowFarewellMs)
    }

    mutating func examine(at now: Timestamp, _ limits: SocketLimits) -> Verdict {
        if let cutAt { return now >= cutAt ? .cut : .well }
        if !hasGreeted, now >= born.adding(milliseconds: limits.helloMs) { return .end(.noHello) }
        if let stuckSince, now >= stuckSince.adding(milliseconds: limits.slowReaderMs) { return .end(.tooSlow) }
        if now >= played.adding(milliseconds: limits.silenceMs) { return .end(.heartbeatLost) }
        guard now >= pinged.adding(milliseconds: limits.pingMs) else { return .well }
        pinged = now
        return .ping
    }
}
