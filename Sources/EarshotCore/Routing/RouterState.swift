import EarshotDomain
import EarshotModel

/// What routing knows about one account, in memory: settings, engine, people, open conversations and scheduled actions.
/// Synchronous; `AccountRouter` guards it with its lock. It is a class because it is read far more often than it
/// changes, and must not be copied.
final class RouterState {
    /// How a conversation ended today.
    private struct Ending {
        let skill: SkillID
        let csat: Int?
        let at: Timestamp
    }

    private(set) var settings: ContactCentreSettings
    private(set) var timetable: Timetable
    private(set) var engine: RoutingEngine
    private(set) var staff = StaffDirectory()
    /// Open conversations, and closed ones for which an action is still scheduled.
    private var states: [ConversationID: ConversationState] = [:]
    private var languages: [ConversationID: String] = [:]
    private var scheduler = ActionScheduler()
    private var endings: [ConversationID: Ending] = [:]
    /// The brand's day of which the counts are.
    private(set) var today: Range<Timestamp>
    private var eta = EtaTracker()
    /// Conversations to which the routing rules must be applied; each is proposed once.
    private var unrouted: Set<ConversationID> = []
    /// The calls that go on or are offered, and who invited to them, by their conversation.
    private var calls: [ConversationID: (call: OngoingCall, agent: AgentID)] = [:]

    init(_ settings: ContactCentreSettings, etaAccuracy: EtaAccuracy?, now: Timestamp) {
        self.settings = settings
        timetable = Timetable(settings)
        engine = RoutingEngine(centre: settings)
        today = Zone.day(of: now, in: settings.zone)
        beginDay(now)
        eta.restore(etaAccuracy)
    }

    // MARK: Changes

    func set(_ settings: ContactCentreSettings, now: Timestamp) {
        self.settings = settings
        timetable = Timetable(settings)
        today = Zone.day(of: now, in: settings.zone)
        engine.set(staff.seats(in: settings), now: now)
        for (id, state) in states where needsRoute(state) { unrouted.insert(id) }
        for id in Array(states.keys) { schedule(id) }
    }

    /// Takes over what a commit made of a conversation.
    func apply(_ state: ConversationState, unplayedMs: Int, now: Timestamp) {
        let id = state.identity.id
        beginDay(now)
        let before = states[id]
        eta.count(state, before: before, due: engine.due(of: id), default: settings.defaultSkill.id)
        states[id] = state
        if var entry = QueueEntry(state, unplayedMs: unplayedMs, in: settings) {
            endings[id] = nil
            entry.isRouted = !needsRoute(state)
            engine.update(entry, now: now)
            if !entry.isRouted { unrouted.insert(id) }
        } else {
            engine.remove(id)
            if let closed = state.timestamps.closed {
                endings[id] = Ending(
                    skill: state.routing.skill ?? settings.defaultSkill.id, csat: state.routing.csat, at: closed)
            }
        }
        noteCall(of: state)
        if before?.schedulesTheSame(as: state) != true { schedule(id) }
    }

    /// A person who is in a call gets no other conversation meanwhile.
    private func noteCall(of state: ConversationState) {
        let id = state.identity.id
        let before = calls[id]
        let call = state.routing.call.flatMap { call in state.person(call.by)?.id.map { (call, $0) } }
        guard before?.call != call?.0 else { return }
        calls[id] = call
        for person in Set([before?.agent, call?.1].compactMap(\.self)) {
            engine.set(inCall: isInCall(person), of: person)
        }
    }

    /// At start: takes over an unfinished conversation.
    func recover(_ conversation: UnfinishedConversation, now: Timestamp) {
        eta.recover(conversation.state, timetable, default: settings.defaultSkill.id)
        apply(conversation.state, unplayedMs: conversation.unplayedMs, now: now)
    }

    func set(language: String, of conversation: ConversationID) {
        languages[conversation] = language
        schedule(conversation)
    }

    /// The routing rules come first: before them no agent is asked and no message is sent, because both depend on the
    /// skill.
    private func needsRoute(_ state: ConversationState) -> Bool {
        state.routing.skill == nil && state.status == .waiting && settings.isSetUp
    }

    private func schedule(_ id: ConversationID) {
        guard let state = states[id], !needsRoute(state) else { return scheduler.set([], of: id) }
        scheduler.set(state.scheduledActions(settings, timetable, language: languages[id]), of: id)
        if state.status == .closed, scheduler.isEmpty(id) { (states[id], languages[id]) = (nil, nil) }
    }

    /// Forgets the counts of the day before, once the brand's midnight has passed.
    func beginDay(_ now: Timestamp) {
        if !today.contains(now) { today = Zone.day(of: now, in: settings.zone) }
        if eta.begin(day: today.lowerBound) { endings = endings.filter { $0.value.at >= today.lowerBound } }
    }

    // MARK: Actions

    /// Returns what should be done now. Each action is returned once until its conversation changes, or `retract` or
    /// `repeatAction` is called.
    func proposeActions(now: Timestamp) -> [ProposedAction] {
        var actions = unrouted.map { ProposedAction($0, .route) }
        unrouted = []
        actions += engine.proposeActions(now: now)
        actions += scheduler.takeDue(now: now)
        return actions
    }

    func retract(_ conversation: ConversationID, now: Timestamp) { engine.retract(conversation, now: now) }

    /// The log could not take the action: it is proposed again.
    func repeatAction(_ proposed: ProposedAction) {
        switch proposed.action {
        case .route: unrouted.insert(proposed.conversation)
        case .sendMessage, .closeIdle, .closeUnanswered, .resumeClosed, .sendSurvey, .endCall:
            schedule(proposed.conversation)
        default: break
        }
    }

    /// When to ask for actions again if nothing happens before.
    var nextMoment: Timestamp? {
        [engine.nextDeadline, scheduler.next, staff.nextGraceEnd, eta.nextSave].compactMap { $0 }.min()
    }

    // MARK: People

    /// Takes over which profiles let their people answer. - Returns: the people for whom that changed.
    func set(_ profiles: [ProfileID: Bool], now: Timestamp) -> Set<AgentID> {
        let changed = staff.set(profiles)
        for agent in changed { updatePresence(of: agent, now: now) }
        return changed
    }

    /// Takes over these people, with the presence that they chose last.
    func update(_ people: [(agent: Agent, chosen: Presence?)], now: Timestamp) {
        let before = staff.seats(in: settings)
        for (agent, chosen) in people { staff.update(agent, chosen: chosen, now: now) }
        let seated = staff.seats(in: settings)
        if seated != before { engine.set(seated, now: now) }
        for (agent, _) in people { updatePresence(of: agent.id, now: now) }
    }

    func choose(_ presence: Presence, agent: AgentID, now: Timestamp) {
        staff.choose(presence, agent: agent)
        updatePresence(of: agent, now: now)
    }

    /// - Parameter change: how many sockets were opened; negative: closed.
    func count(sockets change: Int, of agent: AgentID, now: Timestamp) {
        staff.count(sockets: change, of: agent, now: now)
        updatePresence(of: agent, now: now)
    }

    /// Ends grace periods that are over. - Returns: the people whose presence changed.
    func expireGracePeriods(now: Timestamp) -> Set<AgentID> {
        let expired = staff.expired(now: now)
        for agent in expired { updatePresence(of: agent, now: now) }
        return expired
    }

    private func updatePresence(of agent: AgentID, now: Timestamp) {
        guard let presence = staff.takePresence(of: agent, now: now), let member = staff[agent] else { return }
        engine.set(
            presence, of: agent, isSwitchedOff: member.isDisabled, mayAnswer: member.isDisabled || member.mayAnswer,
            now: now)
    }

    // MARK: Saving

    func unsavedEtaAccuracy(now: Timestamp, isLast: Bool) -> EtaAccuracy? { eta.unsaved(now: now, isLast: isLast) }

    func noteSaved(_ accuracy: EtaAccuracy, now: Timestamp) { eta.noteSaved(accuracy, now: now) }

    // MARK: Queries

    var conversations: Set<ConversationID> { Set(states.keys) }

    func state(of conversation: ConversationID) -> ConversationState? { states[conversation] }

    /// The skill whose queue a conversation is in.
    func skill(of state: ConversationState) -> Skill {
        state.routing.skill.flatMap(settings.skill) ?? settings.defaultSkill
    }

    /// Whether this person works for the brand, their account is not disabled, and their profile lets them answer.
    func mayAnswer(_ agent: AgentID) -> Bool { staff[agent].map { !$0.isDisabled && $0.mayAnswer } ?? false }

    /// Everyone who works for the brand but may not answer.
    var readOnlyPeople: Set<AgentID> { Set(staff.active.filter { !$0.mayAnswer }.map(\.id)) }

    /// Whether this person is in a call, or invites to one.
    func isInCall(_ agent: AgentID) -> Bool { calls.values.contains { $0.agent == agent } }

    /// The calls that the consumer accepted.
    var answeredCalls: [CallAddress] {
        calls.filter { $1.call.answeredAt != nil }.map { CallAddress($0, $1.call.number) }
    }

    /// The names of everyone who works for the brand.
    var colleagueNames: [AgentID: String] {
        Dictionary(staff.active.map { ($0.id, $0.name) }) { first, _ in first }
    }

    func colleague(_ agent: AgentID, now: Timestamp) -> Colleague? {
        guard let member = staff[agent], !member.isDisabled else { return nil }
        let load = engine.load(of: agent, now: now)
        return Colleague(
            id: agent, name: member.name, role: member.role, presence: member.presence(at: now),
            skills: settings.seat(of: agent)?.skills
                ?? (member.role.isRoutedWithoutSeat ? settings.skills.map(\.id) : []),
            load: load.load, capacity: load.capacity / 1000, open: load.conversations,
            isReadOnly: member.mayAnswer ? nil : true)
    }

    /// Whether one more active conversation is too much. Offers do not count, because one of them is being accepted.
    func isFull(_ agent: AgentID, now: Timestamp) -> Bool {
        let load = engine.load(of: agent, now: now)
        return load.load - load.offeredLoad + settings.capacity.active > load.capacity + settings.capacity.slack
    }

    /// Whether somebody can answer a conversation of this skill now: within its hours, and a person who may answer is
    /// online. Who has no seat is asked by nobody, but sees every queue.
    func canAnswer(_ skill: SkillID, now: Timestamp) -> Bool {
        guard timetable.staffed(skill).isOpen(at: now) else { return false }
        return engine.isAnybodyOnline(for: skill)
            || staff.active.contains {
                $0.mayAnswer && settings.seat(of: $0.id) == nil && $0.presence(at: now).state == .online
            }
    }

    /// The opening hours of a skill at this moment.
    func hours(_ skill: SkillID, now: Timestamp) -> OpeningState {
        let staffed = timetable.staffed(skill)
        let isOpen = staffed.isOpen(at: now)
        return OpeningState(open: isOpen, opens: isOpen ? nil : staffed.nextOpening(after: now))
    }

    /// The figures of every skill for the wall.
    func wallLines(now: Timestamp) -> [Wall.Line] {
        beginDay(now)
        let counts = engine.counts(now: now)
        return settings.skills.map { skill in
            let count = counts[skill.id] ?? QueueCount()
            let ended = endings.values.filter { $0.skill == skill.id && $0.at >= today.lowerBound }
            let ratings = ended.compactMap(\.csat)
            // A brand that was never set up tells consumers no times.
            let answers = settings.isSetUp ? eta.sum(of: skill.id) : (answered: 0, kept: 0)
            return Wall.Line(
                skill: skill.id, queued: count.waiting, oldest: count.oldest, unplayed: count.unplayedMs,
                assigned: count.assigned, overdue: count.overdue, closed: ended.count,
                satisfied: ratings.count { $0 >= 4 }, rated: ratings.count, answered: answers.answered,
                kept: answers.kept, broken: settings.isSetUp ? count.overdue : 0, online: count.online)
        }
    }
}

extension ContactCentreSettings {
    /// The time zone in which the brand's day begins: that of the default skill's opening hours, or of the first; UTC
    /// where there are none.
    var zone: String { (hours.first { $0.id == defaultSkill.hours } ?? hours.first)?.zone ?? "UTC" }

    /// Whether the brand ever changed its settings. Before that there are no queues: any agent takes any conversation.
    var isSetUp: Bool { version > 1 }
}

extension ConversationState {
    /// Whether the same actions are scheduled for both states: they depend on nothing else.
    fileprivate func schedulesTheSame(as other: ConversationState) -> Bool {
        status == other.status && unansweredSince == other.unansweredSince
            && unanswered.isEmpty == other.unanswered.isEmpty && timestamps == other.timestamps
            && routing == other.routing && lastActiveDay == other.lastActiveDay
    }
}
