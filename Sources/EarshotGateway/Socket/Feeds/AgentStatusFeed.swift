import EarshotCore
import EarshotModel

/// What one agent's connection receives about the brand's people: the agent's own status, the team, and the wall.
final class AgentStatusFeed {
    /// Topics that a client turns on and off.
    enum Topic {
        case team
        case wall
    }

    private unowned let connection: SocketConnection
    private let agent: AgentCaller
    private var topics: Set<Topic> = []
    /// The own status as it was sent last, and when.
    private var sent: Colleague?
    private var sentAt: Timestamp?
    /// The own status may have changed since it was sent.
    private var isBehind = false

    init(_ connection: SocketConnection, _ agent: AgentCaller) {
        self.connection = connection
        self.agent = agent
    }

    private var routing: RoutingService { connection.services.routing }

    /// Registers the connection with routing, which counts the agent's open pages, and sends the own status.
    func start() {
        routing.connected(agent.id, of: agent.account)
        sendOwnStatus()
    }

    func stop() { routing.disconnected(agent.id, of: agent.account) }

    /// Whether the own status changed, where `people` changed.
    func isAmong(_ people: Set<AgentID>) -> Bool { people.contains(agent.id) }

    // MARK: - The own status

    /// The agent chooses whether to take work.
    func choose(_ state: Presence.State, _ reason: String?, for frame: ClientFrame) {
        let (routing, agent) = (routing, agent)
        connection.wait(for: frame) {
            try await routing.choose(state, reason: reason, as: agent)
        } then: { _ in
            self.sendOwnStatus()
        }
    }

    /// Sends the own status now, or at the next `sendPending` where one was sent a moment ago.
    func ownStatusChanged() {
        if connection.mayResend(after: sentAt) { sendOwnStatus() } else { isBehind = true }
    }

    /// Sends the own status where it is delayed.
    func sendPending() {
        if isBehind { sendOwnStatus() }
    }

    private func sendOwnStatus() {
        guard connection.canWrite, let own = routing.colleague(agent.id, in: agent.account) else {
            isBehind = true
            return
        }
        isBehind = false
        guard own != sent else { return }
        (sent, sentAt) = (own, connection.now)
        connection.write { $0.rare(.me(own)) }
    }

    // MARK: - Topics

    /// Turns a topic on, which sends it at once, or off.
    func set(_ topic: Topic, _ isOn: Bool) {
        guard isOn else {
            topics.remove(topic)
            return
        }
        topics.insert(topic)
        let frame = topic.frame(routing, agent.account)
        connection.write { $0.rare(frame) }
    }

    func wants(_ topic: Topic) -> Bool { topics.contains(topic) }

    /// Writes the frame of a topic, which the event loop composed last, where the client wants it and there is room.
    func writeComposed(_ topic: Topic) {
        if wants(topic), connection.canWrite { connection.writeComposed() }
    }
}

extension AgentStatusFeed.Topic {
    /// The topic's frame as things are now.
    func frame(_ routing: RoutingService, _ account: AccountID) -> ServerFrame {
        switch self {
        case .team: .team(routing.colleagues(of: account))
        case .wall: .wall(routing.wall(of: account))
        }
    }
}
