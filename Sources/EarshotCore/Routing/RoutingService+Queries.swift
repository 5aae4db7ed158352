public import EarshotDomain
public import EarshotModel

/// What other services ask of routing. Answered from memory; an account that is not loaded has no answer.
extension RoutingService {
    /// Fills in what depends on the brand's response times.
    public func complete(_ row: InboxRow, of account: AccountID) -> InboxRow {
        guard row.status != .closed, let due = due(of: row.conversation, in: account) else { return row }
        var row = row
        row.routing = row.routing ?? InboxRow.RoutingInfo()
        row.routing?.due = due
        return row
    }

    /// Whether this brand ever changed its settings. Before that, consumers are told no times.
    public func isSetUp(_ account: AccountID) -> Bool { read(account) { $0.settings.isSetUp } ?? false }

    /// When the consumer should have an answer.
    public func due(of conversation: ConversationID, in account: AccountID) -> Timestamp? {
        read(account) { $0.engine.due(of: conversation) } ?? nil
    }

    /// What a waiting consumer may expect; `nil`: they wait for nothing.
    public func expectation(of conversation: ConversationID, in account: AccountID) -> Expectation? {
        let now = now
        return read(account) { router -> Expectation? in
            guard let state = router.state(of: conversation),
                state.status == .waiting || state.status == .open,
                state.unansweredSince != nil || state.routing.callback != nil,
                let entry = router.engine.entry(of: conversation)
            else { return nil }
            let promise = router.timetable.promise(entry, at: now)
            let skill = router.skill(of: state).id
            let isOpen = router.canAnswer(skill, now: now)
            // A brand that never changed its settings promises no times: there is something to say only where an answer
            // is late, or nobody is there and nobody has taken it.
            let isSetUp = router.settings.isSetUp
            guard isSetUp || promise?.isLate == true || (state.status == .waiting && !isOpen) else { return nil }
            let isInQueue = isSetUp && state.status == .waiting && state.routing.reserved == nil
            return Expectation(
                by: isSetUp ? promise?.by : nil, isLate: promise?.isLate == true,
                position: isInQueue ? router.engine.position(of: conversation) : nil, open: isOpen,
                hours: router.hours(skill, now: now))
        } ?? nil
    }

    /// Everyone who works for the brand, by name.
    public func colleagues(of account: AccountID) -> [Colleague] {
        let now = now
        let colleagues = read(account) { router in
            router.staff.ids.compactMap { router.colleague($0, now: now) }
        }
        return (colleagues ?? []).sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }

    /// One person who works for the brand.
    public func colleague(_ agent: AgentID, in account: AccountID) -> Colleague? {
        let now = now
        return read(account) { $0.colleague(agent, now: now) } ?? nil
    }

    /// The figures of every skill, and everyone who works for the brand.
    public func wall(of account: AccountID) -> Wall {
        let now = now
        return Wall(skills: read(account) { $0.wallLines(now: now) } ?? [], people: colleagues(of: account))
    }

    /// The calls of all accounts that their consumers accepted.
    func answeredCalls() -> Set<CallAddress> { Set(all.flatMap { $0.read { $0.answeredCalls } ?? [] }) }

    /// Why a conversation has its position, and which agents would get it.
    public func explain(_ conversation: ConversationID, in account: AccountID) -> Explanation? {
        let now = now
        return read(account) { $0.engine.explain(conversation, now: now) } ?? nil
    }

    /// What a decision of this caller depends on. Loads the account if it is not loaded.
    public func context(for caller: Caller, at now: Timestamp, audio: AudioContent? = nil) async throws -> Context {
        let router = try await loadedRouter(of: caller.account)
        return router.read { $0.context(for: caller, at: now, audio) } ?? Context(now: now, audio: audio)
    }

    /// The same without loading: for every message. `nil`: the account is not loaded.
    public func knownContext(for caller: Caller, at now: Timestamp) -> Context? {
        read(caller.account) { $0.context(for: caller, at: now, nil) }
    }
}

extension RouterState {
    fileprivate func context(for caller: Caller, at now: Timestamp, _ audio: AudioContent?) -> Context {
        guard case .agent(let agent) = caller else { return Context(now: now, centre: settings, audio: audio) }
        var context = Context(
            now: now, centre: settings, audio: audio, isFull: isFull(agent.id, now: now), colleagues: colleagueNames,
            readOnly: readOnlyPeople)
        context.isInCall = isInCall(agent.id)
        return context
    }
}

/// Presence of the brand's people.
extension RoutingService: PeopleListener {
    /// An agent opened a page.
    public func connected(_ agent: AgentID, of account: AccountID) { count(1, agent, account) }

    /// An agent closed a page.
    public func disconnected(_ agent: AgentID, of account: AccountID) { count(-1, agent, account) }

    private func count(_ change: Int, _ agent: AgentID, _ account: AccountID) {
        let router = router(of: account)
        router.count(sockets: change, of: agent)
        wake(router)
    }

    /// An agent sets their presence.
    /// - Throws: `out_of_range` for a reason that the brand does not list, `forbidden` for taking conversations without
    /// the permission to answer.
    public func choose(_ state: Presence.State, reason: String?, as agent: AgentCaller) async throws {
        if state == .online || state == .occupied { try agent.require(.answerConversations) }
        let router = try await loadedRouter(of: agent.account)
        let reasons = router.read { $0.settings.silence.awayReasons } ?? []
        if let reason, state != .away || !reasons.contains(reason) {
            throw Rejection(
                .outOfRange,
                state == .away
                    ? "The brand does not list this reason. Choose one of the list."
                    : "Only the state away takes a reason. Leave the reason out.")
        }
        let presence = Presence(state: state, reason: reason, since: now)
        try await source.save(presence, of: agent.id, in: agent.account)
        router.choose(presence, of: agent.id, known: try await accounts.agent(agent.id))
        wake(router)
    }

    /// An account of one of the brand's people was added or changed.
    public func changed(_ agent: Agent) {
        let router = router(of: agent.account)
        router.update(agent)
        if agent.profile != nil { router.noteProfileChange() }
        wake(router)
    }

    /// The brand changed what its profiles let people do.
    public func changedProfiles(of account: AccountID) {
        let router = router(of: account)
        router.noteProfileChange()
        wake(router)
    }
}
