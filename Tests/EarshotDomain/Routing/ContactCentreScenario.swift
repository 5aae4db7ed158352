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

/// A contact centre in which every action is done at once, as the log would: what a test looks at is the engine's
/// actions.
struct ContactCentreScenario {
    var engine: RoutingEngine
    var now = at("2026-11-22T10:00:00Z")
    private(set) var entries: [ConversationID: QueueEntry] = [:]

    init(
        _ skills: [Skill] = [.test()], _ seats: [Seat] = [.test("dana")], online: [String]? = nil,
        change: (inout ContactCentreSettings) -> Void = { _ in }
    ) {
        var centre = ContactCentreSettings(skills: skills, people: seats)
        change(&centre)
        engine = RoutingEngine(centre: centre)
        for name in online ?? seats.map(\.agent.rawValue) { set(.online, name) }
    }

    subscript(_ name: String) -> QueueEntry { entries[.n(name)]! }

    mutating func set(_ state: Presence.State, _ name: String) {
        engine.set(Presence(state: state, since: now), of: .n(name), now: now)
    }

    mutating func switchOff(_ name: String) {
        engine.set(Presence(state: .offline, since: now), of: .n(name), isSwitchedOff: true, now: now)
    }

    /// The person stays online, but their profile does or does not let them answer.
    mutating func allow(_ name: String, answering mayAnswer: Bool) {
        engine.set(Presence(state: .online, since: now), of: .n(name), mayAnswer: mayAnswer, now: now)
    }

    /// A consumer begins to wait, and the actions that follow.
    @discardableResult mutating func come(
        _ name: String, _ skill: String = "general", _ change: (inout QueueEntry) -> Void = { _ in }
    ) -> [ProposedAction] {
        var entry = QueueEntry(
            conversation: .n(name), skill: .n(skill), times: .init(queuedAt: now, unansweredSince: now))
        change(&entry)
        place(entry)
        return settle()
    }

    /// Something happened to a conversation, and the actions that follow.
    @discardableResult mutating func change(_ name: String, _ change: (inout QueueEntry) -> Void) -> [ProposedAction] {
        var entry = self[name]
        change(&entry)
        place(entry)
        return settle()
    }

    @discardableResult mutating func answer(_ name: String, ageMs: Int64 = 1000) -> [ProposedAction] {
        let moment = now
        return change(name) {
            (
                $0.times.unansweredSince, $0.times.answeredAt, $0.times.answeredAgeMs, $0.priority.isFirst,
                $0.times.callback, $0.priority.unplayedMs
            ) = (
                nil, moment, ageMs, false, nil, 0
            )
        }
    }

    @discardableResult mutating func accept(_ name: String, by agent: String) -> [ProposedAction] {
        let moment = now
        return change(name) {
            ($0.agents.assignee, $0.times.assignedAt, $0.agents.offer, $0.agents.reserved) = (
                .n(agent), moment, nil, nil
            )
        }
    }

    @discardableResult mutating func decline(_ name: String, by agent: String) -> [ProposedAction] {
        change(name) { entry in
            entry.agents.refused.insert(.n(agent))
            let left = (entry.agents.offer?.to ?? []).filter { $0 != .n(agent) }
            entry.agents.offer = left.isEmpty ? nil : entry.agents.offer.map { .init(to: left, until: $0.until) }
        }
    }

    @discardableResult mutating func close(_ name: String) -> [ProposedAction] {
        entries[.n(name)] = nil
        engine.remove(.n(name))
        return settle()
    }

    /// The actions at a moment so much later.
    mutating func wait(seconds: Int = 0, ms: Int64 = 0) -> [ProposedAction] {
        now = now.adding(seconds: seconds).adding(milliseconds: ms)
        return settle()
    }

    /// All actions, done one after the other, until there are none.
    mutating func settle() -> [ProposedAction] {
        var all: [ProposedAction] = []
        while true {
            let actions = engine.proposeActions(now: now)
            if actions.isEmpty { return all }
            for action in actions { apply(action) }
            all += actions
        }
    }

    mutating func place(_ entry: QueueEntry) {
        entries[entry.conversation] = entry
        engine.update(entry, now: now)
    }

    mutating func apply(_ action: ProposedAction) {
        guard var entry = entries[action.conversation] else { return }
        switch action.action {
        case .offer(let to, let until, _): entry.agents.offer = .init(to: to, until: until)
        case .assign(let agent, _):
            (entry.agents.assignee, entry.times.assignedAt, entry.agents.offer, entry.agents.reserved) = (
                agent, now, nil, nil
            )
        case .expireOffer:
            entry.agents.refused.formUnion(entry.agents.offer?.to ?? [])
            entry.agents.offer = nil
        case .requeue:
            entry.agents.refused = [entry.agents.assignee!]
            (entry.agents.previous, entry.agents.assignee, entry.times.assignedAt, entry.times.queuedAt) = (
                entry.agents.assignee, nil, nil, now
            )
        case .withdraw:
            if let agent = entry.agents.assignee { entry.agents.refused = [agent] }
            (entry.agents.assignee, entry.agents.offer, entry.agents.reserved) = (nil, nil, nil)
        case .releaseReservation: entry.agents.reserved = nil
        case .moveToFallback(let skill): entry.skill = skill
        case .route, .sendMessage, .closeIdle, .closeUnanswered, .resumeClosed, .sendSurvey, .endCall:
            preconditionFailure("the engine does not propose this")
        }
        place(entry)
    }

    func load(_ name: String) -> Int { engine.load(of: .n(name), now: now).load }

    func obstacle(_ name: String, for conversation: String) -> Explanation.Obstacle? {
        engine.explain(.n(conversation), now: now)!.agents.first { $0.agent == .n(name) }!.obstacle
    }
}

extension ProposedAction {
    static func rings(
        _ name: String, _ to: [String], _ until: Timestamp, _ reason: RoutingAction.Reason = .leastLoaded
    ) -> ProposedAction {
        ProposedAction(.n(name), .offer(to: to.map { .n($0) }, until: until, reason: reason))
    }

    static func goes(
        _ name: String, to agent: String, _ reason: RoutingAction.Reason = .leastLoaded
    ) -> ProposedAction {
        ProposedAction(.n(name), .assign(.n(agent), reason: reason))
    }

    /// The offer of this conversation to these agents expires.
    static func expiry(_ name: String, _ to: [String]) -> ProposedAction {
        ProposedAction(.n(name), .expireOffer(to: to.map { .n($0) }))
    }

    static func requeue(_ name: String, _ reason: RoutingAction.Reason) -> ProposedAction {
        ProposedAction(.n(name), .requeue(reason: reason))
    }

    static func withdrawal(_ name: String, _ from: [String]) -> ProposedAction {
        ProposedAction(.n(name), .withdraw(from: from.map { .n($0) }))
    }

    static func release(_ name: String, _ reason: RoutingAction.Reason) -> ProposedAction {
        ProposedAction(.n(name), .releaseReservation(reason: reason))
    }

    static func fallback(_ name: String, to skill: String) -> ProposedAction {
        ProposedAction(.n(name), .moveToFallback(.n(skill)))
    }
}
