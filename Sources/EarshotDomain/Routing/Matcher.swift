import EarshotModel

/// Finds what should happen to one conversation, given the agents and the queues. It changes nothing.
struct Matcher: Sendable {
    /// The agents who should get a conversation, by their slots, and why.
    struct Choice {
        let agents: [Int]
        let reason: RoutingAction.Reason
    }

    let rules: RankingRules

    init(_ settings: ContactCentreSettings) { rules = RankingRules(settings) }

    /// Who should get it: every agent who can where the skill offers to all, otherwise one.
    func choice(
        for conversation: TrackedConversation, _ roster: AgentRoster, _ queues: RankedQueues, _ now: Timestamp
    ) -> Choice? {
        let limit = queues[conversation.queue].skill.accept == .offerToAll ? RoutingEngine.offersAtOnce : 1
        if limit == 1, let previous = conversation.entry.agents.previous.flatMap({ roster.slot(of: $0) }),
            mayGet(conversation, roster[previous], now)
        {
            return Choice(agents: [previous], reason: .previousAgent)
        }
        let least = rules.leastNeed(of: conversation, now)
        var (chosen, after): ([Int], Rank?) = ([], nil)
        while chosen.count < limit,
            let rank = queues[conversation.queue].firstAvailable(room: least, after: after)
        {
            after = rank
            if mayGet(conversation, roster[rank.slot], now) { chosen.append(rank.slot) }
        }
        return chosen.isEmpty ? nil : Choice(agents: chosen, reason: limit == 1 ? .leastLoaded : .everyone)
    }

    private func mayGet(_ conversation: TrackedConversation, _ agent: RosterAgent, _ now: Timestamp) -> Bool {
        agent.availability.rank != nil && agent.skills.contains(conversation.queue)
            && !conversation.asked.contains(agent.id) && hasRoom(agent, for: conversation, now)
    }

    func hasRoom(_ agent: RosterAgent, for conversation: TrackedConversation, _ now: Timestamp) -> Bool {
        agent.availability.room >= rules.need(of: conversation, for: agent, now)
    }

    /// Whether every online agent with its skill has been asked in this round.
    func haveAllBeenAsked(_ conversation: TrackedConversation, _ roster: AgentRoster, _ queues: RankedQueues) -> Bool {
        let asked = conversation.asked.filter { id in
            roster.slot(of: id).map { roster[$0].isOnline && roster[$0].skills.contains(conversation.queue) } ?? false
        }
        return !asked.isEmpty && asked.count == queues[conversation.queue].online
    }

    /// What should happen to it now, regardless of which agents are available: an offer, a reservation or an agent's
    /// time to answer has ended, or it moves to the fallback skill.
    func dueAction(
        for conversation: TrackedConversation, _ roster: AgentRoster, _ queues: RankedQueues, _ now: Timestamp
    ) -> RoutingAction? {
        let agents = conversation.entry.agents
        let barred = barredHolders(of: conversation, roster)
        if !barred.isEmpty { return .withdraw(from: barred) }
        if let assignee = agents.assignee {
            guard let slot = roster.slot(of: assignee),
                let limit = rules.answerLimit(of: conversation.entry, roster[slot]), limit.at <= now
            else { return nil }
            return .requeue(reason: limit.reason)
        }
        if let offer = agents.offer {
            let offerMs = queues[conversation.queue].offerMs
            let isOver = Self.isOver(offer, offerMs: offerMs, now) || offer.to.allSatisfy { isGone($0, roster) }
            return isOver ? .expireOffer(to: offer.to) : nil
        }
        if let reserved = agents.reserved {
            if conversation.asked.contains(reserved.agent) { return .releaseReservation(reason: .declined) }
            let isOver =
                reserved.until <= now || roster.slot(of: reserved.agent).map { roster[$0].isExcluded } ?? false
            return isOver ? .releaseReservation(reason: .notTaken) : nil
        }
        return fallback(of: conversation, queues)
    }

    /// Those who have it or are asked to take it, but may not answer.
    private func barredHolders(of conversation: TrackedConversation, _ roster: AgentRoster) -> [AgentID] {
        let agents = conversation.entry.agents
        let waitingFor = (agents.offer?.to ?? []) + [agents.reserved?.agent].compactMap { $0 }
        return (agents.assignee.map { [$0] } ?? waitingFor).filter { id in
            roster.slot(of: id).map { !roster[$0].mayAnswer } ?? false
        }
    }

    /// An offer that would last longer than the skill's offers was made before the clock was set back, or before offers
    /// were made shorter.
    private static func isOver(_ offer: QueueEntry.Offer, offerMs: Int64, _ now: Timestamp) -> Bool {
        offer.until <= now || offer.until > now.adding(milliseconds: offerMs + RoutingEngine.toleranceMs)
    }

    private func isGone(_ agent: AgentID, _ roster: AgentRoster) -> Bool {
        guard let state = roster.slot(of: agent).flatMap({ roster[$0].presence?.state }) else { return false }
        return state == .away || state == .offline
    }

    /// A new conversation for whose skill no agent is online goes to a skill for which one is.
    private func fallback(of conversation: TrackedConversation, _ queues: RankedQueues) -> RoutingAction? {
        guard queues[conversation.queue].online == 0, conversation.isNew,
            let skill = queues[conversation.queue].skill.fallback, let other = queues.knownIndex(of: skill),
            other != conversation.queue, queues[other].online > 0
        else { return nil }
        return .moveToFallback(skill)
    }

    /// Where a conversation belongs at this moment.
    func placement(
        of conversation: TrackedConversation, slot: Int, _ roster: AgentRoster, _ queues: RankedQueues,
        _ now: Timestamp
    ) -> Placement {
        var placement = Placement(queue: conversation.queue)
        placement.due = conversation.due
        if let assignee = conversation.entry.agents.assignee.flatMap({ roster.slot(of: $0) }) {
            placeAssigned(conversation, to: assignee, roster[assignee], now, &placement)
        } else {
            placement.rank = rules.rank(of: conversation, in: queues[conversation.queue].skill, slot: slot, now)
            placement.isActionDue =
                conversation.mayPropose && dueAction(for: conversation, roster, queues, now) != nil
            placeWaiting(conversation, roster, now, &placement)
        }
        return placement
    }

    private func placeAssigned(
        _ conversation: TrackedConversation, to slot: Int, _ agent: RosterAgent, _ now: Timestamp,
        _ placement: inout Placement
    ) {
        let entry = conversation.entry
        let load = rules.settings.capacity.load(of: entry, listenSpeed: agent.seat?.listenSpeed, now: now)
        if conversation.proposal == nil {
            placement.loads = [Placement.Load(agent: slot, thousandths: load.thousandths, isAssigned: true)]
        }
        let limit = conversation.mayPropose ? rules.answerLimit(of: entry, agent)?.at : nil
        placement.isActionDue = conversation.mayPropose && !agent.mayAnswer || limit.map { $0 <= now } ?? false
        placement.deadline = Self.first(of: [load.until, limit, conversation.heldUntil], after: now)
    }

    private func placeWaiting(
        _ conversation: TrackedConversation, _ roster: AgentRoster, _ now: Timestamp, _ placement: inout Placement
    ) {
        let entry = conversation.entry
        placement.queuedAt = entry.times.queuedAt
        placement.unplayedMs = entry.priority.unplayedMs
        placement.reservedFor = entry.agents.reserved.flatMap { roster.slot(of: $0.agent) }
        placement.loads = askedAgents(of: conversation, roster).map {
            let load = rules.offeredLoad(of: entry, to: roster[$0])
            return Placement.Load(agent: $0, thousandths: load, isAssigned: false)
        }
        placement.isNew = conversation.isNew
        placement.isPaused = conversation.askAgainAt != nil
        let isFree = placement.loads.isEmpty && conversation.mayPropose && !placement.isActionDue
        if isFree, conversation.askAgainAt == nil, !rules.isSnoozed(entry, now) {
            placement.measure = -rules.leastNeed(of: conversation, now)
        }
        // An overdue conversation may need less room.
        let needsLess = entry.priority.unplayedMs > 0 ? conversation.due : nil
        placement.deadline = Self.first(
            of: [
                entry.agents.offer?.until, entry.agents.reserved?.until, conversation.askAgainAt,
                conversation.heldUntil, rules.settings.capacity.snoozedUntil(entry), needsLess,
            ], after: now)
    }

    private static func first(of moments: [Timestamp?], after now: Timestamp) -> Timestamp? {
        moments.compactMap { $0 }.filter { now < $0 }.min()
    }

    /// The agents it is offered to, or about to be.
    private func askedAgents(of conversation: TrackedConversation, _ roster: AgentRoster) -> [Int] {
        switch conversation.proposal {
        case .assign(let agent): [agent]
        case .offer(let agents): agents
        case .other: []
        case nil: (conversation.entry.agents.offer?.to ?? []).compactMap { roster.slot(of: $0) }
        }
    }
}
