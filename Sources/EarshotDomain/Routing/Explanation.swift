public import EarshotModel

/// Why a conversation stands where it stands in its queue. Points: one is a second of time left.
public struct Score: Hashable, Codable, Sendable {
    /// Those that an agent can do something about come before all others, whatever their points.
    public var isActionable: Bool
    public var parts: [Part]

    /// What the queue is ordered by, from the greatest to the least.
    public var total: Int { parts.reduce(0) { $0 + $1.points } }

    public struct Part: Hashable, Codable, Sendable {
        public var name: Name
        public var points: Int
    }

    public enum Name: String, Hashable, Codable, Sendable, CaseIterable {
        /// An hour, less what is left of the response time: below zero when more than an hour is left.
        case timeLeft
        /// A quarter of the time that it waits for an agent.
        case waiting
        case urgent
        case transfers
        /// As long as it takes to hear what nobody has played.
        case unplayed
        /// What the skill's velocity makes of the sum of the others.
        case velocity
    }
}

/// Everything about where a waiting conversation stands, and who could have it.
public struct Explanation: Hashable, Codable, Sendable {
    public var position: Int?
    public var due: Timestamp?
    public var score: Score
    /// Of everybody with its skill, and whom it is meant for: in the order in which they would be asked, then those who would not.
    public var agents: [Candidate]

    public struct Candidate: Hashable, Codable, Sendable {
        public var agent: AgentID
        /// `nil`: would get it.
        public var obstacle: Obstacle?
        /// Thousandths of a whole conversation.
        public var load: Int
        public var capacity: Int
    }

    /// Why an agent would not get it.
    public enum Obstacle: String, Hashable, Codable, Sendable, CaseIterable {
        case offline, away
        /// Takes only what is meant for them.
        case occupied
        case inCall
        /// Has just answered an old message, or begins their shift, and gets a breath.
        case pausing
        /// With this conversation the load would exceed capacity and slack.
        case full
        /// Declined it, let it ring or gave it back.
        case refused
        /// It is meant for somebody else.
        case reserved
        /// The conversation itself does not ask for anybody: it has an agent, an agent promised to be back later, all have been asked just now, or the log refused what
        /// was proposed.
        case settled
    }
}

/// What waits with one skill, and what is being answered.
public struct QueueCount: Hashable, Codable, Sendable {
    public var waiting = 0
    /// Since when the one waits that waits longest.
    public var oldest: Timestamp?
    /// Voice that nobody has played, of those waiting.
    public var unplayedMs = 0
    public var assigned = 0
    /// Of all open ones, those that should have been answered by now.
    public var overdue = 0
    /// Agents with this skill who take new conversations.
    public var online = 0

    public init() {}
}

/// How much an agent has to do, in thousandths of a whole conversation.
public struct AgentLoad: Hashable, Codable, Sendable {
    public var load: Int
    /// What it is measured by; the load may exceed it by the slack.
    public var capacity: Int
    /// How many conversations are theirs.
    public var conversations: Int
    /// How many ring at them, and how much of the load that is.
    public var ringing: Int
    public var offeredLoad = 0
}
