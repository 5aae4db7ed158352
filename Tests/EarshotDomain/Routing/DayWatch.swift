import EarshotDomain
import EarshotModel
import Testing

/// Holds every move of a day against the rules, by looking at everything: it keeps no queues and no loads, only tickets by agent.
struct DayWatch {
    let centre: ContactCentreSettings
    let timetable: Timetable
    private let seats: [AgentID: Seat]
    private(set) var tickets: [Int: QueueEntry] = [:]
    var presence: [AgentID: Presence] = [:]
    var inCall: [AgentID: Bool] = [:]
    private var theirs: [AgentID: Set<Int>] = [:]
    private var waiting: [SkillID: Set<Int>] = [:]
    private var pauses: [AgentID: Timestamp] = [:]
    /// Who was rung at or had it: the engine may remember more of them than the ticket.
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

    mutating func put(_ index: Int, _ ticket: QueueEntry, _ now: Timestamp) {
        close(index)
        tickets[index] = ticket
        unseen.insert(index)
        for agent in Self.agents(of: ticket) { theirs[agent, default: []].insert(index) }
        if ticket.assignee == nil { waiting[ticket.skill, default: []].insert(index) }
        if !ticket.refused.isEmpty || ticket.offer != nil { touched.insert(index) }
        if let agent = ticket.assignee, let until = centre.capacity.pauseUntil(ticket) {
            pauses[agent] = max(pauses[agent] ?? until, until)
        }
    }

    mutating func close(_ index: Int) {
        guard let ticket = tickets.removeValue(forKey: index) else { return }
        for agent in Self.agents(of: ticket) { theirs[agent]?.remove(index) }
        waiting[ticket.skill]?.remove(index)
    }

    /// The engine has been asked.
    mutating func asked() { unseen.removeAll() }

    /// Before a move is done: whether it may be.
    mutating func look(at move: Move, _ engine: RoutingEngine, _ now: Timestamp) {
        let index = Day.index(move.conversation)
        guard let ticket = tickets[index] else { return fail("\(move) of what is not open") }
        seen[Self.name(move), default: 0] += 1
        switch move {
        case .assign(_, let agent, let why): given(ticket, index, to: [agent], why, now)
        case .offer(_, let to, let until, let why):
            if until <= now { fail("a ring that is over when it begins") }
            given(ticket, index, to: to, why, now)
        case .requeue:
            if ticket.assignee == nil || (ticket.unansweredSince == nil && ticket.callback == nil) {
                fail("\(move) of what waits for nobody")
            }
        case .lapse: if ticket.offer == nil { fail("\(move) of what does not ring") }
        case .release: if ticket.reserved == nil { fail("\(move) of what is meant for nobody") }
        case .fallback:
            let others = centre.people.filter {
                $0.skills.contains(ticket.skill) && presence[$0.agent]?.state == .online
            }
            if !others.isEmpty || !ticket.isFirst || ticket.transfers > 0 {
                fail("\(move), though it is not new or somebody is there")
            }
        }
    }

    /// Between the moves: whether one was left out. Now and then, for it looks at everything.
    mutating func look(at engine: RoutingEngine, _ now: Timestamp) {
        seen["timestamps", default: 0] += 1
        guard seen["timestamps", default: 0] % 997 == 0 else { return }
        for (skill, indices) in waiting {
            let free = centre.people.filter {
                $0.skills.contains(skill) && isFree($0.agent, now) && presence[$0.agent]?.state == .online
            }
            for index in indices where !touched.contains(index) {
                guard let ticket = tickets[index], ticket.reserved == nil, !isPutOff(ticket, now) else { continue }
                if let agent = free.first(where: { fits(ticket, $0.agent, now) }) {
                    fail("\(index) waits, though \(agent.agent) could have it")
                }
            }
            // Places are one after the other, and the first of them is the best.
            let places = indices.compactMap { engine.position(of: Day.id($0)) }.sorted()
            if places != Array(1..<(indices.count + 1)) { fail("the places of \(skill) are \(places.prefix(9))…") }
        }
        for seat in centre.people
        where load(of: seat.agent, now) != engine.load(of: seat.agent, now: now).load && inCall[seat.agent] != true {
            fail("\(seat.agent) has \(load(of: seat.agent, now)), not \(engine.load(of: seat.agent, now: now).load)")
        }
    }

    private mutating func given(
        _ ticket: QueueEntry, _ index: Int, to agents: [AgentID], _ why: Move.Reason, _ now: Timestamp
    ) {
        if ticket.assignee != nil || ticket.offer != nil { fail("\(index) has an agent, or rings") }
        if isPutOff(ticket, now) { fail("\(index) is put off") }
        if agents.isEmpty { fail("nobody is asked") }
        for agent in agents { mayHave(ticket, agent, why, now) }
        if let agent = agents.first, why == .leastLoaded || why == .previousAgent, agents.count == 1 {
            isBest(ticket, agent, why, now)
        }
    }

    private mutating func mayHave(_ ticket: QueueEntry, _ agent: AgentID, _ why: Move.Reason, _ now: Timestamp) {
        let state = presence[agent]?.state
        let isMeant = why == .reserved && ticket.reserved?.agent == agent
        if !(state == .online || state == .occupied && isMeant) { fail("\(agent) is not there") }
        if !isMeant, seats[agent]?.skills.contains(ticket.skill) != true || ticket.reserved != nil {
            fail("\(agent) is not who it is for")
        }
        if !isFree(agent, now) { fail("\(agent) is in a call, or pauses") }
        if !fits(ticket, agent, now) { fail("\(agent) is full: \(load(of: agent, now))") }
    }

    /// No conversation that the agent could have had goes before it in its queue, and nobody who could have had it has less to do.
    private mutating func isBest(_ ticket: QueueEntry, _ agent: AgentID, _ why: Move.Reason, _ now: Timestamp) {
        for index in waiting[ticket.skill] ?? [] where !touched.contains(index) && !unseen.contains(index) {
            guard let other = tickets[index], other.offer == nil, other.reserved == nil, !isPutOff(other, now) else {
                continue
            }
            if isBefore(other, ticket), fits(other, agent, now) {
                fail("\(agent) gets \(ticket.conversation), not \(index)")
            }
        }
        guard why == .leastLoaded, touched.contains(Day.index(ticket.conversation)) == false else { return }
        for seat in centre.people
        where seat.skills.contains(ticket.skill) && presence[seat.agent]?.state == .online && isFree(seat.agent, now) {
            if share(seat.agent, now) < share(agent, now), fits(ticket, seat.agent, now) {
                fail("\(seat.agent) has less to do than \(agent)")
            }
        }
    }

    /// The points of product.md's queue, of two that can be acted on: time left, a quarter of the waiting, urgent, transfers, unplayed voice.
    private func isBefore(_ left: QueueEntry, _ right: QueueEntry) -> Bool {
        func points(_ ticket: QueueEntry) -> Int64 {
            let due = timetable.due(ticket)?.milliseconds ?? 0
            return -due - ticket.queuedAt.milliseconds / 4 + (ticket.isUrgent ? 300_000 : 0) + Int64(
                min(5, ticket.transfers)) * 120_000
                + Int64(ticket.unplayedMs)
        }
        func acts(_ ticket: QueueEntry) -> Bool { ticket.unansweredSince != nil || ticket.callback != nil }
        return acts(left) == acts(right) ? acts(left) && points(left) > points(right) : acts(left)
    }

    private func fits(_ ticket: QueueEntry, _ agent: AgentID, _ now: Timestamp) -> Bool {
        let load = load(of: agent, now)
        return load == 0
            || load + need(ticket, agent, now) <= (seats[agent]?.capacity ?? 0) * 1000 + centre.capacity.slack
    }

    private func need(_ ticket: QueueEntry, _ agent: AgentID, _ now: Timestamp) -> Int {
        if let due = timetable.due(ticket), due <= now { return 1000 }
        return whole(ticket, agent)
    }

    private func whole(_ ticket: QueueEntry, _ agent: AgentID) -> Int {
        1000 + ticket.unplayedMs * 100 / (seats[agent]?.listenSpeed ?? 100) / 300
    }

    private func load(of agent: AgentID, _ now: Timestamp) -> Int {
        (theirs[agent] ?? []).reduce(0) { sum, index in
            guard let ticket = tickets[index] else { return sum }
            return sum
                + (ticket.assignee == nil
                    ? whole(ticket, agent)
                    : centre.weight(of: ticket, listenSpeed: seats[agent]?.listenSpeed, now: now).thousandths)
        }
    }

    private func share(_ agent: AgentID, _ now: Timestamp) -> Int {
        load(of: agent, now) * 1000 / max(1, (seats[agent]?.capacity ?? 0) * 1000)
    }
    private func isFree(_ agent: AgentID, _ now: Timestamp) -> Bool {
        inCall[agent] != true && (pauses[agent].map { $0 <= now } ?? true)
    }
    private func isPutOff(_ ticket: QueueEntry, _ now: Timestamp) -> Bool {
        centre.capacity.putOffUntil(ticket).map { now < $0 } ?? false
    }

    /// The first few say enough.
    private mutating func fail(_ what: String) {
        failures += 1
        if failures <= 5 { Issue.record("\(what)") }
    }

    private static func agents(of ticket: QueueEntry) -> [AgentID] {
        ticket.assignee.map { [$0] } ?? ticket.offer?.to ?? []
    }

    private static func name(_ move: Move) -> String {
        switch move {
        case .offer(_, _, _, let why): "offer \(why)"
        case .assign(_, _, let why): "assign \(why)"
        case .lapse: "lapse"
        case .requeue(_, let why): "requeue \(why)"
        case .release(_, let why): "release \(why)"
        case .fallback: "fallback"
        }
    }
}
