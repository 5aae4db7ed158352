import EarshotDomain
import EarshotModel

extension Identifier {
    static func n(_ name: String) -> Self { Self(trusted: name) }
}

extension Skill {
    static func test(
        _ name: String = "general", _ accept: AcceptMode = .auto, _ change: (inout Skill) -> Void = { _ in }
    ) -> Skill {
        var skill = Skill(id: .n(name), name: name, isDefault: name == "general", accept: accept)
        change(&skill)
        return skill
    }
}

extension Seat {
    static func test(_ name: String, _ skills: [String] = ["general"], capacity: Int = 3, speed: Int? = nil) -> Seat {
        Seat(agent: .n(name), skills: skills.map { .n($0) }, capacity: capacity, listenSpeed: speed)
    }
}

/// A contact centre in which every move is done at once, as the log would: what a test looks at is the engine's moves.
struct Hall {
    var engine: RoutingEngine
    var now = at("2026-11-22T10:00:00Z")
    private(set) var tickets: [ConversationID: QueueEntry] = [:]

    init(
        _ skills: [Skill] = [.test()], _ seats: [Seat] = [.test("dana")], online: [String]? = nil,
        change: (inout ContactCentreSettings) -> Void = { _ in }
    ) {
        var centre = ContactCentreSettings(skills: skills, people: seats)
        change(&centre)
        engine = RoutingEngine(centre: centre)
        for name in online ?? seats.map(\.agent.rawValue) { set(.online, name) }
    }

    subscript(_ name: String) -> QueueEntry { tickets[.n(name)]! }

    mutating func set(_ state: Presence.State, _ name: String) {
        engine.set(Presence(state: state, since: now), of: .n(name), now: now)
    }

    mutating func switchOff(_ name: String) {
        engine.set(Presence(state: .offline, since: now), of: .n(name), isSwitchedOff: true, now: now)
    }

    /// A consumer begins to wait, and the moves that follow.
    @discardableResult mutating func come(
        _ name: String, _ skill: String = "general", _ change: (inout QueueEntry) -> Void = { _ in }
    ) -> [Move] {
        var ticket = QueueEntry(conversation: .n(name), skill: .n(skill), queuedAt: now, unansweredSince: now)
        change(&ticket)
        place(ticket)
        return settle()
    }

    /// Something happened to a conversation, and the moves that follow.
    @discardableResult mutating func change(_ name: String, _ change: (inout QueueEntry) -> Void) -> [Move] {
        var ticket = self[name]
        change(&ticket)
        place(ticket)
        return settle()
    }

    @discardableResult mutating func answer(_ name: String, ageMs: Int64 = 1000) -> [Move] {
        let moment = now
        return change(name) {
            ($0.unansweredSince, $0.answeredAt, $0.answeredAgeMs, $0.isFirst, $0.callback, $0.unplayedMs) = (
                nil, moment, ageMs, false, nil, 0
            )
        }
    }

    @discardableResult mutating func accept(_ name: String, by agent: String) -> [Move] {
        let moment = now
        return change(name) { ($0.assignee, $0.assignedAt, $0.offer, $0.reserved) = (.n(agent), moment, nil, nil) }
    }

    @discardableResult mutating func decline(_ name: String, by agent: String) -> [Move] {
        change(name) { ticket in
            ticket.refused.insert(.n(agent))
            let left = (ticket.offer?.to ?? []).filter { $0 != .n(agent) }
            ticket.offer = left.isEmpty ? nil : ticket.offer.map { .init(to: left, until: $0.until) }
        }
    }

    @discardableResult mutating func close(_ name: String) -> [Move] {
        tickets[.n(name)] = nil
        engine.remove(.n(name))
        return settle()
    }

    /// The moves at a moment so much later.
    mutating func wait(seconds: Int = 0, ms: Int64 = 0) -> [Move] {
        now = now.adding(seconds: seconds).adding(milliseconds: ms)
        return settle()
    }

    /// All moves, done one after the other, until there are none.
    mutating func settle() -> [Move] {
        var all: [Move] = []
        while true {
            let moves = engine.moves(now: now)
            if moves.isEmpty { return all }
            for move in moves { apply(move) }
            all += moves
        }
    }

    mutating func place(_ ticket: QueueEntry) {
        tickets[ticket.conversation] = ticket
        engine.place(ticket, now: now)
    }

    mutating func apply(_ move: Move) {
        guard var ticket = tickets[move.conversation] else { return }
        switch move {
        case .offer(_, let to, let until, _): ticket.offer = .init(to: to, until: until)
        case .assign(_, let agent, _):
            (ticket.assignee, ticket.assignedAt, ticket.offer, ticket.reserved) = (agent, now, nil, nil)
        case .lapse:
            ticket.refused.formUnion(ticket.offer?.to ?? [])
            ticket.offer = nil
        case .requeue:
            ticket.refused = [ticket.assignee!]
            (ticket.previous, ticket.assignee, ticket.assignedAt, ticket.queuedAt) = (ticket.assignee, nil, nil, now)
        case .release: ticket.reserved = nil
        case .fallback(_, let skill): ticket.skill = skill
        }
        place(ticket)
    }

    func load(_ name: String) -> Int { engine.load(of: .n(name), now: now).load }

    func obstacle(_ name: String, for conversation: String) -> Explanation.Obstacle? {
        engine.explain(.n(conversation), now: now)!.agents.first { $0.agent == .n(name) }!.obstacle
    }
}

extension Move {
    static func rings(_ name: String, _ to: [String], _ until: Timestamp, _ why: Reason = .leastLoaded) -> Move {
        .offer(.n(name), to: to.map { .n($0) }, until: until, why: why)
    }

    static func goes(_ name: String, to agent: String, _ why: Reason = .leastLoaded) -> Move {
        .assign(.n(name), .n(agent), why: why)
    }
}
