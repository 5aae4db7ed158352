import EarshotModel

/// One person of the brand: the presence they chose, and whether a page of theirs is open.
struct StaffMember {
    /// How long an agent still counts as present after the last socket closed: enough to reload a page, pass a tunnel,
    /// or restart the server.
    static let graceMs: Int64 = 60_000

    let id: AgentID
    private(set) var name: String
    private(set) var role: Role
    private(set) var profile: ProfileID?
    /// Whether their profile lets them answer.
    private(set) var mayAnswer: Bool
    /// The presence they chose last; `nil`: never chosen.
    private(set) var chosen: Presence?
    private var sockets = 0
    /// Since when no socket is open.
    private var goneSince: Timestamp
    /// Since when their account is disabled; `nil`: it is not.
    private var disabledSince: Timestamp?

    init(_ agent: Agent, mayAnswer: Bool, chosen: Presence?, now: Timestamp) {
        (id, name, role, profile) = (agent.id, agent.name, agent.role, agent.profile)
        (self.mayAnswer, self.chosen, goneSince) = (mayAnswer, chosen, now)
    }

    var isDisabled: Bool { disabledSince != nil }

    /// When they count as offline unless they come back.
    var graceEndsAt: Timestamp { goneSince.adding(milliseconds: Self.graceMs) }

    /// Their presence for routing. Who may not answer is away at best.
    func presence(at now: Timestamp) -> Presence {
        let presence = presenceOfAnyone(at: now)
        guard !mayAnswer, presence.state == .online || presence.state == .occupied else { return presence }
        return Presence(state: .away, since: presence.since)
    }

    private func presenceOfAnyone(at now: Timestamp) -> Presence {
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
    mutating func update(_ agent: Agent, mayAnswer: Bool, now: Timestamp) {
        (name, role, profile, self.mayAnswer) = (agent.name, agent.role, agent.profile, mayAnswer)
        if agent.isDisabled {
            disabledSince = disabledSince ?? now
        } else if disabledSince != nil {
            (disabledSince, goneSince) = (nil, now.adding(milliseconds: -Self.graceMs))
        }
    }

    /// - Returns: whether it is a change.
    mutating func set(mayAnswer: Bool) -> Bool {
        defer { self.mayAnswer = mayAnswer }
        return self.mayAnswer != mayAnswer
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
    /// Whether each of the brand's profiles lets its people answer.
    private var profiles: [ProfileID: Bool] = [:]

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

    /// A profile that is not known yet changes nothing.
    /// - Parameter chosen: the presence they chose last, used where they are not known yet.
    mutating func update(_ agent: Agent, chosen: Presence?, now: Timestamp) {
        let known = agent.profile.map { profiles[$0] ?? members[agent.id]?.mayAnswer ?? false }
        let mayAnswer = known ?? Permission.of(agent.role).contains(.answerConversations)
        var member = members[agent.id] ?? StaffMember(agent, mayAnswer: mayAnswer, chosen: chosen, now: now)
        member.update(agent, mayAnswer: mayAnswer, now: now)
        members[agent.id] = member
    }

    /// Takes over which profiles let their people answer. - Returns: the people for whom that changed.
    mutating func set(_ profiles: [ProfileID: Bool]) -> Set<AgentID> {
        self.profiles = profiles
        var changed: Set<AgentID> = []
        for (id, member) in members {
            guard let profile = member.profile else { continue }
            if members[id]?.set(mayAnswer: profiles[profile] ?? false) == true { changed.insert(id) }
        }
        return changed
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
