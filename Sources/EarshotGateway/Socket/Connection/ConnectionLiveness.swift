import EarshotModel

/// Decides whether a client still answers and takes what is sent to it. Pure: it is told what happens and is asked once
/// a second.
struct ConnectionLiveness {
    enum Verdict: Hashable {
        case alive
        /// Send a ping.
        case ping
        case end(CloseCode)
        /// The client did not close in time: drop the TCP connection.
        case disconnect
    }

    private let opened: Timestamp
    private var lastReceived: Timestamp
    private var lastPing: Timestamp
    private var hasHello = false
    /// Since when the channel is not writable.
    private var blockedSince: Timestamp?
    private var disconnectAt: Timestamp?

    init(at now: Timestamp) {
        (opened, lastReceived, lastPing) = (now, now, now)
    }

    mutating func received(at now: Timestamp) { lastReceived = now }
    mutating func helloReceived() { hasHello = true }

    mutating func writabilityChanged(_ isWritable: Bool, at now: Timestamp) {
        blockedSince = isWritable ? nil : blockedSince ?? now
    }

    /// The connection was told to end: the client has a bounded time to close it.
    mutating func ended(at now: Timestamp, _ limits: SocketLimits) {
        guard disconnectAt == nil else { return }
        disconnectAt = now.adding(milliseconds: blockedSince == nil ? limits.farewellMs : limits.slowFarewellMs)
    }

    /// What to do now.
    mutating func check(at now: Timestamp, _ limits: SocketLimits) -> Verdict {
        if let disconnectAt { return now >= disconnectAt ? .disconnect : .alive }
        if !hasHello, now >= opened.adding(milliseconds: limits.helloMs) { return .end(.noHello) }
        if let blockedSince, now >= blockedSince.adding(milliseconds: limits.slowReaderMs) { return .end(.tooSlow) }
        if now >= lastReceived.adding(milliseconds: limits.silenceMs) { return .end(.heartbeatLost) }
        guard now >= lastPing.adding(milliseconds: limits.pingMs) else { return .alive }
        lastPing = now
        return .ping
    }
}
