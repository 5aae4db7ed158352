import EarshotModel
import NIOCore

/// Bytes in: one frame after the other, as far as this socket may go on.
extension SocketHandler {
    func parse() {
        while canRead, let output = input.read({ parser.next(from: &$0, payload: &loop.payload) }) { take(output) }
    }

    private func take(_ output: FrameParser.Output) {
        switch output {
        // After the farewell nothing more is said (RFC 6455, 5.5.1), and whoever goes on costs no more than the reading of it.
        case .text where session.isEnded, .ping where session.isEnded: break
        case .text: take(session.receive(FrameDecoding.decode(loop.payload), at: loop.now, limits))
        case .ping:
            write(.pong, loop.payload)
            take(session.signal(at: loop.now, limits))
        case .pong: break
        case .close(let code):
            hasPeerClosed = true
            if session.isEnded { cut() } else { end(code, nil) }
        case .violation(let code):
            end(code, nil)
            isBroken = true
        }
    }

    private func take(_ step: SocketSession.Step) {
        switch step {
        case .signIn(let hello):
            vitals.greeted()
            signIn(hello)
        case .perform(let frame, let conversation): perform(frame, in: conversation)
        case .refuse(let refusal): refuse(refusal)
        case .end(let code, let rejection): end(code, rejection)
        case .ignore: break
        }
    }

    /// Goes on where it had to wait: delivers, works on what came, reads more.
    func goOn() {
        if let missed = rowsMissedAfter, canWrite {
            rowsMissedAfter = nil
            feed?.join(after: missed)
        }
        pumpAll()
        parse()
        if let since = drainsSince, mayEnd(since) { end(.goingAway, .goingAway) }
        guard isReadHeld, canRead, let context else { return }
        isReadHeld = false
        context.read()
    }
}
