import EarshotDomain
import EarshotModel
import Testing

/// Holds every action of a day against the rules, by looking at everything: it keeps no queues and no loads, only
/// entries by agent.
struct DayChecker {
    let centre: ContactCentreSettings
    let timetable: Timetable
    private let seats: [AgentID: Seat]
    private(set) var entries: [Int: QueueEntry] = [:]
    var presence: [AgentID: Presence] = [:]
    var inCall: [AgentID: Bool] = [:]
    private var theirs: [AgentID: Set<Int>] = [:]
    private var waiting: [SkillID: Set<Int>] = [:]
    private var pauses: [AgentID: Timestamp] = [:]
    /// Those who got an offer or had it: the engine may remember more of them than the entry.
    private var touched: Set<Int> = []
    /// What came since the engine was asked: it has not been looked at.
    private var unseen: Set<Int> = []
    private(set) var failures = 0
    /// How often what happened.
    private(set) var seen: [String: Int] = [:]

    init(_ centre: ContactCentreSettings) {
        self.centre = centre
        timetable = Timetable(centre)
        seats = Dictionary(uniqueKeysWithValues: centre.people.map { ($0.agent, $0) })
    }

    mutating func put(_ index: Int, _ entry: QueueEntry, _ now: Timestamp) {
        close(index)
        entries[index] = entry
        unseen.insert(index)
        for agent in Self.agents(of: entry) { theirs[agent, default: []].insert(index) }
        if entry.agents.assignee == nil { waiting[entry.skill, default: []].insert(index) }
        if !entry.agents.refused.isEmpty || entry.agents.offer != nil { touched.insert(index) }
        if let agent = entry.agents.assignee, let until = centre.capacity.pauseUntil(entry) {
            pauses[agent] = max(pauses[agent] ?? until, until)
        }
    }

    mutating func close(_ index: Int) {
        guard let entry = entries.removeValue(forKey: index) else { return }
        for agent in Self.agents(of: entry) { theirs[agent]?.remove(index) }
        waiting[entry.skill]?.remove(index)
    }

    /// The engine has been asked.
    mutating func asked() { unseen.removeAll() }

    /// Before a action is done: whether it may be.
    mutating func look(at action: ProposedAction, _ engine: RoutingEngine, _ now: Timestamp) {
        let index = SimulatedDay.index(action.conversation)
        guard let entry = entries[index] else { return fail("\(action) of what is not open") }
        seen[Self.name(action), default: 0] += 1
        switch action.action {
        case .assign(let agent, let why): given(entry, index, to: [agent], why, now)
        case .offer(let to, let until, let why):
            if until <= now { fail("a ring that is over when it begins") }
            given(entry, index, to: to, why, now)
        case .requeue:
            if entry.agents.assignee == nil || (entry.times.unansweredSince == nil && entry.times.callback == nil) {
                fail("\(action) of what waits for nobody")
            }
        case .expireOffer: if entry.agents.offer == nil { fail("\(action) of what does not ring") }
        case .releaseReservation: if entry.agents.reserved == nil { fail("\(action) of what is meant for nobody") }
        case .moveToFallback:
            let others = centre.people.filter {
                $0.skills.contains(entry.skill) && presence[$0.agent]?.state == .online
            }
            if !others.isEmpty || !entry.priority.isFirst || entry.priority.transfers > 0 {
                fail("\(action), though it is not new or somebody is there")
            }
        case .withdraw, .route, .sendMessage, .closeIdle, .closeUnanswered, .resumeClosed, .sendSurvey, .endCall:
            fail("the engine does not propose \(action)")
        }
    }

    /// Between the actions: whether one was left out. Now and then, for it looks at everything.
    mutating func look(at engine: RoutingEngine, _ now: Timestamp) {
        seen["timestamps", default: 0] += 1
        guard seen["timestamps", default: 0] % 997 == 0 else { return }
        for (skill, indices) in waiting {
            let free = centre.people.filter {
                $0.skills.contains(skill) && isFree($0.agent, now) && presence[$0.agent]?.state == .online
            }
            for index in indices where !touched.contains(index) {
                guard let entry = entries[index], entry.agents.reserved == nil, !isSnoozed(entry, now) else { continue }
                if let agent = free.first(where: { fits(entry, $0.agent, now) }) {
                    fail("\(index) waits, though \(agent.agent) could have it")
                }
            }
            // Places are one after the other, and the first of them is the best.
            let places = indices.compactMap { engine.position(of: SimulatedDay.id($0)) }.sorted()
            if places != Array(1..<(indices.count + 1)) { fail("the places of \(skill) are \(places.prefix(9))…") }
        }
        for seat in centre.people
        where load(of: seat.agent, now) != engine.load(of: seat.agent, now: now).load && inCall[seat.agent] != true {
            fail("\(seat.agent) has \(load(of: seat.agent, now)), not \(engine.load(of: seat.agent, now: now).load)")
        }
    }

    private mutating func given(
        _ entry: QueueEntry, _ index: Int, to agents: [AgentID], _ why: RoutingAction.Reason, _ now: Timestamp
    ) {
        if entry.agents.assignee != nil || entry.agents.offer != nil { fail("\(index) has an agent, or rings") }
        if isSnoozed(entry, now) { fail("\(index) is put off") }
        if agents.isEmpty { fail("nobody is asked") }
        for agent in agents { mayHave(entry, agent, why, now) }
        if let agent = agents.first, why == .leastLoaded || why == .previousAgent, agents.count == 1 {
            isBest(entry, agent, why, now)
        }
    }

    private mutating func mayHave(_ entry: QueueEntry, _ agent: AgentID, _ why: RoutingAction.Reason, _ now: Timestamp)
    {
        let state = presence[agent]?.state
        let isMeant = why == .reserved && entry.agents.reserved?.agent == agent
        if !(state == .online || state == .occupied && isMeant) { fail("\(agent) is not there") }
        if !isMeant, seats[agent]?.skills.contains(entry.skill) != true || entry.agents.reserved != nil {
            fail("\(agent) is not who it is for")
        }
        if !isFree(agent, now) { fail("\(agent) is in a call, or pauses") }
        if !fits(entry, agent, now) { fail("\(agent) is full: \(load(of: agent, now))") }
    }

    /// No conversation that the agent could have had goes before it in its queue, and nobody who could have had it has
    /// less to do.
    private mutating func isBest(_ entry: QueueEntry, _ agent: AgentID, _ why: RoutingAction.Reason, _ now: Timestamp) {
        for index in waiting[entry.skill] ?? [] where !touched.contains(index) && !unseen.contains(index) {
            guard let other = entries[index], other.agents.offer == nil, other.agents.reserved == nil,
                !isSnoozed(other, now)
            else {
                continue
            }
            if isBefore(other, entry), fits(other, agent, now) {
                fail("\(agent) gets \(entry.conversation), not \(index)")
            }
        }
        guard why == .leastLoaded, touched.contains(SimulatedDay.index(entry.conversation)) == false else { return }
        for seat in centre.people
        where seat.skills.contains(entry.skill) && presence[seat.agent]?.state == .online && isFree(seat.agent, now) {
            if share(seat.agent, now) < share(agent, now), fits(entry, seat.agent, now) {
                fail("\(seat.agent) has less to do than \(agent)")
            }
        }
    }

    /// The points of product.md's queue, of two that can be acted on: time left, a quarter of the waiting, urgent,
    /// transfers, unplayed voice.
    private func isBefore(_ left: QueueEntry, _ right: QueueEntry) -> Bool {
        func points(_ entry: QueueEntry) -> Int64 {
            let due = timetable.due(entry)?.milliseconds ?? 0
            return -due - entry.times.queuedAt.milliseconds / 4 + (entry.priority.isUrgent ? 300_000 : 0) + Int64(
                min(5, entry.priority.transfers)) * 120_000
                + Int64(entry.priority.unplayedMs)
        }
        func acts(_ entry: QueueEntry) -> Bool { entry.times.unansweredSince != nil || entry.times.callback != nil }
        return acts(left) == acts(right) ? acts(left) && points(left) > points(right) : acts(left)
    }

    private func fits(_ entry: QueueEntry, _ agent: AgentID, _ now: Timestamp) -> Bool {
        let load = load(of: agent, now)
        return load == 0
            || load + need(entry, agent, now) <= (seats[agent]?.capacity ?? 0) * 1000 + centre.capacity.slack
    }

    private func need(_ entry: QueueEntry, _ agent: AgentID, _ now: Timestamp) -> Int {
        if let due = timetable.due(entry), due <= now { return 1000 }
        return whole(entry, agent)
    }

    private func whole(_ entry: QueueEntry, _ agent: AgentID) -> Int {
        1000 + entry.priority.unplayedMs * 100 / (seats[agent]?.listenSpeed ?? 100) / 300
    }

    private func load(of agent: AgentID, _ now: Timestamp) -> Int {
        (theirs[agent] ?? []).reduce(0) { sum, index in
            guard let entry = entries[index] else { return sum }
            return sum
                + (entry.agents.assignee == nil
                    ? whole(entry, agent)
                    : centre.load(of: entry, listenSpeed: seats[agent]?.listenSpeed, now: now).thousandths)
        }
    }

    private func share(_ agent: AgentID, _ now: Timestamp) -> Int {
        load(of: agent, now) * 1000 / max(1, (seats[agent]?.capacity ?? 0) * 1000)
    }
    private func isFree(_ agent: AgentID, _ now: Timestamp) -> Bool {
        inCall[agent] != true && (pauses[agent].map { $0 <= now } ?? true)
    }
    private func isSnoozed(_ entry: QueueEntry, _ now: Timestamp) -> Bool {
        centre.capacity.snoozedUntil(entry).map { now < $0 } ?? false
    }

    /// The first few say enough.
    private mutating func fail(_ what: String) {
        failures += 1
        if failures <= 5 { Issue.record("\(what)") }
    }

    private static func agents(of entry: QueueEntry) -> [AgentID] {
        entry.agents.assignee.map { [$0] } ?? entry.agents.offer?.to ?? []
    }

    private static func name(_ proposed: ProposedAction) -> String {
        switch proposed.action {
        case .offer(_, _, let reason): "offer \(reason)"
        case .assign(_, let reason): "assign \(reason)"
        case .expireOffer: "expire offer"
        case .requeue(let reason): "requeue \(reason)"
        case .releaseReservation(let reason): "release \(reason)"
        case .moveToFallback: "fallback"
        case .withdraw, .route, .sendMessage, .closeIdle, .closeUnanswered, .resumeClosed, .sendSurvey, .endCall:
            "other"
        }
    }
}
