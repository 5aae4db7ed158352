import EarshotModel

/// One agent as routing sees them, with or without a seat in the settings.
struct RosterAgent: Sendable {
    /// How much an agent could take, and their place among the available.
    struct Availability: Hashable, Sendable {
        /// Thousandths of a conversation that they could still take; 0: nothing.
        let room: Int
        /// By load, then by the last assignment; `nil`: takes only what is reserved for them.
        let rank: Rank?
    }

    let id: AgentID
    private(set) var seat: Seat?
    /// The indices of their queues.
    private(set) var skills: [Int] = []
    private(set) var presence: Presence?
    /// Their account is disabled: nothing may be reserved for them, and what is theirs goes back even where the brand
    /// lets offline agents keep it.
    private(set) var isSwitchedOff = false
    /// Their profile lets them answer. Else nothing new comes to them, and what is theirs goes back to the queue.
    private(set) var mayAnswer = true
    private(set) var inCall = false
    private(set) var pausedUntil: Timestamp?
    private(set) var load = 0
    private(set) var availability = Availability(room: 0, rank: nil)
    private(set) var hasReservationToMatch = false
    private var lastAssigned: Int64 = 0
    /// How many conversations still come one at a time, because the shift has just begun.
    private var warmUpLeft = 0
    /// The slots of conversations that are assigned to them.
    private var assigned: Set<Int> = []
    /// The slots of conversations that are offered to them.
    private var offered: Set<Int> = []
    /// What waits for them alone, measured by the room it needs, negated.
    private var reserved = RankedTree()

    init(_ id: AgentID) { self.id = id }

    var isOnline: Bool { presence?.state == .online && mayAnswer }
    /// Nothing may be reserved for them.
    var isExcluded: Bool { isSwitchedOff || !mayAnswer }

    /// In thousandths of a conversation. Agents without a seat have the default capacity.
    var capacity: Int { (seat ?? Seat(agent: id, skills: [])).capacity * 1000 }

    var assignedSlots: Set<Int> { assigned }
    var offeredSlots: Set<Int> { offered }
    /// All conversations that are assigned or offered to them.
    var allSlots: [Int] { assigned.union(offered).sorted() }
    var reservedSlots: [Int] { reserved.all.map(\.slot) }

    /// The first conversation after `rank` that is reserved for them and that they have room for.
    func firstReserved(after rank: Rank?) -> Rank? { reserved.first(atLeast: -availability.room, after: rank) }

    mutating func take(_ seat: Seat, skills: [Int]) { (self.seat, self.skills) = (seat, skills) }

    /// Takes over what does not follow from the settings.
    mutating func takeOver(_ other: RosterAgent) {
        (inCall, lastAssigned, warmUpLeft) = (other.inCall, other.lastAssigned, other.warmUpLeft)
    }

    mutating func set(_ presence: Presence, isSwitchedOff: Bool, mayAnswer: Bool) {
        if presence.state == .online, self.presence?.state == .offline { warmUpLeft = seat?.capacity ?? 0 }
        (self.presence, self.isSwitchedOff, self.mayAnswer) = (presence, isSwitchedOff, mayAnswer)
    }

    mutating func set(inCall: Bool) { self.inCall = inCall }

    mutating func pause(until: Timestamp?) { pausedUntil = until }

    /// Counts a conversation of the warm-up. - Returns: whether the agent gets a pause before the next one.
    mutating func countWarmUp() -> Bool {
        guard warmUpLeft > 0 else { return false }
        warmUpLeft -= 1
        return warmUpLeft > 0
    }

    /// - Returns: whether this is the latest assignment.
    mutating func noteAssigned(at moment: Timestamp) -> Bool {
        guard lastAssigned < moment.milliseconds else { return false }
        lastAssigned = moment.milliseconds
        return true
    }

    mutating func noteProposed(at moment: Timestamp) { lastAssigned = moment.milliseconds }

    mutating func add(_ load: Placement.Load, of slot: Int) {
        self.load += load.thousandths
        if load.isAssigned { assigned.insert(slot) } else { offered.insert(slot) }
    }

    mutating func remove(_ load: Placement.Load, of slot: Int) {
        self.load -= load.thousandths
        if load.isAssigned { assigned.remove(slot) } else { offered.remove(slot) }
    }

    mutating func reserve(_ rank: Rank, measure: Int) { reserved.insert(rank, measure: measure) }
    mutating func endReservation(_ rank: Rank) { reserved.remove(rank) }

    /// - Returns: whether what is reserved for them must be matched and was not yet to be.
    mutating func markReservations() -> Bool {
        guard !hasReservationToMatch, reserved.count > 0 else { return false }
        hasReservationToMatch = true
        return true
    }

    mutating func beginMatchingReservations() { hasReservationToMatch = false }

    /// Computes the availability from the load. - Returns: whether it changed.
    mutating func updateAvailability(slot: Int, slack: Int) -> Bool {
        let room = room(slack: slack)
        let utilisation = Int64(load) * 1000 / Int64(max(1, capacity))
        let rank = isOnline && room > 0 ? Rank(first: utilisation, second: lastAssigned, slot: slot) : nil
        let next = Availability(room: room, rank: rank)
        guard next != availability else { return false }
        availability = next
        return true
    }

    /// An agent without any load has room for any conversation.
    private func room(slack: Int) -> Int {
        let isReachable = presence?.state == .online || presence?.state == .occupied
        guard isReachable, mayAnswer, !inCall, pausedUntil == nil, capacity > 0 else { return 0 }
        return load == 0 ? Int.max : max(0, capacity + slack - load)
    }
}

/// The agents of an account: who is there, what they have and how much more they could take. It keeps the queues' lists
/// of available agents up to date.
struct AgentRoster: Sendable {
    private var agents: [RosterAgent] = []
    private var slots: [AgentID: Int] = [:]
    /// Agents who may have room for what is reserved for them.
    private var reservationsToMatch: [Int] = []
    private let capacity: Capacity

    init(_ settings: ContactCentreSettings, queues: RankedQueues) {
        capacity = settings.capacity
        for seat in settings.people where slots[seat.agent] == nil {
            let slot = addSlot(for: seat.agent)
            agents[slot].take(seat, skills: Set(seat.skills.compactMap { queues.knownIndex(of: $0) }).sorted())
        }
    }

    /// The agent in this slot.
    subscript(slot: Int) -> RosterAgent { agents[slot] }

    var all: [RosterAgent] { agents }
    var indices: Range<Int> { agents.indices }

    func slot(of agent: AgentID) -> Int? { slots[agent] }

    /// The agent with this id.
    subscript(id: AgentID) -> RosterAgent? { slots[id].map { agents[$0] } }

    /// The agent's slot, made if they have none.
    @discardableResult mutating func addSlot(for agent: AgentID) -> Int {
        if let slot = slots[agent] { return slot }
        agents.append(RosterAgent(agent))
        slots[agent] = agents.count - 1
        return agents.count - 1
    }

    /// Returns the agents who may have room for what is reserved for them, and forgets them.
    mutating func takeReservationsToMatch() -> [Int] {
        let slots = reservationsToMatch.sorted()
        reservationsToMatch.removeAll(keepingCapacity: true)
        return slots
    }

    mutating func beginMatchingReservations(of slot: Int) { agents[slot].beginMatchingReservations() }

    mutating func takeOver(_ other: RosterAgent) { agents[addSlot(for: other.id)].takeOver(other) }

    mutating func set(_ presence: Presence, isSwitchedOff: Bool, mayAnswer: Bool, of slot: Int) {
        agents[slot].set(presence, isSwitchedOff: isSwitchedOff, mayAnswer: mayAnswer)
    }

    mutating func set(inCall: Bool, of slot: Int, _ queues: inout RankedQueues) {
        agents[slot].set(inCall: inCall)
        updateAvailability(of: slot, &queues)
    }

    /// Agents who got a conversation later are asked later.
    mutating func noteAssigned(to slot: Int, at moment: Timestamp, _ queues: inout RankedQueues) {
        if agents[slot].noteAssigned(at: moment) { updateAvailability(of: slot, &queues) }
    }

    /// Notes an assignment that the engine is about to propose; the placement that follows updates the availability.
    mutating func noteProposed(to slot: Int, at moment: Timestamp) { agents[slot].noteProposed(at: moment) }

    /// Gives nothing new to an agent until then. An earlier end than the present one is ignored.
    mutating func pause(
        _ slot: Int, until: Timestamp, _ queues: inout RankedQueues, _ deadlines: inout DeadlineScheduler
    ) {
        let before = agents[slot].pausedUntil
        if let before, before >= until { return }
        agents[slot].pause(until: until)
        deadlines.replace(before, with: until, for: .agent(slot))
        updateAvailability(of: slot, &queues)
    }

    /// The pause is over. Its deadline must have been removed.
    mutating func endPause(of slot: Int, _ queues: inout RankedQueues) {
        agents[slot].pause(until: nil)
        updateAvailability(of: slot, &queues)
    }

    /// Agents whose shift has just begun get one conversation at a time.
    mutating func warmUp(
        _ slot: Int, now: Timestamp, _ queues: inout RankedQueues, _ deadlines: inout DeadlineScheduler
    ) {
        guard let seconds = capacity.warmUpSeconds, agents[slot].countWarmUp() else { return }
        pause(slot, until: now.adding(milliseconds: Int64(seconds) * 1000), &queues, &deadlines)
    }

    /// Moves a conversation's reservation and loads from one placement to another.
    mutating func move(_ slot: Int, from old: Placement?, to new: Placement?, _ queues: inout RankedQueues) {
        moveReservation(from: old, to: new)
        guard old?.loads != new?.loads else { return }
        var touched: Set<Int> = []
        for load in old?.loads ?? [] {
            agents[load.agent].remove(load, of: slot)
            touched.insert(load.agent)
        }
        for load in new?.loads ?? [] {
            agents[load.agent].add(load, of: slot)
            touched.insert(load.agent)
        }
        for agent in touched.sorted() { updateAvailability(of: agent, &queues) }
    }

    private mutating func moveReservation(from old: Placement?, to new: Placement?) {
        if let old, let rank = old.rank, let agent = old.reservedFor, !old.isRanked(like: new) {
            agents[agent].endReservation(rank)
        }
        if let new, let rank = new.rank, let agent = new.reservedFor, !new.isRanked(like: old) {
            agents[agent].reserve(rank, measure: new.measure)
            if new.measure != RankedTree.nothing { markReservations(of: agent) }
        }
    }

    /// Moves the agent to where their load puts them.
    mutating func updateAvailability(of slot: Int, _ queues: inout RankedQueues) {
        let before = agents[slot].availability
        guard agents[slot].updateAvailability(slot: slot, slack: capacity.slack) else { return }
        queues.update(agents[slot], replacing: before)
        if agents[slot].availability.room > before.room { markReservations(of: slot) }
    }

    private mutating func markReservations(of slot: Int) {
        if agents[slot].markReservations() { reservationsToMatch.append(slot) }
    }
}
