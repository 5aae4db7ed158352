import EarshotModel

/// How a connection ends: whether it drains, and what the next flush does to the channel. Pure.
struct SocketEnding {
    /// What becomes of the channel after a flush.
    enum AfterFlush {
        case stayOpen
        case disconnectWhenWritten
        /// Closes our side at once: nothing that the client sends is read.
        case closeOutput
    }

    private var drainingSince: Timestamp?
    private var hasPeerClosed = false
    private var hasPeerBrokenProtocol = false

    /// Whether the connection performs no more frames and ends once its answers are written.
    var isDraining: Bool { drainingSince != nil }

    /// - Returns: `false` where it is draining already.
    mutating func startDraining(at now: Timestamp) -> Bool {
        guard drainingSince == nil else { return false }
        drainingSince = now
        return true
    }

    mutating func peerClosed() { hasPeerClosed = true }
    mutating func peerBrokeProtocol() { hasPeerBrokenProtocol = true }

    /// - Parameter isIdle: nothing of this connection is in flight.
    func mayEndDrain(isIdle: Bool, at now: Timestamp, _ limits: SocketLimits) -> Bool {
        guard let drainingSince else { return false }
        return isIdle || now >= drainingSince.adding(milliseconds: limits.drainMs)
    }

    func afterFlush(isEnded: Bool) -> AfterFlush {
        if isEnded, hasPeerClosed { return .disconnectWhenWritten }
        return hasPeerBrokenProtocol ? .closeOutput : .stayOpen
    }

    /// Milliseconds that the client waits before it connects again. After a drain, clients come back spread over time.
    static func returnAfter(_ code: CloseCode?, _ rejection: Rejection, _ limits: SocketLimits) -> Int? {
        code == .goingAway ? Int.random(in: 0...limits.returnSpreadMs) : rejection.retryAfter.map { $0 * 1000 }
    }
}

extension CloseCode {
    /// The code that closes a connection whose sign-in was refused.
    static func closeCode(for rejection: Rejection) -> CloseCode {
        switch rejection.code {
        case .notSignedIn: .notSignedIn
        case .suspended, .blocked, .originRefused: .refused
        case .rateLimited: .tooManyFrames
        default: .goingAway
        }
    }
}

extension Rejection {
    /// The rejection that explains a close code in `bye`.
    static func reason(for code: CloseCode) -> Rejection? {
        switch code {
        case .noHello: .noHello
        case .heartbeatLost: .silent
        case .tooSlow: .tooSlow
        default: nil
        }
    }

    static let foreignPage = Rejection(
        .originRefused, "The brand's people sign in on Earshot's own pages, not on this site.")
    static let accountChanged = Rejection(
        .unavailable, "Your account changed. Please reconnect.", retryAfter: 1)
    static let noHello = Rejection(.timeout, "No hello frame arrived in time. Connect again and send hello first.")
    static let silent = Rejection(.timeout, "Connection timed out. Please reconnect.")
    static let tooSlow = Rejection(
        .timeout, "The connection is too slow to receive messages. Please reconnect; nothing is lost.", retryAfter: 1)
    static let goingAway = Rejection(
        .unavailable, "Earshot is restarting. Please reconnect in a moment.", retryAfter: 1)
}
