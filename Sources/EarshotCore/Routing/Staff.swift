import EarshotModel

/// One of the brand's people: what they chose, and whether a page of theirs is open.
struct Staff {
    /// So long after the last socket an agent still counts as there: a page that is loaded anew, a train in a tunnel, a server that restarts.
    static let graceMs: Int64 = 60_000

    let id: AgentID
    var name: String
    var role: Role
    /// `nil`: never chosen.
    var chosen: Presence?
    var sockets = 0
    /// Since when there is no socket.
    var goneSince: Timestamp
    /// Since when they work here no more; `nil`: they do.
    var offSince: Timestamp?

    /// What they are to routing now.
    func presence(at now: Timestamp) -> Presence {
        if let offSince { return Presence(state: .offline, since: offSince) }
        guard let chosen else { return Presence(state: .away, since: goneSince) }
        guard sockets == 0, now >= leavesAt, chosen.state != .offline else { return chosen }
        return Presence(state: .offline, since: goneSince)
    }

    /// Takes over what is known of them. Who is switched on again has no page open, whatever they left behind.
    mutating func become(_ agent: Agent, at now: Timestamp) {
        (name, role) = (agent.name, agent.role)
        if agent.isDisabled {
            offSince = offSince ?? now
        } else if offSince != nil {
            (offSince, goneSince) = (nil, now.adding(milliseconds: -Self.graceMs))
        }
    }

    /// When they count as gone unless they come back.
    var leavesAt: Timestamp { goneSince.adding(milliseconds: Self.graceMs) }
}
