import EarshotModel

/// Performs the frames about the brand's people: `state`, `team` and `wall`.
struct StatusFrames {
    private let connection: SocketConnection

    init(_ connection: SocketConnection) { self.connection = connection }

    func perform(_ frame: ClientFrame) {
        guard let status = connection.agentStatus else { return }
        switch frame {
        case .presence(let state, let reason): status.choose(state, reason, for: frame)
        case .team(let isOn): status.set(.team, isOn)
        case .wall(let isOn): status.set(.wall, isOn)
        default: break
        }
    }
}
