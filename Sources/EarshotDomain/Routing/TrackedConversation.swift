import EarshotModel

/// An open conversation as the engine tracks it: its queue entry, and what the engine remembers about it.
struct TrackedConversation: Sendable {
    /// What was proposed and has not come back yet; it counts as done.
    enum Proposal: Hashable, Sendable {
        /// An offer to these agents, by their slots.
        case offer([Int])
        /// An assignment to this agent, by its slot.
        case assign(Int)
        /// Any other action. No agent gets the conversation meanwhile.
        case other
    }

    /// The last entry that was reported.
    let entry: QueueEntry
    /// The index of its queue.
    private(set) var queue = 0
    /// When its consumer should have an answer.
    private(set) var due: Timestamp?
    /// Where it is filed in queues, roster and deadlines.
    private(set) var placement: Placement?
    private(set) var proposal: Proposal?
    /// Who has been asked in this round.
    private(set) var asked: Set<AgentID>
    /// How often every agent had been asked.
    private(set) var rounds = 0
    /// All have been asked: no agent is asked before this.
    private(set) var askAgainAt: Timestamp?
    /// How often a proposal was retracted since the entry was reported.
    private(set) var retractions = 0
    /// No action is proposed before this, because a proposal was retracted.
    private(set) var heldUntil: Timestamp?

    init(_ entry: QueueEntry) {
        self.entry = entry
        asked = entry.agents.refused
    }

    /// Whether nothing was proposed since the entry was reported.
    var isUntouched: Bool { mayPropose && retractions == 0 }

    /// Whether an action may be proposed.
    var mayPropose: Bool { proposal == nil && heldUntil == nil && entry.isRouted }

    /// No agent of the brand has had anything to do with it yet.
    var isNew: Bool {
        let agents = entry.agents
        return entry.priority.isFirst && agents.assignee == nil && agents.previous == nil
            && entry.priority.transfers == 0 && agents.reserved == nil && agents.offer == nil
    }

    /// The same conversation after a change. Agents who let an offer expire are not asked again in this round, whatever
    /// the entry says: the engine may have learned of it earlier than the log.
    func updated(with next: QueueEntry) -> TrackedConversation {
        var conversation = TrackedConversation(next)
        let (agents, nextAgents) = (entry.agents, next.agents)
        guard nextAgents.assignee == nil, next.skill == entry.skill, nextAgents.refused.isSuperset(of: agents.refused)
        else { return conversation }
        let unanswered = Set(agents.offer?.to ?? []).subtracting(nextAgents.offer?.to ?? [])
        conversation.asked = asked.union(nextAgents.refused.subtracting(agents.refused)).union(unanswered)
        conversation.rounds = rounds
        conversation.askAgainAt = askAgainAt
        return conversation
    }

    /// The same conversation for an engine with other settings, where it is placed and proposed again.
    func reset() -> TrackedConversation {
        var conversation = self
        (conversation.placement, conversation.proposal, conversation.heldUntil) = (nil, nil, nil)
        return conversation
    }

    /// Sets what follows from the settings, and keeps the placement of its predecessor.
    mutating func prepare(queue: Int, due: Timestamp?, placement: Placement?) {
        (self.queue, self.due, self.placement) = (queue, due, placement)
    }

    mutating func place(_ placement: Placement) { self.placement = placement }

    mutating func propose(_ proposal: Proposal) { self.proposal = proposal }

    /// A proposal came to nothing: the next one is made after a second, after two the next time, and so on up to a
    /// minute.
    mutating func retract(now: Timestamp) {
        proposal = nil
        retractions += 1
        heldUntil = now.adding(milliseconds: min(60_000, 1000 << min(retractions - 1, 6)))
    }

    /// All have been asked: waits for the length of an offer, for twice that the next time, and so on up to
    /// `RoutingEngine.longestPauseMs`.
    mutating func pauseAsking(offerMs: Int64, now: Timestamp) {
        askAgainAt = now.adding(milliseconds: min(RoutingEngine.longestPauseMs, offerMs << min(rounds, 10)))
    }

    /// An agent came who was not asked in this round.
    mutating func resumeAsking() { askAgainAt = nil }

    /// Ends what has ended by now.
    mutating func passDeadline(now: Timestamp) {
        placement?.deadline = nil
        if let until = askAgainAt, until <= now {
            askAgainAt = nil
            asked = []
            rounds += 1
        }
        if let until = heldUntil, until <= now { heldUntil = nil }
    }

    /// The clock was set back: what should have ended seconds later would last much longer.
    mutating func clearPauses() { (askAgainAt, heldUntil) = (nil, nil) }
}

/// Where a conversation is filed at one moment. It changes the queues, the roster and the deadlines exactly by the
/// difference between two of these.
struct Placement: Hashable, Sendable {
    /// What of an agent's capacity a conversation takes.
    struct Load: Hashable, Sendable {
        /// The agent's slot.
        let agent: Int
        let thousandths: Int
        /// Whether it is assigned to the agent; else it is offered.
        let isAssigned: Bool
    }

    /// The index of the queue.
    let queue: Int
    /// Its rank among those that wait; `nil`: it has an agent.
    var rank: Rank?
    /// The room that an agent must have, negated; `RankedTree.nothing`: no agent gets it now.
    var measure = RankedTree.nothing
    /// The slot of the only agent who may get it.
    var reservedFor: Int?
    var loads: [Load] = []
    /// When it must be looked at again.
    var deadline: Timestamp?
    var due: Timestamp?
    /// Since when it waits; `nil`: it has an agent.
    var queuedAt: Timestamp?
    var unplayedMs = 0
    /// Would move to the fallback skill.
    var isNew = false
    /// Every agent has been asked.
    var isPaused = false
    /// It has a due action, regardless of which agents are available.
    var isActionDue = false

    init(queue: Int) { self.queue = queue }

    /// Whether both have the same place among the waiting.
    func isRanked(like other: Placement?) -> Bool {
        other.map {
            $0.queue == queue && $0.rank == rank && $0.measure == measure && $0.reservedFor == reservedFor
        } ?? false
    }
}
