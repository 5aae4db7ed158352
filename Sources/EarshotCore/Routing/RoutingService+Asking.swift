public import EarshotDomain
public import EarshotModel
import Synchronization

/// What others ask of routing. From memory; an account that routing has not met yet has no answer.
extension RoutingService {
    /// Fills in what depends on the brand's response times.
    public func complete(_ row: InboxRow, of account: AccountID) -> InboxRow {
        guard row.status != .closed, let due = due(of: row.conversation, in: account) else { return row }
        var row = row
        row.routing = row.routing ?? InboxRow.RoutingInfo()
        row.routing?.due = due
        return row
    }

    /// Whether this brand ever set up its centre; without, nothing is promised to anybody.
    public func isSetUp(_ account: AccountID) -> Bool {
        memory.withLock { $0.routers[account]?.centre.isSetUp ?? false }
    }

    /// By when the consumer is to be answered.
    public func due(of conversation: ConversationID, in account: AccountID) -> Timestamp? {
        memory.withLock { $0.routers[account]?.engine.due(of: conversation) }
    }

    /// What a consumer who waits may expect; `nil`: nothing is awaited.
    public func expectation(of conversation: ConversationID, in account: AccountID) -> Expectation? {
        let now = now()
        return memory.withLock { memory -> Expectation? in
            guard let router = memory.routers[account], let state = router.states[conversation], router.centre.isSetUp
            else { return nil }
            guard state.status == .waiting || state.status == .open,
                state.unansweredSince != nil || state.routing.callback != nil
            else { return nil }
            let staffed = router.timetable.staffed(state.routing.skill ?? router.centre.defaultSkill.id)
            let isOpen = staffed.isOpen(at: now)
            // What should have been by now is no promise any more.
            let due = router.engine.due(of: conversation).flatMap { $0 > now ? $0 : nil }
            return Expectation(
                by: due, position: state.status == .waiting ? router.engine.position(of: conversation) : nil,
                open: isOpen,
                opens: isOpen ? nil : staffed.nextOpening(after: now))
        }
    }

    public func colleagues(of account: AccountID) -> [Colleague] {
        let now = now()
        return memory.withLock { memory in
            guard let router = memory.routers[account] else { return [] }
            return router.staff.keys.compactMap { router.colleague($0, now: now) }.sorted {
                ($0.name, $0.id) < ($1.name, $1.id)
            }
        }
    }

    public func colleague(_ agent: AgentID, in account: AccountID) -> Colleague? {
        let now = now()
        return memory.withLock { $0.routers[account]?.colleague(agent, now: now) }
    }

    public func wall(of account: AccountID) -> Wall {
        let (now, people) = (now(), colleagues(of: account))
        let lines = memory.withLock { memory -> [Wall.Line] in
            let midnight = Self.midnight(now)
            memory.routers[account]?.forget(before: midnight)
            guard let router = memory.routers[account] else { return [] }
            let counts = router.engine.counts(now: now)
            return router.centre.skills.map { skill in
                let (count, ends) = (counts[skill.id] ?? QueueCount(), router.endings(of: skill.id, since: midnight))
                let promises = router.promises(of: skill.id)
                return Wall.Line(
                    skill: skill.id, queued: count.waiting, oldest: count.oldest, unplayed: count.unplayedMs,
                    assigned: count.assigned,
                    overdue: count.overdue,
                    closed: ends.closed, satisfied: ends.satisfied, rated: ends.rated, answered: promises.answered,
                    kept: promises.kept, online: count.online)
            }
        }
        return Wall(skills: lines, people: people)
    }

    public func explain(_ conversation: ConversationID, in account: AccountID) -> Explanation? {
        let now = now()
        return memory.withLock { $0.routers[account]?.engine.explain(conversation, now: now) }
    }

    /// What a decision of this caller goes by.
    public func context(for caller: Caller, at now: Timestamp, audio: AudioContent? = nil) async throws -> Context {
        try await meet(caller.account)
        return known(caller, at: now, audio)
    }

    /// The same, where the account is known already: for the way of every message.
    public func knownContext(for caller: Caller, at now: Timestamp) -> Context? {
        memory.withLock { $0.routers[caller.account] != nil } ? known(caller, at: now, nil) : nil
    }

    private func known(_ caller: Caller, at now: Timestamp, _ audio: AudioContent?) -> Context {
        memory.withLock { memory in
            guard let router = memory.routers[caller.account], case .agent(let agent) = caller else {
                return Context(
                    now: now, centre: memory.routers[caller.account]?.centre ?? ContactCentreSettings(), audio: audio)
            }
            return Context(
                now: now, centre: router.centre, audio: audio, isFull: router.isFull(agent.id, now: now),
                colleagues: router.colleagues)
        }
    }
}

/// Who is there.
extension RoutingService {
    /// A page of this agent is open now.
    public func connected(_ agent: AgentID, of account: AccountID) { count(1, agent, account) }

    public func disconnected(_ agent: AgentID, of account: AccountID) { count(-1, agent, account) }

    private func count(_ by: Int, _ agent: AgentID, _ account: AccountID) {
        let now = now()
        memory.withLock { memory in
            memory.sockets[agent, default: 0] += by
            if memory.sockets[agent] == 0 { memory.sockets[agent] = nil }
            memory.routers[account]?.count(sockets: by, of: agent, now: now)
        }
        tell(account, people: [agent])
        wake()
    }

    /// An agent takes work, or does not.
    /// - Throws: `out_of_range` for a reason that the brand does not list.
    public func choose(_ state: Presence.State, reason: String?, as agent: AgentCaller) async throws {
        try await meet(agent.account)
        let reasons = memory.withLock { $0.routers[agent.account]?.centre.silence.awayReasons } ?? []
        if let reason, state != .away || !reasons.contains(reason) {
            throw Rejection(
                .outOfRange,
                state == .away ? "The brand does not list this reason." : "Only who is away gives a reason.")
        }
        let now = now()
        let presence = Presence(state: state, reason: reason, since: now)
        try await source.save(presence, of: agent.id, in: agent.account)
        let known = try await accounts.agent(agent.id)
        memory.withLock { memory in
            // Somebody who was added since the router was made. Whoever is known already is so by what changed them.
            if let known, memory.routers[agent.account]?.staff[agent.id] == nil {
                memory.know(known, presence, now: now)
            }
            memory.routers[agent.account]?.choose(presence, agent: agent.id, now: now)
        }
        tell(agent.account, people: [agent.id])
        wake()
    }
}

/// Who they are.
extension RoutingService: PeopleListener {
    public func changed(_ agent: Agent) {
        let now = now()
        memory.withLock { $0.know(agent, nil, now: now) }
        tell(agent.account, people: [agent.id])
        wake()
    }
}

extension RoutingService.Memory {
    /// Where there is no router yet it is being made, perhaps of what was read before this.
    fileprivate mutating func know(_ agent: Agent, _ chosen: Presence?, now: Timestamp) {
        if routers[agent.account] == nil {
            changed[agent.id] = agent
        } else {
            routers[agent.account]?.know([(agent, chosen)], now: now)
        }
    }
}

extension AccountRouter {
    /// Whether one active conversation more is too much. What rings here does not count: one of these is being accepted.
    func isFull(_ agent: AgentID, now: Timestamp) -> Bool {
        let load = engine.load(of: agent, now: now)
        return load.load - load.offeredLoad + centre.capacity.active > load.capacity + centre.capacity.slack
    }
}
