import EarshotCore
import EarshotModel

/// How the owner of this socket stands with routing.
extension SocketHandler {
    /// The agent whose socket this is.
    var agent: AgentCaller? {
        if case .agent(let agent)? = session.caller { agent } else { nil }
    }

    /// An agent came: routing counts their pages.
    func arrived(_ agent: AgentCaller) {
        countedAs = agent
        services.routing.connected(agent.id, of: agent.account)
        loop.expect(of: agent.account)
        tellMe()
    }

    func departed() {
        guard let agent = countedAs else { return }
        countedAs = nil
        services.routing.disconnected(agent.id, of: agent.account)
    }

    func choose(_ state: Presence.State, _ reason: String?, _ frame: ClientFrame) {
        guard let agent else { return }
        let routing = services.routing
        wait(for: frame) {
            try await routing.choose(state, reason: reason, as: agent)
        } then: { handler, _ in
            handler.tellMe()
        }
    }

    /// Wants to be told of the people, or no longer.
    func want(team: Bool) {
        wantsTeam = team
        guard team, let agent else { return }
        loop.writer.clear()
        loop.writer.rare(.team(services.routing.colleagues(of: agent.account)))
        writeFrame()
    }

    func want(wall: Bool) {
        wantsWall = wall
        guard wall, let agent else { return }
        loop.writer.clear()
        loop.writer.rare(.wall(services.routing.wall(of: agent.account)))
        writeFrame()
    }

    func meMoved() {
        if isDue(toldMeAt) { tellMe() } else { isMeBehind = true }
    }

    func tellMe() {
        guard let agent, canWrite, let me = services.routing.colleague(agent.id, in: agent.account) else {
            isMeBehind = true
            return
        }
        isMeBehind = false
        guard me != toldMe else { return }
        (toldMe, toldMeAt) = (me, loop.now)
        loop.writer.clear()
        loop.writer.rare(.me(me))
        writeFrame()
    }

    /// - Parameter isReturn: the client may show something that is over.
    func beginExpecting(isReturn: Bool) {
        guard let consumer else { return }
        loop.expect(of: consumer.account)
        tellExpectation(isReturn: isReturn)
    }

    func expectMoved() {
        if isDue(expectationToldAt) { tellExpectation() } else { isExpecting = true }
    }

    /// Says what is to be expected, where that is something else than was said.
    func tellExpectation(isReturn: Bool = false) {
        guard let consumer else { return }
        guard canWrite else {
            isExpecting = true
            return
        }
        let known = services.routing.expectation(of: consumer.conversation, in: consumer.account)
        isExpecting = known != nil
        guard known != expectation || (isReturn && services.routing.isSetUp(consumer.account)) else { return }
        (expectation, expectationToldAt) = (known, loop.now)
        loop.writer.clear()
        loop.writer.rare(.expect(known))
        writeFrame()
    }

    var consumer: ConsumerCaller? {
        if case .consumer(let consumer)? = session.caller { consumer } else { nil }
    }

    private func isDue(_ told: Timestamp?) -> Bool {
        told.map { loop.now >= $0.adding(milliseconds: limits.standingMs) } ?? true
    }
}
