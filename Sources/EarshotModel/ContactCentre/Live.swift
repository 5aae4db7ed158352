/// What a consumer who waits may expect.
public struct Expectation: Hashable, Codable, Sendable {
    /// By when somebody answers; `nil`: nobody can say.
    public let by: Timestamp?
    /// Place in the queue, from 1; `nil` once an agent has it.
    public let position: Int?
    /// Whether somebody is there now; if not, when the next shift begins.
    public let open: Bool
    public let opens: Timestamp?

    public init(by: Timestamp?, position: Int?, open: Bool, opens: Timestamp?) {
        self.by = by
        self.position = position
        self.open = open
        self.opens = opens
    }
}

/// One of the brand's people as the others see them.
public struct Colleague: Hashable, Codable, Sendable {
    public let id: AgentID
    public let name: String
    public let role: Role
    public let presence: Presence
    public let skills: [SkillID]
    /// Thousandths of a whole conversation; `capacity` in whole ones.
    public let load: Int
    public let capacity: Int
    /// Conversations they answer.
    public let open: Int

    public init(
        id: AgentID, name: String, role: Role, presence: Presence, skills: [SkillID], load: Int, capacity: Int,
        open: Int
    ) {
        self.id = id
        self.name = name
        self.role = role
        self.presence = presence
        self.skills = skills
        self.load = load
        self.capacity = capacity
        self.open = open
    }
}

/// What a manager's wall shows: one line for each skill, and the people.
public struct Wall: Hashable, Codable, Sendable {
    public let skills: [Line]
    public let people: [Colleague]

    public init(skills: [Line], people: [Colleague]) {
        self.skills = skills
        self.people = people
    }

    public struct Line: Hashable, Codable, Sendable {
        public let skill: SkillID
        public let queued: Int
        /// Since when the oldest in the queue waits.
        public let oldest: Timestamp?
        /// Milliseconds of voice that nobody has played, in queue and at work.
        public let unplayed: Int
        public let assigned: Int
        /// Of these and of the queued: past their time.
        public let overdue: Int
        /// Since midnight UTC: closed; answers 4 and 5, and all answers.
        public let closed: Int
        public let satisfied: Int
        public let rated: Int
        /// Since midnight UTC, as far as this server's life goes: answers to consumers who were given a time, and
        /// those that came in it.
        public let answered: Int
        public let kept: Int
        /// People who are online with this skill.
        public let online: Int

        public init(
            skill: SkillID, queued: Int, oldest: Timestamp?, unplayed: Int, assigned: Int, overdue: Int, closed: Int,
            satisfied: Int, rated: Int, answered: Int,
            kept: Int, online: Int
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
            self.online = online
        }
    }
}
