import EarshotModel

/// The queue of one skill: its conversations in the order in which they get an agent, and its agents in the order in
/// which they are asked.
struct RankedQueue: Sendable {
    let skill: Skill
    /// Waiting conversations by rank, measured by the room they need, negated.
    private var waiting = RankedTree()
    /// Waiting conversations by since when they wait.
    private var ages = RankedTree()
    /// All open conversations by when they are due.
    private var dues = RankedTree()
    /// Agents who could take a conversation, measured by their room.
    private var available = RankedTree()
    /// The slots of conversations that would move to the fallback skill.
    private var new: Set<Int> = []
    /// The slots of conversations for which every agent has been asked.
    private var paused: Set<Int> = []
    private var unplayedMs = 0
    private var assigned = 0
    /// How many agents with this skill are online.
    private(set) var online = 0
    /// A conversation came or an agent has more room since the queue was last matched.
    private(set) var needsMatching = false

    init(_ skill: Skill) { self.skill = skill }

    var waitingCount: Int { waiting.count }
    var newConversations: [Int] { new.sorted() }
    var pausedConversations: [Int] { paused.sorted() }

    /// The length of an offer, in milliseconds.
    var offerMs: Int64 { Int64(max(1, skill.offerSeconds)) * 1000 }

    /// The position of a waiting conversation, from 1.
    func position(of rank: Rank) -> Int { waiting.count(before: rank) + 1 }

    /// The first waiting conversation after `rank` that any available agent may have room for.
    func firstMatchable(after rank: Rank?) -> Rank? {
        let most = available.most
        return most > 0 ? waiting.first(atLeast: -most, after: rank) : nil
    }

    /// The first available agent after `rank` with this much room.
    func firstAvailable(room: Int, after rank: Rank?) -> Rank? { available.first(atLeast: room, after: rank) }

    /// The figures for the wall.
    func count(now: Timestamp) -> QueueCount {
        var count = QueueCount()
        count.waiting = waiting.count
        count.oldest = ages.first.map { Timestamp(milliseconds: $0.first) }
        count.unplayedMs = unplayedMs
        count.assigned = assigned
        count.overdue = dues.count(before: Rank(at: now, slot: -1))
        count.online = online
        return count
    }

    mutating func beginMatching() { needsMatching = false }

    mutating func countOnline(_ isOnline: Bool) { online += isOnline ? 1 : -1 }

    /// Removes a conversation from where `new` has it no longer.
    mutating func remove(_ slot: Int, _ old: Placement, keeping new: Placement?) {
        let isElsewhere = old.queue != new?.queue
        if let rank = old.rank, !old.isRanked(like: new) { waiting.remove(rank) }
        if let at = old.queuedAt, at != new?.queuedAt || isElsewhere { ages.remove(Rank(at: at, slot: slot)) }
        if let due = old.due, due != new?.due || isElsewhere { dues.remove(Rank(at: due, slot: slot)) }
        unplayedMs -= old.unplayedMs
        if old.rank == nil { assigned -= 1 }
        if old.isNew { self.new.remove(slot) }
        if old.isPaused { paused.remove(slot) }
    }

    /// Adds a conversation to where `old` did not have it.
    mutating func insert(_ slot: Int, _ new: Placement, replacing old: Placement?) {
        let wasElsewhere = old?.queue != new.queue
        if let rank = new.rank, !new.isRanked(like: old) {
            waiting.insert(rank, measure: new.reservedFor == nil ? new.measure : RankedTree.nothing)
            if new.reservedFor == nil, new.measure != RankedTree.nothing { needsMatching = true }
        }
        if let at = new.queuedAt, at != old?.queuedAt || wasElsewhere { ages.insert(Rank(at: at, slot: slot)) }
        if let due = new.due, due != old?.due || wasElsewhere { dues.insert(Rank(at: due, slot: slot)) }
        unplayedMs += new.unplayedMs
        if new.rank == nil { assigned += 1 }
        if new.isNew { self.new.insert(slot) }
        if new.isPaused { paused.insert(slot) }
    }

    /// Moves an agent to where their load and room put them.
    mutating func update(_ agent: RosterAgent.Availability, replacing old: RosterAgent.Availability) {
        if let rank = old.rank { available.remove(rank) }
        if let rank = agent.rank { available.insert(rank, measure: agent.room) }
        if agent.rank != nil, old.rank == nil || agent.room > old.room { needsMatching = true }
    }
}

/// The queues of an account, one for each skill.
struct RankedQueues: Sendable {
    private var queues: [RankedQueue]
    private var indices: [SkillID: Int] = [:]
    private let defaultIndex: Int

    init(_ settings: ContactCentreSettings) {
        queues = settings.skills.map(RankedQueue.init)
        if queues.isEmpty { queues = [RankedQueue(settings.defaultSkill)] }
        for (index, queue) in queues.enumerated() { indices[queue.skill.id] = indices[queue.skill.id] ?? index }
        defaultIndex = indices[settings.defaultSkill.id] ?? 0
    }

    subscript(index: Int) -> RankedQueue { queues[index] }

    /// The queue of a skill; of a skill that no longer exists, the default skill's.
    func index(of skill: SkillID) -> Int { indices[skill] ?? defaultIndex }

    /// The queue of a skill; `nil`: no such skill exists.
    func knownIndex(of skill: SkillID) -> Int? { indices[skill] }

    func counts(now: Timestamp) -> [SkillID: QueueCount] { indices.mapValues { queues[$0].count(now: now) } }

    /// Queues whose fallback is this one, and in which no agent is online.
    func withoutAgents(fallingBackTo index: Int) -> [Int] {
        queues.indices.filter { queues[$0].skill.fallback == queues[index].skill.id && queues[$0].online == 0 }
    }

    /// Returns the queues in which something changed since the last call.
    mutating func takeUnmatched() -> [Int] {
        let unmatched = queues.indices.filter { queues[$0].needsMatching }
        for index in unmatched { queues[index].beginMatching() }
        return unmatched
    }

    /// Moves a conversation from one placement to another.
    mutating func move(_ slot: Int, from old: Placement?, to new: Placement?) {
        if let old { queues[old.queue].remove(slot, old, keeping: new) }
        if let new { queues[new.queue].insert(slot, new, replacing: old) }
    }

    /// Moves an agent in the queues of their skills.
    mutating func update(_ agent: RosterAgent, replacing old: RosterAgent.Availability) {
        for index in agent.skills { queues[index].update(agent.availability, replacing: old) }
    }

    mutating func countOnline(_ isOnline: Bool, in index: Int) { queues[index].countOnline(isOnline) }
}
