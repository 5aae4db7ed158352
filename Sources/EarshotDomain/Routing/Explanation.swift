public import EarshotModel

/// Why a conversation has its position in the queue. One point is one second of time left.
public struct Score: Hashable, Codable, Sendable {
    /// Conversations that an agent can do something about come before all others, whatever their points.
    public var isActionable: Bool
    /// The parts of the sum.
    public var parts: [Part]

    /// The sum that orders the queue, greatest first.
    public var total: Int { parts.reduce(0) { $0 + $1.points } }

    /// One part of the sum.
    public struct Part: Hashable, Codable, Sendable {
        /// What the points are for.
        public var name: Name
        /// How many points it adds.
        public var points: Int
    }

    /// What points are given for.
    public enum Name: String, Hashable, Codable, Sendable, CaseIterable {
        /// One hour less what is left of the response time: negative while more than an hour is left.
        case timeLeft
        /// A quarter of the time that it has waited for an agent.
        case waiting
        /// It is marked as urgent.
        case urgent
        /// How often it was transferred.
        case transfers
        /// The length of the voice that nobody has played.
        case unplayed
        /// What the skill's velocity adds to the sum of the others.
        case velocity
    }
}

/// Everything about the position of a waiting conversation, and who could get it.
public struct Explanation: Hashable, Codable, Sendable {
    /// The position in its queue, from 1; `nil`: it has an agent.
    public var position: Int?
    /// When its consumer should have an answer.
    public var due: Timestamp?
    /// The points that give its position.
    public var score: Score
    /// All agents with its skill and the one it is reserved for: first those who would be asked, in that order.
    public var agents: [Candidate]

    /// An agent who might get the conversation.
    public struct Candidate: Hashable, Codable, Sendable {
        /// The agent.
        public var agent: AgentID
        /// Why they would not get it; `nil`: they would.
        public var obstacle: Obstacle?
        /// In thousandths of a whole conversation.
        public var load: Int
        /// In thousandths of a whole conversation.
        public var capacity: Int
    }

    /// Why an agent would not get a conversation.
    public enum Obstacle: String, Hashable, Codable, Sendable, CaseIterable {
        /// The agent is offline.
        case offline
        /// The agent is away.
        case away
        /// The agent takes only what is reserved for them.
        case occupied
        /// The agent is in a call.
        case inCall
        /// The agent has just answered an old message or begins a shift, and gets a pause.
        case pausing
        /// With this conversation the load would exceed capacity and slack.
        case full
        /// The agent declined it, let the offer expire, or gave it back.
        case refused
        /// The agent's profile does not let them answer.
        case noPermission
        /// It is reserved for another agent.
        case reserved
        /// The conversation needs no agent now: it has one, it is snoozed, all have been asked just now, or the log
        /// refused the last action.
        case settled
    }
}

/// The figures of one skill's queue.
public struct QueueCount: Hashable, Codable, Sendable {
    /// Conversations that wait for an agent.
    public var waiting = 0
    /// Since when the oldest of them waits.
    public var oldest: Timestamp?
    /// Milliseconds of voice in them that nobody has played.
    public var unplayedMs = 0
    /// Conversations that have an agent.
    public var assigned = 0
    /// Open conversations whose consumer should have had an answer by now.
    public var overdue = 0
    /// Agents with this skill who take new conversations.
    public var online = 0

    /// Makes the figures of an empty queue.
    public init() {}
}

/// How much an agent has to do, in thousandths of a whole conversation.
public struct AgentLoad: Hashable, Codable, Sendable {
    /// The load of assigned and offered conversations, or of a call.
    public var load: Int
    /// The load may exceed it by the slack.
    public var capacity: Int
    /// How many conversations are assigned to the agent.
    public var conversations: Int
    /// How many conversations are offered to the agent.
    public var offers: Int
    /// The part of the load that comes from offers.
    public var offeredLoad = 0
}
