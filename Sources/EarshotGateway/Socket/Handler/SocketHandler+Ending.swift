import EarshotModel
import NIOCore

/// Farewells.
extension SocketHandler {
    /// Says why, closes, and gives the other side a bounded time to do the same.
    func end(_ code: CloseCode?, _ rejection: Rejection?) {
        guard !session.isEnded else { return }
        session.end()
        vitals.ended(at: loop.now, limits)
        release()
        if let rejection {
            loop.writer.clear()
            loop.writer.bye(
                .init(code: rejection.code.rawValue, text: rejection.text, after: returnAfter(code, rejection)))
            writeFrame()
        }
        input.clear()
        if code == .goingAway { closeSoon(.goingAway) } else { buffer(0) { $0.writeClose(code) } }
        guard isReadHeld, let context else { return }
        isReadHeld = false
        context.read()
    }

    /// One that is in the middle of sending reads the `bye` before a close makes its sending fail.
    private func closeSoon(_ code: CloseCode) {
        loop.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(limits.byeMs)) {
            self.loop.turn { _ in self.buffer(0) { $0.writeClose(code) } }
        }
    }

    private func returnAfter(_ code: CloseCode?, _ rejection: Rejection) -> Int? {
        code == .goingAway ? Int.random(in: 0...limits.returnSpreadMs) : rejection.retryAfter.map { $0 * 1000 }
    }

    /// Takes nothing new, waits for the answers that are on their way, and ends.
    func drain() {
        guard drainsSince == nil, !session.isEnded else { return }
        drainsSince = loop.now
        if mayEnd(loop.now) { end(.goingAway, .goingAway) }
    }

    func mayEnd(_ since: Timestamp) -> Bool {
        (commandsInFlight == 0 && !isBusy) || loop.now >= since.adding(milliseconds: limits.drainMs)
    }

    /// Once a second.
    func examine(at now: Timestamp) {
        if owner?.isOver(by: services.identity, at: now) == true { end(.notSignedIn, .notSignedIn) }
        switch vitals.examine(at: now, limits) {
        case .well: break
        case .ping: write(.ping, [])
        case .end(let code): end(code, .reason(of: code))
        case .cut: cut()
        }
        goOn()
    }
}

extension CloseCode {
    /// What a sign-in that was refused so is closed with.
    static func of(_ rejection: Rejection) -> CloseCode {
        switch rejection.code {
        case .notSignedIn: .notSignedIn
        case .suspended: .refused
        default: .goingAway
        }
    }
}

extension Rejection {
    fileprivate static func reason(of code: CloseCode) -> Rejection? {
        switch code {
        case .noHello: .noHello
        case .heartbeatLost: .silent
        case .tooSlow: .tooSlow
        default: nil
        }
    }
}
