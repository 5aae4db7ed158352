/// What a waiting consumer can expect.
public struct Expectation: Hashable, Codable, Sendable {
    /// When an agent should have answered. `nil` if no time is promised. Never in the past when it is sent.
    public let by: Timestamp?
    /// `true`: an earlier time was promised and passed. `nil`: every promise was kept so far.
    public let late: Bool?
    /// The position in the queue, from 1. `nil` once an agent has the conversation, or one agent alone may take it.
    public let position: Int?
    /// Whether somebody can answer now: within the opening hours, and a person who may answer is online.
    public let open: Bool
    /// The opening hours of the skill.
    public let hours: OpeningState

    /// Makes what the `expect` frame tells the consumer.
    public init(by: Timestamp?, isLate: Bool, position: Int?, open: Bool, hours: OpeningState) {
        self.by = by
        late = isLate ? true : nil
        self.position = position
        self.open = open
        self.hours = hours
    }
}

/// Whether opening hours are running, and when that changes.
public struct OpeningState: Hashable, Codable, Sendable {
    /// Whether it is within the hours.
    public let open: Bool
    /// When they begin. `nil` if they have begun, or no shift is planned.
    public let opens: Timestamp?

    /// Makes the value. `opens` counts only while the hours are over.
    public init(open: Bool, opens: Timestamp?) {
        self.open = open
        self.opens = open ? nil : opens
    }
}

/// One of the brand's people, as their colleagues see them.
public struct Colleague: Hashable, Codable, Sendable {
    /// The person's id.
    public let id: AgentID
    /// The person's display name.
    public let name: String
    /// Whether the person is an agent or a manager.
    public let role: Role
    /// Whether the person takes work now.
    public let presence: Presence
    /// The skills whose conversations the person gets.
    public let skills: [SkillID]
    /// The weight of the person's conversations, in thousandths of a conversation. `capacity` is in whole ones.
    public let load: Int
    /// The most work that the person takes, in whole active conversations.
    public let capacity: Int
    /// How many open conversations are assigned to the person.
    public let open: Int
    /// Whether the person's profile does not let them answer; `nil`: it does.
    public let isReadOnly: Bool?

    /// Makes a colleague; `load` is in thousandths, `capacity` in whole conversations.
    public init(
        id: AgentID, name: String, role: Role, presence: Presence, skills: [SkillID], load: Int, capacity: Int,
        open: Int, isReadOnly: Bool? = nil
    ) {
        self.id = id
        self.name = name
        self.role = role
        self.presence = presence
        self.skills = skills
        self.load = load
        self.capacity = capacity
        self.open = open
        self.isReadOnly = isReadOnly
    }
}

/// The managers' live view: one line for each skill, and the people.
public struct Wall: Hashable, Codable, Sendable {
    /// The figures of each skill, in the order of the settings.
    public let skills: [Line]
    /// Everyone who answers or supervises, with presence and load.
    public let people: [Colleague]

    /// Makes what the `wall` frame carries.
    public init(skills: [Line], people: [Colleague]) {
        self.skills = skills
        self.people = people
    }

    /// The live figures of one skill.
    public struct Line: Hashable, Codable, Sendable {
        /// The skill that the figures are for.
        public let skill: SkillID
        /// How many conversations wait in the queue.
        public let queued: Int
        /// When the conversation that has waited longest entered the queue. `nil` if the queue is empty.
        public let oldest: Timestamp?
        /// Total length, in milliseconds, of voice messages that none of the brand's people has played, in queued and
        /// assigned conversations.
        public let unplayed: Int
        /// How many conversations are assigned to agents.
        public let assigned: Int
        /// How many of the queued and assigned conversations are past their response time.
        public let overdue: Int
        /// Conversations closed since the brand's midnight.
        public let closed: Int
        /// How many of `closed` have a satisfaction score of 4 or 5.
        public let satisfied: Int
        /// How many of `closed` have any satisfaction score.
        public let rated: Int
        /// Answers since the brand's midnight to consumers who had been given an expected time. The count starts at 0
        /// when the server restarts.
        public let answered: Int
        /// How many of `answered` came within the expected time.
        public let kept: Int
        /// How many people wait for an answer after the time that they had been given.
        public let broken: Int
        /// How many people with this skill are online.
        public let online: Int

        /// Makes the figures of one skill; times are in milliseconds.
        public init(
            skill: SkillID, queued: Int, oldest: Timestamp?, unplayed: Int, assigned: Int, overdue: Int, closed: Int,
            satisfied: Int, rated: Int, answered: Int,
            kept: Int, broken: Int, online: Int
        ) {
            self.skill = skill
            self.queued = queued
            self.oldest = oldest
            self.unplayed = unplayed
            self.assigned = assigned
            self.overdue = overdue
            self.closed = closed
            self.satisfied = satisfied
            self.rated = rated
            self.answered = answered
            self.kept = kept
            self.broken = broken
            self.online = online
        }
    }
}
