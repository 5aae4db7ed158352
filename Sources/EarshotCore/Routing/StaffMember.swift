import EarshotModel

/// One person of the brand: the presence they chose, and whether a page of theirs is open.
struct StaffMember {
    /// How long an agent still counts as present after the last socket closed: enough to reload a page, pass a tunnel,
    /// or restart the server.
    static let graceMs: Int64 = 60_000

    let id: AgentID
    private(set) var name: String
    private(set) var role: Role
    /// The presence they chose last; `nil`: never chosen.
    private(set) var chosen: Presence?
    private var sockets = 0
    /// Since when no socket is open.
    private var goneSince: Timestamp
    /// Since when their account is disabled; `nil`: it is not.
    private var disabledSince: Timestamp?

    init(_ agent: Agent, chosen: Presence?, now: Timestamp) {
        (id, name, role, self.chosen, goneSince) = (agent.id, agent.name, agent.role, chosen, now)
    }

    var isDisabled: Bool { disabledSince != nil }

    /// When they count as offline unless they come back.
    var graceEndsAt: Timestamp { goneSince.adding(milliseconds: Self.graceMs) }

    /// Their presence for routing.
    func presence(at now: Timestamp) -> Presence {
        if let disabledSince { return Presence(state: .offline, since: disabledSince) }
        guard let chosen else { return Presence(state: .away, since: goneSince) }
        guard sockets == 0, now >= graceEndsAt, chosen.state != .offline else { return chosen }
        return Presence(state: .offline, since: goneSince)
    }

    /// Whether their presence changes at the end of the grace period.
    func isInGracePeriod(at now: Timestamp) -> Bool {
        guard sockets == 0, let chosen, chosen.state != .offline else { return false }
        return presence(at: now).state != .offline
    }

    /// Takes over a changed account. After it is enabled again no page is open.
    mutating func update(_ agent: Agent, now: Timestamp) {
        (name, role) = (agent.name, agent.role)
        if agent.isDisabled {
            disabledSince = disabledSince ?? now
        } else if disabledSince != nil {
            (disabledSince, goneSince) = (nil, now.adding(milliseconds: -Self.graceMs))
        }
    }

    mutating func choose(_ presence: Presence) { chosen = presence }

    /// - Parameter change: how many sockets were opened; negative: closed.
    mutating func count(sockets change: Int, now: Timestamp) {
        sockets = max(0, sockets + change)
        if sockets == 0 { goneSince = now }
    }
}

/// The people of a brand, and who of them is within the grace period after leaving.
struct StaffDirectory {
    private var members: [AgentID: StaffMember] = [:]
    private var inGracePeriod: Set<AgentID> = []

    subscript(id: AgentID) -> StaffMember? { members[id] }
    var ids: [AgentID] { Array(members.keys) }
    var active: [StaffMember] { members.values.filter { !$0.isDisabled } }

    /// When the first grace period ends.
    var nextGraceEnd: Timestamp? { inGracePeriod.compactMap { members[$0]?.graceEndsAt }.min() }

    /// These settings with a seat for every agent: agents whom the brand gave no seat take every skill. Managers take
    /// conversations only where the brand gave them a seat; disabled people have none.
    func seats(in settings: ContactCentreSettings) -> ContactCentreSettings {
        var seated = settings
        let skills = settings.skills.map(\.id)
        seated.people.removeAll { members[$0.agent]?.isDisabled == true }
        for member in active.sorted(by: { $0.id < $1.id })
        where member.role.isRoutedWithoutSeat && settings.seat(of: member.id) == nil {
            seated.people.append(Seat(agent: member.id, skills: skills))
        }
        return seated
    }

    /// - Parameter chosen: the presence they chose last, used where they are not known yet.
    mutating func update(_ agent: Agent, chosen: Presence?, now: Timestamp) {
        var member = members[agent.id] ?? StaffMember(agent, chosen: chosen, now: now)
        member.update(agent, now: now)
        members[agent.id] = member
    }

    mutating func choose(_ presence: Presence, agent: AgentID) { members[agent]?.choose(presence) }

    mutating func count(sockets change: Int, of agent: AgentID, now: Timestamp) {
        members[agent]?.count(sockets: change, now: now)
    }

    /// The person's presence now. Notes whether it changes at the end of a grace period.
    mutating func takePresence(of agent: AgentID, now: Timestamp) -> Presence? {
        guard let member = members[agent] else { return nil }
        if member.isInGracePeriod(at: now) { inGracePeriod.insert(agent) } else { inGracePeriod.remove(agent) }
        return member.presence(at: now)
    }

    /// People whose grace period has ended.
    func expired(now: Timestamp) -> Set<AgentID> {
        inGracePeriod.filter { members[$0].map { $0.graceEndsAt <= now } ?? true }
    }
}
