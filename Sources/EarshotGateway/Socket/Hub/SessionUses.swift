import EarshotCore
import EarshotModel

/// Notes every few minutes that the sockets of one event loop use their sessions: a live socket counts as use. Ends the
/// sockets of a session that was idle for too long, as after a machine was suspended.
final class SessionUses {
    private unowned let loop: SocketLoop
    /// When the use of a session was noted last, by the wall clock.
    private var noted: [[UInt8]: Timestamp] = [:]

    init(_ loop: SocketLoop) { self.loop = loop }

    /// Notes the use of the sessions of these connections where that is due. Called once a second.
    func note(of connections: [SocketConnection]) {
        var live: Set<[UInt8]> = []
        for connection in connections where connection.caller != nil {
            guard let session = connection.owner?.session, live.insert(session).inserted else { continue }
            let idle = connection.services.identity.idle
            guard let now = idle.timeToNote(after: noted[session]) else { continue }
            noted[session] = now
            loop.load {
                try await idle.use(session)
            } then: { [loop] result in
                guard case .failure(let error) = result, (error as? Rejection)?.code == .notSignedIn else { return }
                loop.end(session)
            }
        }
        noted = noted.filter { live.contains($0.key) }
    }
}
