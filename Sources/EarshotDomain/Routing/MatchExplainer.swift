import EarshotModel

/// Explains for one conversation which agents would get it, and why the others would not.
struct MatchExplainer {
    let matcher: Matcher
    let conversation: TrackedConversation
    let slot: Int
    let roster: AgentRoster

    /// The agents by their slots: first those who would get it, in the order in which they would be asked.
    func candidates(now: Timestamp) -> [(agent: Int, obstacle: Explanation.Obstacle?)] {
        let agents = conversation.entry.agents
        let reservedFor = agents.reserved.map { roster.slot(of: $0.agent) ?? -1 }
        let previous = agents.previous.flatMap { roster.slot(of: $0) }
        let candidates = roster.indices.filter {
            roster[$0].skills.contains(conversation.queue) || $0 == reservedFor
        }.map { (agent: $0, obstacle: obstacle(for: $0, reservedFor: reservedFor, now)) }
        return candidates.sorted { left, right in
            if (left.obstacle == nil) != (right.obstacle == nil) { return left.obstacle == nil }
            if (left.agent == previous) != (right.agent == previous) { return left.agent == previous }
            return rank(of: left.agent) < rank(of: right.agent)
        }
    }

    /// Agents who are not available come after all others.
    private func rank(of agent: Int) -> Rank {
        roster[agent].availability.rank ?? Rank(first: .max, second: .max, slot: agent)
    }

    private func obstacle(for slot: Int, reservedFor: Int?, _ now: Timestamp) -> Explanation.Obstacle? {
        let agent = roster[slot]
        guard conversation.entry.agents.assignee == nil, conversation.askAgainAt == nil,
            conversation.heldUntil == nil, !matcher.rules.isSnoozed(conversation.entry, now),
            conversation.proposal != .other
        else { return .settled }
        if !agent.mayAnswer { return .noPermission }
        if agent.offeredSlots.contains(self.slot) { return nil }
        switch agent.presence?.state {
        case nil, .offline: return .offline
        case .away: return .away
        case .occupied where reservedFor != slot: return .occupied
        default: break
        }
        if let reservedFor, reservedFor != slot { return .reserved }
        if agent.inCall { return .inCall }
        if agent.pausedUntil != nil { return .pausing }
        if conversation.asked.contains(agent.id) { return .refused }
        return matcher.hasRoom(agent, for: conversation, now) ? nil : .full
    }
}
