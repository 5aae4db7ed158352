public import EarshotDomain
public import EarshotModel
import Synchronization

/// What others ask of routing. From memory; an account that routing has not met yet has no answer.
extension RoutingDesk {
    /// Fills in what depends on the brand's response times.
    public func complete(_ row: InboxRow, of account: AccountID) -> InboxRow {
        guard row.status != .closed, let due = due(of: row.conversation, in: account) else { return row }
        var row = row
        row.desk = row.desk ?? InboxRow.Desk()
        row.desk?.due = due
        return row
    }

    /// Whether this brand ever set up its centre; without, nothing is promised to anybody.
    public func isSetUp(_ account: AccountID) -> Bool {
        memory.withLock { $0.floors[account]?.centre.isSetUp ?? false }
    }

    /// By when the consumer is to be answered.
    public func due(of conversation: ConversationID, in account: AccountID) -> Timestamp? {
        memory.withLock { $0.floors[account]?.floor.due(of: conversation) }
    }

    /// What a consumer who waits may expect; `nil`: nothing is awaited.
    public func expectation(of conversation: ConversationID, in account: AccountID) -> Expectation? {
        let now = now()
        return memory.withLock { memory -> Expectation? in
            guard let floor = memory.floors[account], let state = floor.states[conversation], floor.centre.isSetUp else { return nil }
            guard state.status == .waiting || state.status == .open, state.unansweredSince != nil || state.care.promise != nil else { return nil }
            let staffed = floor.timetable.staffed(state.care.skill ?? floor.centre.defaultSkill.id)
            let isOpen = staffed.isOpen(at: now)
            // What should have been by now is no promise any more.
            let due = floor.floor.due(of: conversation).flatMap { $0 > now ? $0 : nil }
            return Expectation(
                by: due, position: state.status == .waiting ? floor.floor.position(of: conversation) : nil, open: isOpen,
                opens: isOpen ? nil : staffed.nextOpening(after: now))
        }
    }

    public func colleagues(of account: AccountID) -> [Colleague] {
        let now = now()
        return memory.withLock { memory in
            guard let floor = memory.floors[account] else { return [] }
            return floor.staff.keys.compactMap { floor.colleague($0, now: now) }.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
        }
    }

    public func colleague(_ agent: AgentID, in account: AccountID) -> Colleague? {
        let now = now()
        return memory.withLock { $0.floors[account]?.colleague(agent, now: now) }
    }

    public func wall(of account: AccountID) -> Wall {
        let (now, people) = (now(), colleagues(of: account))
        let lines = memory.withLock { memory -> [Wall.Line] in
            let midnight = Self.midnight(now)
            memory.floors[account]?.forget(before: midnight)
            guard let floor = memory.floors[account] else { return [] }
            let counts = floor.floor.counts(now: now)
            return floor.centre.skills.map { skill in
                let (count, ends) = (counts[skill.id] ?? QueueCount(), floor.endings(of: skill.id, since: midnight))
                let promises = floor.promises(of: skill.id)
                return Wall.Line(
                    skill: skill.id, queued: count.waiting, oldest: count.oldest, unheard: count.unheardMs, assigned: count.assigned,
                    overdue: count.overdue,
                    closed: ends.closed, satisfied: ends.satisfied, rated: ends.rated, answered: promises.answered,
                    kept: promises.kept, online: count.online)
            }
        }
        return Wall(skills: lines, people: people)
    }

    public func explain(_ conversation: ConversationID, in account: AccountID) -> Explanation? {
        let now = now()
        return memory.withLock { $0.floors[account]?.floor.explain(conversation, now: now) }
    }

    /// What a decision of this caller goes by.
    public func context(for caller: Caller, at now: Timestamp, audio: AudioContent? = nil) async throws -> Context {
        try await meet(caller.account)
        return known(caller, at: now, audio)
    }

    /// The same, where the account is known already: for the way of every message.
    public func knownContext(for caller: Caller, at now: Timestamp) -> Context? {
        memory.withLock { $0.floors[caller.account] != nil } ? known(caller, at: now, nil) : nil
    }

    private func known(_ caller: Caller, at now: Timestamp, _ audio: AudioContent?) -> Context {
        memory.withLock { memory in
            guard let floor = memory.floors[caller.account], case .agent(let agent) = caller else {
                return Context(now: now, centre: memory.floors[caller.account]?.centre ?? Centre(), audio: audio)
            }
            return Context(
                now: now, centre: floor.centre, audio: audio, isFull: floor.isFull(agent.id, now: now), colleagues: floor.colleagues)
        }
    }
}

/// Who is there.
extension RoutingDesk {
    /// A page of this agent is open now.
    public func connected(_ agent: AgentID, of account: AccountID) { count(1, agent, account) }

    public func disconnected(_ agent: AgentID, of account: AccountID) { count(-1, agent, account) }

    private func count(_ by: Int, _ agent: AgentID, _ account: AccountID) {
        let now = now()
        memory.withLock { memory in
            memory.sockets[agent, default: 0] += by
            if memory.sockets[agent] == 0 { memory.sockets[agent] = nil }
            memory.floors[account]?.count(sockets: by, of: agent, now: now)
        }
        tell(account, people: [agent])
        wake()
    }

    /// An agent takes work, or does not.
    /// - Throws: `out_of_range` for a reason that the brand does not list.
    public func choose(_ state: Presence.State, reason: String?, as agent: AgentCaller) async throws {
        try await meet(agent.account)
        let reasons = memory.withLock { $0.floors[agent.account]?.centre.silence.awayReasons } ?? []
        if let reason, state != .away || !reasons.contains(reason) {
            throw Rejection(.outOfRange, state == .away ? "The brand does not list this reason." : "Only who is away gives a reason.")
        }
        let now = now()
        let presence = Presence(state: state, reason: reason, since: now)
        try await source.save(presence, of: agent.id, in: agent.account)
        let known = try await accounts.agent(agent.id)
        memory.withLock { memory in
            // Somebody who was added since the floor was made. Whoever is known already is so by what changed them.
            if let known, memory.floors[agent.account]?.staff[agent.id] == nil { memory.know(known, presence, now: now) }
            memory.floors[agent.account]?.choose(presence, agent: agent.id, now: now)
        }
        tell(agent.account, people: [agent.id])
        wake()
    }
}

/// Who they are.
extension RoutingDesk: PeopleListener {
    public func changed(_ agent: Agent) {
        let now = now()
        memory.withLock { $0.know(agent, nil, now: now) }
        tell(agent.account, people: [agent.id])
        wake()
    }
}

extension RoutingDesk.Memory {
    /// Where there is no floor yet it is being made, perhaps of what was read before this.
    fileprivate mutating func know(_ agent: Agent, _ chosen: Presence?, now: Timestamp) {
        if floors[agent.account] == nil { changed[agent.id] = agent } else { floors[agent.account]?.know([(agent, chosen)], now: now) }
    }
}

extension AccountFloor {
    /// Whether one active conversation more is too much. What rings here does not count: one of these is being accepted.
    func isFull(_ agent: AgentID, now: Timestamp) -> Bool {
        let load = floor.load(of: agent, now: now)
        return load.load - load.ringingLoad + centre.capacity.active > load.capacity + centre.capacity.slack
    }
}
