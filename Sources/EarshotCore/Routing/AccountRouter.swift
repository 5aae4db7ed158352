import EarshotDomain
import EarshotModel

/// Routing of one account: the engine, the scheduler, the people, and today's ends. Synchronous; the service holds it behind its lock. A class, for it is asked far oftener
/// than it changes, and to read a value out of a dictionary is to copy it.
final class AccountRouter {
    /// A change that should be made.
    struct Task {
        let conversation: ConversationID
        let step: Intent
    }

    /// What is meant, before names and words are looked up.
    enum Intent {
        case move(Move)
        case scheduledAction(ScheduledAction)
        /// A conversation that no rule has seen yet.
        case route
    }

    /// How a conversation ended today.
    struct Ending {
        let skill: SkillID
        let csat: Int?
        let at: Timestamp
    }

    let account: AccountID
    private(set) var centre: ContactCentreSettings
    private(set) var timetable: Timetable
    private(set) var engine: RoutingEngine
    private(set) var staff: [AgentID: Staff] = [:]
    /// What each open conversation came to last, for scheduledActions and words.
    private(set) var states: [ConversationID: ConversationState] = [:]
    private(set) var languages: [ConversationID: String] = [:]
    private var scheduler = Scheduler()
    private var endings: [ConversationID: Ending] = [:]
    /// How right the promised times were today; what of it is stored, and since when.
    var etaAccuracy = EtaAccuracy(day: Timestamp(milliseconds: 0))
    var stored: EtaAccuracy?
    var storedAt: Timestamp?
    /// Conversations that should be routed; each is asked once.
    private var unrouted: Set<ConversationID> = []
    /// Whose effective presence may change by time alone.
    private var leaving: Set<AgentID> = []

    init(account: AccountID, centre: ContactCentreSettings) {
        self.account = account
        self.centre = centre
        timetable = Timetable(centre)
        engine = RoutingEngine(centre: centre)
    }

    func set(_ centre: ContactCentreSettings, now: Timestamp) {
        self.centre = centre
        timetable = Timetable(centre)
        engine.set(seated, now: now)
        for (id, state) in states where mustBeRouted(state) { unrouted.insert(id) }
        for id in Array(states.keys) { plan(id) }
    }

    /// The rules come first: before them nobody is asked, and nothing is said, for both depend on the skill.
    private func mustBeRouted(_ state: ConversationState) -> Bool {
        state.routing.skill == nil && state.status == .waiting && centre.isSetUp
    }

    /// Takes over what a commit made of a conversation.
    func follow(_ state: ConversationState, unplayedMs: Int, now: Timestamp) {
        let id = state.identity.id
        forget(before: RoutingService.midnight(now))
        let before = states[id]
        measure(state)
        if var ticket = state.ticket(unplayedMs: unplayedMs, in: centre) {
            states[id] = state
            endings[id] = nil
            ticket.isRouted = !mustBeRouted(state)
            engine.place(ticket, now: now)
            if !ticket.isRouted { unrouted.insert(id) }
        } else {
            engine.remove(id)
            states[id] = state
            if let closed = state.timestamps.closed {
                endings[id] = Ending(
                    skill: state.routing.skill ?? centre.defaultSkill.id, csat: state.routing.csat, at: closed)
            }
        }
        if before?.owes(sameAs: state) != true { plan(id, state) }
    }

    func know(_ language: String, of conversation: ConversationID) {
        languages[conversation] = language
        plan(conversation)
    }

    private func plan(_ id: ConversationID, _ known: ConversationState? = nil) {
        guard let state = known ?? states[id], !mustBeRouted(state) else { return scheduler.set([], of: id) }
        scheduler.set(state.scheduledActions(centre, timetable, language: languages[id]), of: id)
        if state.status == .closed, states[id] != nil, scheduler.isFree(id) { (states[id], languages[id]) = (nil, nil) }
    }

    /// What should be done now. Each is given once until its conversation comes again or `retract` is told.
    func tasks(now: Timestamp) -> [Task] {
        var tasks = unrouted.map { Task(conversation: $0, step: .route) }
        unrouted = []
        tasks += engine.moves(now: now).map { Task(conversation: $0.conversation, step: .move($0)) }
        tasks += scheduler.take(at: now).map { Task(conversation: $0.0, step: .scheduledAction($0.1)) }
        return tasks
    }

    func retract(_ conversation: ConversationID, now: Timestamp) { engine.retract(conversation, now: now) }

    /// The log did not take it: it stands again.
    func again(_ task: Task) {
        switch task.step {
        case .route: unrouted.insert(task.conversation)
        case .scheduledAction: plan(task.conversation)
        case .move: break
        }
    }

    /// When to ask again though nothing happens.
    var nextMoment: Timestamp? {
        ([engine.nextMoment, scheduler.next] + leaving.map { staff[$0]?.leavesAt }).compactMap { $0 }.min()
    }

    /// Of today's ends, those of this skill.
    func endings(of skill: SkillID, since midnight: Timestamp) -> (closed: Int, satisfied: Int, rated: Int) {
        endings.values.reduce(into: (0, 0, 0)) { sum, ending in
            guard ending.skill == skill, ending.at >= midnight else { return }
            sum.0 += 1
            if let csat = ending.csat {
                sum.2 += 1
                sum.1 += csat >= 4 ? 1 : 0
            }
        }
    }

    func promises(of skill: SkillID) -> (answered: Int, kept: Int) { etaAccuracy.sum(of: skill) }

    /// A new day counts anew.
    func forget(before midnight: Timestamp) {
        guard midnight > etaAccuracy.day else { return }
        endings = endings.filter { $0.value.at >= midnight }
        etaAccuracy = EtaAccuracy(day: midnight)
    }
}

/// Who is there.
extension AccountRouter {
    /// These people are the brand's, with what they chose last.
    func know(_ people: [(agent: Agent, chosen: Presence?)], now: Timestamp) {
        let before = seated
        for (agent, chosen) in people {
            var member =
                staff[agent.id]
                ?? Staff(id: agent.id, name: agent.name, role: agent.role, chosen: chosen, goneSince: now)
            member.become(agent, at: now)
            staff[agent.id] = member
        }
        if seated != before { engine.set(seated, now: now) }
        for (agent, _) in people { look(agent.id, now: now) }
    }

    /// The centre with a seat for every agent: one whom the brand gave none takes everything. A manager takes work only where the brand says so, and who is
    /// switched off nowhere.
    private var seated: ContactCentreSettings {
        var seated = centre
        let all = centre.skills.map(\.id)
        seated.people.removeAll { staff[$0.agent]?.offSince != nil }
        for member in staff.values.sorted(by: { $0.id < $1.id })
        where member.role == .agent && member.offSince == nil && centre.seat(of: member.id) == nil {
            seated.people.append(Seat(agent: member.id, skills: all))
        }
        return seated
    }

    func choose(_ presence: Presence, agent: AgentID, now: Timestamp) {
        staff[agent]?.chosen = presence
        look(agent, now: now)
    }

    /// - Parameter by: 1 for a new socket, -1 for one that is gone.
    func count(sockets by: Int, of agent: AgentID, now: Timestamp) {
        guard var member = staff[agent] else { return }
        member.sockets = max(0, member.sockets + by)
        if member.sockets == 0 { member.goneSince = now }
        staff[agent] = member
        look(agent, now: now)
    }

    /// Looks at those whose time of grace may be over.
    /// - Returns: who is somebody else to routing now.
    func lookAtTheLeaving(now: Timestamp) -> Set<AgentID> {
        let over = leaving.filter { staff[$0].map { $0.leavesAt <= now } ?? true }
        for agent in over { look(agent, now: now) }
        return over
    }

    private func look(_ agent: AgentID, now: Timestamp) {
        guard let member = staff[agent] else { return }
        let presence = member.presence(at: now)
        engine.set(presence, of: agent, isSwitchedOff: member.offSince != nil, now: now)
        if member.sockets == 0, let chosen = member.chosen, chosen.state != .offline, presence.state != .offline {
            leaving.insert(agent)
        } else {
            leaving.remove(agent)
        }
    }

    /// Those who work here.
    var colleagues: [AgentID: String] { staff.filter { $0.value.offSince == nil }.mapValues(\.name) }

    func works(_ agent: AgentID) -> Bool { staff[agent].map { $0.offSince == nil } ?? false }

    func colleague(_ agent: AgentID, now: Timestamp) -> Colleague? {
        guard let member = staff[agent], member.offSince == nil else { return nil }
        let load = engine.load(of: agent, now: now)
        return Colleague(
            id: agent, name: member.name, role: member.role, presence: member.presence(at: now),
            skills: centre.seat(of: agent)?.skills ?? (member.role == .agent ? centre.skills.map(\.id) : []),
            load: load.load, capacity: load.capacity / 1000, open: load.conversations)
    }
}

extension ContactCentreSettings {
    /// A brand that never set anything up has no queues yet: whoever wants takes what waits.
    var isSetUp: Bool { version > 1 }
}

extension ConversationState {
    /// Whether the same scheduledActions follow from both: they go by nothing else.
    fileprivate func owes(sameAs other: ConversationState) -> Bool {
        status == other.status && unansweredSince == other.unansweredSince
            && unanswered.isEmpty == other.unanswered.isEmpty && timestamps == other.timestamps
            && routing == other.routing
    }
}
