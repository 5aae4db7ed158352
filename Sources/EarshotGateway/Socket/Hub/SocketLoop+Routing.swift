import EarshotCore
import EarshotModel
import NIOCore

/// What routing says to the sockets of one event loop. A moved conversation or person is told at once where nothing was told within the last second; what comes
/// faster waits for the second's end.
extension SocketLoop {
    func take(_ moved: Moved, in account: AccountID, routing: RoutingService) {
        standings[account, default: Standings()].isDirty = true
        feed(known: account)?.moved(moved.conversations, routing)
        for socket in Array(agents(of: account)) where socket.agent.map({ moved.people.contains($0.id) }) ?? false {
            socket.meMoved()
        }
        for conversation in moved.conversations { for socket in consumers(of: conversation) { socket.expectMoved() } }
    }

    /// Once a second: what everybody waits for.
    func tellStandings(routing: RoutingService, at now: Timestamp) {
        for (account, standing) in standings {
            let isLate = standing.lookedAt.map { now >= $0.adding(milliseconds: limits.expectMs) } ?? true
            guard standing.isDirty || isLate else { continue }
            standings[account] = Standings(isDirty: false, lookedAt: now)
            tellExpectations(of: account, routing)
            if standing.isDirty { tellPeople(of: account, routing) }
        }
    }

    private func tellExpectations(of account: AccountID, _ routing: RoutingService) {
        for socket in waiting(of: account) { socket.tellExpectation() }
    }

    private func tellPeople(of account: AccountID, _ routing: RoutingService) {
        let sockets = Array(agents(of: account))
        for socket in sockets where socket.isMeBehind { socket.tellMe() }
        if sockets.contains(where: \.wantsTeam) {
            writer.clear()
            writer.rare(.team(routing.colleagues(of: account)))
            for socket in sockets where socket.wantsTeam && socket.canWrite { socket.writeFrame() }
        }
        if sockets.contains(where: \.wantsWall) {
            writer.clear()
            writer.rare(.wall(routing.wall(of: account)))
            for socket in sockets where socket.wantsWall && socket.canWrite { socket.writeFrame() }
        }
    }

    /// The centre was changed.
    func tell(_ version: Int, of account: AccountID) {
        writer.clear()
        writer.rare(.centre(version))
        for socket in agents(of: account) where socket.canWrite { socket.writeFrame() }
        feed(known: account)?.readAnew()
    }

    /// Since when an account's standings were looked at.
    struct Standings {
        var isDirty = true
        var lookedAt: Timestamp?
    }
}
