public import EarshotModel

/// The contact centre of one account in memory: what waits, who is there, and what should happen next.
///
/// It is told what happened (`place`, `remove`, `set`) and asked what should happen (`moves`). It decides nothing that lasts: a move is a proposal, each made once, and
/// counts as done until the conversation's ticket comes again or `retract` says that it came to nothing. The same calls give the same moves, on every machine; time is
/// an argument. Every call costs the logarithm of agents and waiting conversations, times the skills of an agent; only `set(_ centre:)` and `explain` look at all.
///
/// Who gets what: the conversation that stands first in its queue goes first; to the agent it is meant for, else to the one who answered the consumer before, else to the
/// one with the least load, and of these to who has waited longest. Nobody who refused it is asked while somebody else is online who has not; when all have, it rests for a
/// ring's length, twice that the next time, and so on up to ten minutes, and then all may be asked anew.
public struct RoutingEngine: Sendable {
    /// So many ring at most where all offer: those with the least load.
    public static let offersAtOnce = 50
    /// A conversation that all have refused rests no longer than this.
    public static let longestRestMs: Int64 = 600_000
    /// Callers may read their clocks in another order than they call; more than this is a clock that was set back.
    static let toleranceMs: Int64 = 5_000

    var centre: ContactCentreSettings
    var timetable: Timetable
    var entries: [Entry?] = []
    var slots: [ConversationID: Int] = [:]
    var freeSlots: [Int] = []
    var agents: [Person] = []
    var agentSlots: [AgentID: Int] = [:]
    var queues: [Queue] = []
    var queueOf: [SkillID: Int] = [:]
    /// When to look again: at an entry (`second` 0) or at an agent (1).
    var alarms = RankedTree()
    /// Entries to which something should happen now, whoever is there.
    var pending: [Int] = []
    /// Agents with room for what is meant for them, since `moves` last looked.
    var hopeful: [Int] = []
    /// The fastest listener's speed, in percent: what a conversation weighs at least.
    var fastest = 100
    /// The latest moment at which moves were asked for.
    var latest = Timestamp(milliseconds: .min)

    public init(centre: ContactCentreSettings) {
        self.centre = centre
        timetable = Timetable(centre)
        build()
    }

    /// A change of the configuration: everything is looked at anew. Who is there, who calls and who has been asked stays; what was proposed and has not come back is
    /// proposed again.
    public mutating func set(_ centre: ContactCentreSettings, now: Timestamp) {
        let (people, open) = (agents, entries.compactMap { $0 })
        self = RoutingEngine(centre: centre)
        for person in people {
            let agent = slot(of: person.id)
            (agents[agent].inCall, agents[agent].lastAssigned, agents[agent].warmUpLeft) = (
                person.inCall, person.lastAssigned, person.warmUpLeft
            )
            if let until = person.pausedUntil { pause(agent, until: until) }
            if let presence = person.presence {
                set(presence, of: person.id, isSwitchedOff: person.isSwitchedOff, now: now)
            }
        }
        for entry in open { place(entry.moved(), now: now) }
    }

    /// A conversation is open, and stands like this: call it for all at start, and after every commit that changed one.
    public mutating func place(_ ticket: QueueEntry, now: Timestamp) {
        let known = slots[ticket.conversation].flatMap { entries[$0] }
        // Most of what is said changes nothing for routing.
        if let known, known.ticket == ticket, known.isUntouched { return }
        place(known?.followed(by: ticket) ?? Entry(ticket), now: now)
    }

    /// A conversation is closed.
    public mutating func remove(_ conversation: ConversationID) {
        guard let slot = slots.removeValue(forKey: conversation), let entry = entries[slot] else { return }
        file(slot, from: entry.filing, to: nil)
        entries[slot] = nil
        freeSlots.append(slot)
    }

    /// Say it for every agent at start: of whom nothing was said, nothing is taken away for silence, and nothing is given to them.
    /// - Parameter isSwitchedOff: works here no more. They are offline, and what waits for them alone waits no longer.
    public mutating func set(_ presence: Presence, of agent: AgentID, isSwitchedOff: Bool = false, now: Timestamp) {
        let slot = slot(of: agent)
        let before = agents[slot].isOnline
        if presence.state == .online, agents[slot].presence?.state == .offline {
            agents[slot].warmUpLeft = agents[slot].seat?.capacity ?? 0
        }
        let isOther = agents[slot].isSwitchedOff != isSwitchedOff
        (agents[slot].presence, agents[slot].isSwitchedOff) = (presence, isSwitchedOff)
        refile(agents[slot].all + (isOther ? agents[slot].reserved.all.map(\.slot) : []), now)
        if agents[slot].isOnline != before { countOnline(slot, now) }
        reindex(slot)
    }

    /// A call takes all of an agent's capacity.
    public mutating func set(inCall: Bool, of agent: AgentID) {
        let slot = slot(of: agent)
        agents[slot].inCall = inCall
        reindex(slot)
    }

    /// What was proposed of this conversation came to nothing, and nothing happened to it either: it may be proposed again after a second, after two the next time,
    /// and so on up to a minute. Without that, a proposal that is refused each time would be made and refused as fast as the machine can.
    public mutating func retract(_ conversation: ConversationID, now: Timestamp) {
        guard let slot = slots[conversation], let entry = entries[slot], entry.proposal != nil else { return }
        entries[slot]?.proposal = nil
        entries[slot]?.retractions += 1
        entries[slot]?.heldUntil = now.adding(milliseconds: min(60_000, 1000 << min(entry.retractions, 6)))
        refile([slot], now)
    }

    /// What should happen now, in this order; each is proposed once.
    public mutating func moves(now: Timestamp) -> [Move] {
        if now.adding(milliseconds: Self.toleranceMs) < latest { noticeClock(setBackTo: now) }
        latest = now
        ring(now)
        var moves = scheduledActions(now)
        moves += matchReserved(now)
        moves += matchQueues(now)
        return moves
    }

    /// When to ask for moves again though nothing happens: a ring ends, a silence, a promise, a weight, a pause, a reservation. Asked after `moves`.
    public var nextMoment: Timestamp? { alarms.first.map { Timestamp(milliseconds: $0.first) } }

    private mutating func place(_ entry: Entry, now: Timestamp) {
        let slot = slots[entry.ticket.conversation] ?? newSlot(of: entry.ticket.conversation)
        var entry = entry
        entry.filing = entries[slot]?.filing
        entry.queue = queue(of: entry.ticket.skill)
        entry.due = timetable.due(entry.ticket)
        entries[slot] = entry
        if let agent = entry.ticket.assignee, let moment = entry.ticket.assignedAt {
            noteAssigned(to: self.slot(of: agent), at: moment)
        }
        refile([slot], now)
    }

    private mutating func newSlot(of conversation: ConversationID) -> Int {
        if freeSlots.isEmpty {
            entries.append(nil)
            freeSlots.append(entries.count - 1)
        }
        let slot = freeSlots.removeLast()
        slots[conversation] = slot
        return slot
    }
}
