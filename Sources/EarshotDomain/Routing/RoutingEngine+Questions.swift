public import EarshotModel

extension RoutingEngine {
    /// The place in the queue of its skill, from 1; `nil`: it has an agent, or is not open.
    public func position(of conversation: ConversationID) -> Int? {
        guard let entry = entry(conversation), let rank = entry.filing?.rank else { return nil }
        return queues[entry.queue].waiting.count(before: rank) + 1
    }

    /// By when its consumer is to be answered; `nil`: it waits for the consumer, or is not open.
    public func due(of conversation: ConversationID) -> Timestamp? { entry(conversation)?.due }

    /// By when a consumer who writes to this skill now has an answer.
    public func expected(_ skill: SkillID, _ kind: Timetable.Class, now: Timestamp) -> Timestamp? {
        timetable.expected(skill, kind, from: now)
    }

    /// Whether anybody with this skill takes new conversations.
    public func isAnybodyOnline(_ skill: SkillID) -> Bool { queues[queue(of: skill)].online > 0 }

    /// How many wait with this skill.
    public func waiting(_ skill: SkillID) -> Int { queues[queue(of: skill)].waiting.count }

    public func load(of agent: AgentID, now: Timestamp) -> AgentLoad {
        guard let slot = agentSlots[agent] else { return AgentLoad(load: 0, capacity: 0, conversations: 0, ringing: 0) }
        let person = agents[slot]
        let capacity = Self.capacity(of: person)
        let theirs = person.theirs.reduce(0) { sum, slot in
            guard let ticket = entries[slot]?.ticket else { return sum }
            return sum + centre.capacity.weight(of: ticket, listenSpeed: person.seat?.listenSpeed, now: now).thousandths
        }
        let rings = person.ringing.reduce(0) { sum, ringing in
            sum + (entries[ringing].map { weight(ofOffered: $0, to: slot) } ?? 0)
        }
        let load = person.inCall ? max(capacity, theirs + rings) : theirs + rings
        return AgentLoad(
            load: load, capacity: capacity, conversations: person.theirs.count, ringing: person.ringing.count,
            offeredLoad: rings)
    }

    public func counts(now: Timestamp) -> [SkillID: QueueCount] {
        Dictionary(
            uniqueKeysWithValues: queueOf.map { skill, index in
                let queue = queues[index]
                var count = QueueCount()
                count.waiting = queue.waiting.count
                count.oldest = queue.ages.first.map { Timestamp(milliseconds: $0.first) }
                count.unplayedMs = queue.unplayedMs
                count.assigned = queue.assigned
                count.overdue = queue.dues.count(before: Rank(first: now.milliseconds, second: 0, slot: -1))
                count.online = queue.online
                return (skill, count)
            })
    }

    /// Why it stands where it stands, and of every agent with its skill why they would or would not get it. Looks at all of them: for a page, not for routing.
    public func explain(_ conversation: ConversationID, now: Timestamp) -> Explanation? {
        guard let entry = entry(conversation) else { return nil }
        let meantFor = entry.ticket.reserved.map { agentSlots[$0.agent] ?? -1 }
        let candidates = agents.indices.filter { agents[$0].skills.contains(entry.queue) || $0 == meantFor }.map {
            agent in
            (agent: agent, obstacle: obstacle(for: entry, agent, meantFor, now))
        }
        let previous = entry.ticket.previous.flatMap { agentSlots[$0] }
        let order = candidates.sorted { left, right in
            if (left.obstacle == nil) != (right.obstacle == nil) { return left.obstacle == nil }
            if (left.agent == previous) != (right.agent == previous) { return left.agent == previous }
            return (agents[left.agent].rank ?? .last(left.agent)) < (agents[right.agent].rank ?? .last(right.agent))
        }
        let rows = order.map { agent, obstacle in
            let load = load(of: agents[agent].id, now: now)
            return Explanation.Candidate(
                agent: agents[agent].id, obstacle: obstacle, load: load.load, capacity: load.capacity)
        }
        return Explanation(
            position: position(of: conversation), due: entry.due, score: score(of: entry, now), agents: rows)
    }

    private func obstacle(for entry: Entry, _ agent: Int, _ meantFor: Int?, _ now: Timestamp) -> Explanation.Obstacle? {
        let person = agents[agent]
        guard entry.ticket.assignee == nil, entry.restsUntil == nil, entry.heldUntil == nil,
            !isPutOff(entry.ticket, now), entry.proposal != .other
        else { return .settled }
        if person.ringing.contains(where: { entries[$0]?.ticket.conversation == entry.ticket.conversation }) {
            return nil
        }
        switch person.presence?.state {
        case nil, .offline: return .offline
        case .away: return .away
        case .occupied where meantFor != agent: return .occupied
        default: break
        }
        if let meantFor, meantFor != agent { return .reserved }
        if person.inCall { return .inCall }
        if person.pausedUntil != nil { return .pausing }
        if entry.asked.contains(person.id) { return .refused }
        return fits(entry, agent, now) ? nil : .full
    }

    private func entry(_ conversation: ConversationID) -> Entry? { slots[conversation].flatMap { entries[$0] } }
}

extension Rank {
    /// Behind everybody who has a place.
    fileprivate static func last(_ slot: Int) -> Rank { Rank(first: .max, second: .max, slot: slot) }
}
