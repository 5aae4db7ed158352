import EarshotDomain
import EarshotModel

/// A day of a contact centre, played by numbers that a seed repeats: consumers come, write and go; agents come, answer,
/// decline, are silent, callback, transfer, call and leave. Every action is done as the log would do it, and looked at
/// before: `DayChecker` knows the rules and nothing of how the engine keeps them.
struct SimulatedDay {
    enum Act {
        case arrive
        case agentActs(AgentID)
        case consumerWrites, consumerLeaves
        case offerAnswered(AgentID, accepts: Bool)
    }

    enum Event {
        case conversation(Int, turn: Int, Act)
        case presence(Int, Presence.State)
        case call(Int, Bool)
    }

    static let start = at("2026-11-22T00:00:00Z")

    var random: RepeatableNumbers
    var engine: RoutingEngine
    var watch: DayChecker
    let conversations: Int
    private var now = SimulatedDay.start
    private var events = EventQueue<Event>()
    private var turns: [Int]
    private(set) var closed = 0

    init(seed: UInt64, agents: Int, conversations: Int) {
        random = RepeatableNumbers(seed: seed)
        let centre = Self.centre(agents, &random)
        engine = RoutingEngine(centre: centre)
        watch = DayChecker(centre)
        self.conversations = conversations
        turns = Array(repeating: 0, count: conversations)
        for agent in 0..<agents { comeAndGo(agent) }
        for index in 0..<conversations {
            events.add(.conversation(index, turn: 0, .arrive), at: Self.start.adding(seconds: any(0, 86_400)))
        }
    }

    /// Plays until everybody has gone home and nothing is open.
    mutating func play() {
        while closed < conversations {
            let next = [events.next, engine.nextDeadline].compactMap { $0 }.min()
            guard let next, next < Self.start.adding(hours: 24 * 7) else { return }
            now = max(now, next)
            while let event = events.take(until: now) { happen(event) }
            settle()
        }
    }

    private mutating func settle() {
        while true {
            let actions = engine.proposeActions(now: now)
            watch.asked()
            if actions.isEmpty { return watch.look(at: engine, now) }
            for action in actions {
                watch.look(at: action, engine, now)
                apply(action)
            }
        }
    }

    private mutating func apply(_ action: ProposedAction) {
        let index = Self.index(action.conversation)
        guard var entry = watch.entries[index] else { return }
        switch action.action {
        case .offer(let to, let until, _):
            entry.agents.offer = .init(to: to, until: until)
            put(index, entry)
            for agent in to { ring(index, agent) }
            return
        case .assign(let agent, _): return give(index, entry, to: agent)
        case .expireOffer:
            entry.agents.refused.formUnion(entry.agents.offer?.to ?? [])
            entry.agents.offer = nil
        case .requeue: requeue(&entry)
        case .releaseReservation: entry.agents.reserved = nil
        case .moveToFallback(let skill): entry.skill = skill
        case .withdraw, .route, .sendMessage, .closeIdle, .closeUnanswered, .resumeClosed, .sendSurvey, .endCall:
            preconditionFailure("the engine does not propose this")
        }
        put(index, entry)
    }

    private mutating func happen(_ event: Event) {
        switch event {
        case .presence(let agent, let state): set(state, Self.agent(agent))
        case .call(let agent, let isOn):
            watch.inCall[Self.agent(agent)] = isOn
            engine.set(inCall: isOn, of: Self.agent(agent))
        case .conversation(let index, let turn, let act):
            guard turn == turns[index] else { return }
            happen(act, index)
        }
    }

    private mutating func happen(_ act: Act, _ index: Int) {
        if case .arrive = act { return arrive(index) }
        guard var entry = watch.entries[index] else { return }
        switch act {
        case .arrive: return
        case .offerAnswered(let agent, let accepts):
            guard entry.agents.offer?.to.contains(agent) == true else { return }
            if accepts { return give(index, entry, to: agent) }
            entry.agents.refused.insert(agent)
            let left = entry.agents.offer!.to.filter { $0 != agent }
            entry.agents.offer = left.isEmpty ? nil : .init(to: left, until: entry.agents.offer!.until)
            place(index, entry)
        case .agentActs(let agent):
            guard watch.presence[agent]?.state == .online || watch.presence[agent]?.state == .occupied else { return }
            agentActs(agent, index, entry)
        case .consumerWrites:
            entry.times.unansweredSince = entry.times.unansweredSince ?? now
            if any(0, 4) == 0 { entry.priority.unplayedMs += any(5, 90) * 1000 }
            put(index, entry)
            if let agent = entry.agents.assignee { later(any(10, 200), index, .agentActs(agent)) }
        case .consumerLeaves:
            watch.close(index)
            engine.remove(Self.id(index))
            closed += 1
        }
    }

    private mutating func arrive(_ index: Int) {
        let skill = watch.centre.skills[any(0, watch.centre.skills.count - 1)].id
        var entry = QueueEntry(
            conversation: Self.id(index), skill: skill, times: .init(queuedAt: now, unansweredSince: now))
        entry.priority.isUrgent = any(0, 19) == 0
        if any(0, 3) == 0 { entry.priority.unplayedMs = any(5, 120) * 1000 }
        if any(0, 4) == 0 { entry.agents.previous = Self.agent(any(0, watch.centre.people.count - 1)) }
        put(index, entry)
    }

    private mutating func agentActs(_ agent: AgentID, _ index: Int, _ before: QueueEntry) {
        var entry = before
        switch any(0, 99) {
        case 0..<4: return
        case 4..<7:
            entry.times.callback = .init(madeAt: now, until: now.adding(minutes: any(5, 120)))
            put(index, entry)
            return later(any(60, 7200), index, .agentActs(agent))
        case 7..<9: requeue(&entry)
        case 9..<12:
            requeue(&entry)
            (entry.skill, entry.priority.transfers, entry.agents.refused) = (
                watch.centre.skills[any(0, watch.centre.skills.count - 1)].id, entry.priority.transfers + 1, []
            )
        case 12..<15:
            requeue(&entry)
            entry.priority.transfers += 1
            entry.agents.reserved = .init(
                agent: Self.agent(any(0, watch.centre.people.count - 1)), until: now.adding(hours: 2))
        default:
            entry.times.answeredAgeMs = entry.times.unansweredSince.map { now.milliseconds - $0.milliseconds } ?? 0
            (
                entry.times.unansweredSince, entry.times.answeredAt, entry.priority.isFirst, entry.times.callback,
                entry.priority.unplayedMs
            ) = (
                nil, now, false, nil, 0
            )
            put(index, entry)
            return later(any(5, 400), index, any(0, 9) < 6 ? .consumerWrites : .consumerLeaves)
        }
        put(index, entry)
    }

    private func requeue(_ entry: inout QueueEntry) {
        entry.agents.refused = entry.agents.assignee.map { [$0] } ?? []
        (entry.agents.previous, entry.agents.assignee, entry.times.assignedAt, entry.times.queuedAt) = (
            entry.agents.assignee, nil, nil, now
        )
    }

    private mutating func give(_ index: Int, _ entry: QueueEntry, to agent: AgentID) {
        var entry = entry
        (
            entry.agents.assignee, entry.times.assignedAt, entry.agents.offer, entry.agents.reserved,
            entry.agents.refused
        ) = (agent, now, nil, nil, [])
        put(index, entry)
        later(any(10, 200), index, .agentActs(agent))
    }

    private mutating func ring(_ index: Int, _ agent: AgentID) {
        let answer = any(0, 99)
        if answer < 80 { later(any(2, 20), index, .offerAnswered(agent, accepts: answer < 65)) }
    }

    private mutating func set(_ state: Presence.State, _ agent: AgentID) {
        watch.presence[agent] = Presence(state: state, since: now)
        engine.set(Presence(state: state, since: now), of: agent, now: now)
    }

    /// Everything that was to happen to it is off.
    private mutating func put(_ index: Int, _ entry: QueueEntry) {
        turns[index] += 1
        place(index, entry)
    }

    private mutating func place(_ index: Int, _ entry: QueueEntry) {
        watch.put(index, entry, now)
        engine.update(entry, now: now)
    }

    private mutating func later(_ seconds: Int, _ index: Int, _ act: Act) {
        events.add(.conversation(index, turn: turns[index], act), at: now.adding(seconds: seconds))
    }

    /// A shift of eight hours with breaks, a lost connection or two, a call or two; at the end of the day everybody is
    /// there until all is done.
    private mutating func comeAndGo(_ agent: Int) {
        let begin = Self.start.adding(seconds: any(0, 57_600))
        events.add(.presence(agent, .offline), at: Self.start)
        for (seconds, state) in [(0, .online), (28_800, .offline)] as [(Int, Presence.State)] {
            events.add(.presence(agent, state), at: begin.adding(seconds: seconds))
        }
        for state in [.away, .occupied, .offline, .offline] as [Presence.State] {
            let from = any(600, 27_000)
            events.add(.presence(agent, state), at: begin.adding(seconds: from))
            events.add(.presence(agent, .online), at: begin.adding(seconds: from + any(10, 900)))
        }
        let call = any(600, 27_000)
        events.add(.call(agent, true), at: begin.adding(seconds: call))
        events.add(.call(agent, false), at: begin.adding(seconds: call + any(60, 900)))
        events.add(.presence(agent, .online), at: Self.start.adding(seconds: 86_400 + agent))
    }

    private mutating func any(_ least: Int, _ most: Int) -> Int {
        least + Int(random.next() % UInt64(most - least + 1))
    }

    static func id(_ index: Int) -> ConversationID { .n("c\(index)") }
    static func agent(_ index: Int) -> AgentID { .n("a\(index)") }
    static func index(_ id: ConversationID) -> Int { Int(id.rawValue.dropFirst())! }

    private static func centre(_ agents: Int, _ random: inout RepeatableNumbers) -> ContactCentreSettings {
        let modes: [AcceptMode] = [.auto, .offer, .offerToAll, .auto, .offer, .auto]
        let skills = modes.indices.map { index in
            Skill.test(index == 0 ? "general" : "s\(index)", modes[index]) {
                ($0.velocity, $0.fallback) = (100 + 20 * index, index == 5 ? .n("general") : nil)
            }
        }
        let seats = (0..<agents).map { index in
            let own = Set(
                (0...(random.next() % 2)).map { _ in skills[Int(random.next() % UInt64(skills.count))].id.rawValue })
            return Seat.test(
                "a\(index)", own.sorted(), capacity: 2 + Int(random.next() % 4),
                speed: [nil, 100, 150, 200][Int(random.next() % 4)])
        }
        return ContactCentreSettings(skills: skills, people: seats)
    }
}

/// What is to happen, the earliest first; at the same moment in the order in which it was noted.
struct EventQueue<Event> {
    private var heap: [(at: Timestamp, number: Int, event: Event)] = []
    private var count = 0

    var next: Timestamp? { heap.first?.at }

    mutating func add(_ event: Event, at moment: Timestamp) {
        count += 1
        heap.append((moment, count, event))
        var child = heap.count - 1
        while child > 0, isBefore(child, (child - 1) / 2) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func take(until now: Timestamp) -> Event? {
        guard let first = heap.first, first.at <= now else { return nil }
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            guard
                let least = [2 * parent + 1, 2 * parent + 2].filter({ $0 < heap.count }).min(by: { isBefore($0, $1) }),
                isBefore(least, parent)
            else { return first.event }
            heap.swapAt(parent, least)
            parent = least
        }
    }

    private func isBefore(_ left: Int, _ right: Int) -> Bool {
        heap[left].at == heap[right].at ? heap[left].number < heap[right].number : heap[left].at < heap[right].at
    }
}
