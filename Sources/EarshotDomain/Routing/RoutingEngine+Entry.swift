import EarshotModel

extension RoutingEngine {
    /// An open conversation: its ticket, and what the engine remembers of it by itself.
    struct Entry: Sendable {
        var ticket: QueueEntry
        var queue = 0
        var due: Timestamp?
        var proposal: Proposal?
        /// Who has been asked in this round, and how often all had been.
        var asked: Set<AgentID>
        var rounds = 0
        /// All have been asked: nobody is asked before this.
        var restsUntil: Timestamp?
        /// How often a proposal came to nothing since the ticket came, and until when there is none because of that.
        var retractions = 0
        var heldUntil: Timestamp?
        /// Where it stands in the engine's lines.
        var filing: Filing?

        init(_ ticket: QueueEntry) {
            self.ticket = ticket
            asked = ticket.refused
        }

        /// The same conversation after a change. Who let it ring is asked no more in this round, whatever the ticket says: it says nothing new the second time.
        func followed(by next: QueueEntry) -> Entry {
            var entry = Entry(next)
            guard next.assignee == nil, next.skill == ticket.skill, next.refused.isSuperset(of: ticket.refused)
            else { return entry }
            let rangInVain = Set(ticket.offer?.to ?? []).subtracting(next.offer?.to ?? [])
            entry.asked = asked.union(next.refused.subtracting(ticket.refused)).union(rangInVain)
            entry.rounds = rounds
            entry.restsUntil = restsUntil
            return entry
        }

        /// Whether nothing was proposed since its ticket came.
        var isUntouched: Bool { isIdle && retractions == 0 }

        /// Whether something may be proposed.
        var isIdle: Bool { proposal == nil && heldUntil == nil && ticket.isRouted }

        /// For a engine built anew: what was proposed to agents is proposed again there.
        func moved() -> Entry {
            var entry = self
            (entry.filing, entry.proposal, entry.heldUntil) = (nil, nil, nil)
            return entry
        }
    }

    /// What was proposed and has not come back yet; it counts as done.
    enum Proposal: Hashable, Sendable {
        case offer([Int])
        case assign(Int)
        /// Back, on, or away from an agent: nobody gets it meanwhile.
        case other
    }

    /// Everywhere that an entry stands.
    struct Filing: Hashable, Sendable {
        var queue: Int
        /// Among those waiting; `nil`: it has an agent.
        var rank: Rank?
        /// What an agent must have room for, below zero; `RankedTree.nothing`: nobody gets it now.
        var measure = RankedTree.nothing
        var meantFor: Int?
        var holds: [Hold] = []
        var alarm: Rank?
        var due: Rank?
        var age: Rank?
        var unplayedMs = 0
        /// Would go to the fallback skill.
        var isNew = false
        var isResting = false
        /// Something should happen to it now.
        var isDue = false
    }

    /// What of an agent a conversation takes.
    struct Hold: Hashable, Sendable {
        var agent: Int
        var weight: Int
        var isTheirs: Bool
    }

    /// An agent, whether or not the centre knows them.
    struct Person: Sendable {
        let id: AgentID
        var seat: Seat?
        var skills: [Int] = []
        var presence: Presence?
        /// Works here no more: nothing is meant for them, and what is theirs goes back even where the brand lets who is offline keep it.
        var isSwitchedOff = false
        var inCall = false
        var pausedUntil: Timestamp?
        /// How many conversations still come one by one, for the shift has just begun.
        var warmUpLeft = 0
        var lastAssigned: Int64 = 0
        var load = 0
        /// Conversations that are theirs, and that ring or are on their way to them.
        var theirs: Set<Int> = []
        var ringing: Set<Int> = []
        /// What waits for them alone.
        var reserved = RankedTree()
        /// Their place among the able, and their room there.
        var rank: Rank?
        var room = 0
        var alarm: Rank?
        var isHopeful = false

        init(_ id: AgentID) { self.id = id }

        var isOnline: Bool { presence?.state == .online }
        var isReachable: Bool { presence?.state == .online || presence?.state == .occupied }
        var all: [Int] { theirs.union(ringing).sorted() }
    }

    /// The conversations and the agents of one skill.
    struct Queue: Sendable {
        var skill: Skill
        /// In the order in which they get an agent, measured by what they need, below zero.
        var waiting = RankedTree()
        /// Those waiting by since when; all open ones by when they are due.
        var ages = RankedTree()
        var dues = RankedTree()
        /// Agents who could take something new, in the order in which they are asked, measured by their room.
        var able = RankedTree()
        var new: Set<Int> = []
        var resting: Set<Int> = []
        var unplayedMs = 0
        var assigned = 0
        var online = 0
        /// Something came, or somebody has more room, since `moves` last looked.
        var isHopeful = false

        init(_ skill: Skill) { self.skill = skill }
    }
}
