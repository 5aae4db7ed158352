import Crypto
public import EarshotDomain
public import EarshotModel

/// Which conversations of the brand a person sees. Decides from memory, so that live rows need no database.
public enum ConversationScope: Hashable, Sendable {
    /// Every conversation.
    case everything
    /// Some of them.
    case part(Part)

    /// The conversations that a person sees who does not see all of them.
    public struct Part: Hashable, Sendable {
        /// The person.
        public let agent: AgentID
        /// Whose conversations the person sees: the person's own, and those of people in the same groups.
        public let people: Set<AgentID>
        /// The skills of which the person sees what waits.
        public let queues: Set<SkillID>
        /// The skills of which the person sees everything.
        public let skills: Set<SkillID>
        /// The skill of conversations that routing has given none yet.
        public let defaultSkill: SkillID
        /// Whether the person sees every closed conversation.
        public let hasHistory: Bool

        /// Creates a part.
        /// - Parameter groups: the groups of the brand.
        public init(
            of agent: AgentID, groups: [PeopleGroup], in settings: ContactCentreSettings, hasHistory: Bool
        ) {
            let own = groups.filter { $0.people.contains(agent) }
            self.agent = agent
            people = own.reduce(into: [agent]) { $0.formUnion($1.people) }
            skills = own.reduce(into: []) { $0.formUnion($1.skills) }
            // Routing gives agents without a seat every skill.
            queues = Set(settings.seat(of: agent)?.skills ?? settings.skills.map(\.id))
            defaultSkill = settings.defaultSkill.id
            self.hasHistory = hasHistory
        }

        func sees(_ facts: ScopeFacts) -> Bool {
            if facts.offered.contains(agent) || facts.people.called.contains(agent) { return true }
            if facts.people.participants.contains(where: people.contains) { return true }
            let skill = facts.skill ?? defaultSkill
            if skills.contains(skill) { return true }
            return switch facts.status {
            case .closed: hasHistory
            case .open: false
            case .new, .waiting: queues.contains(skill)
            }
        }
    }

    /// Whether a conversation is one of those that the person sees.
    public func sees(_ facts: @autoclosure () -> ScopeFacts) -> Bool {
        switch self {
        case .everything: true
        case .part(let part): part.sees(facts())
        }
    }

    /// The epoch of a log as people with this scope know it. Who comes back with another scope loads the inbox again.
    public func epoch(of log: String) -> String {
        guard case .part(let part) = self else { return log }
        let lists = [
            [part.agent.rawValue, part.defaultSkill.rawValue, part.hasHistory ? "1" : "0"],
            part.people.map(\.rawValue).sorted(), part.queues.map(\.rawValue).sorted(),
            part.skills.map(\.rawValue).sorted(),
        ]
        let text = lists.map { $0.joined(separator: " ") }.joined(separator: "/")
        return "\(log).\(Base64URL.encode(Array(SHA256.hash(data: Array(text.utf8)).prefix(12))))"
    }
}

/// Which people of the brand see a conversation because of what they did in it, or others did.
public struct ConversationPeople: Hashable, Sendable {
    /// Who takes part in it or did, so that the consumer noticed. A person who only tagged it, wrote a note or declined
    /// takes no part: else each of these would be a way to see it for ever.
    public let participants: [AgentID]
    /// Whom somebody else mentioned in it.
    public let called: [AgentID]

    /// Takes the people from the state of a conversation.
    public init(_ state: ConversationState) {
        participants = state.people.filter { $0.quiet != true }.compactMap(\.id)
        called = state.routing.called
    }

    /// Makes the value.
    public init(participants: [AgentID] = [], called: [AgentID] = []) {
        self.participants = participants
        self.called = called
    }
}

/// What of a conversation decides who sees it.
public struct ScopeFacts: Hashable, Sendable {
    /// Whether it waits, is assigned or is closed.
    let status: ConversationStatus
    /// The skill in whose queue it is; `nil`: routing has given it none.
    let skill: SkillID?
    /// Whom it is offered to or reserved for.
    let offered: [AgentID]
    /// Who of the brand has to do with it.
    let people: ConversationPeople

    /// Takes the facts from the state of a conversation.
    public init(_ state: ConversationState) {
        let routing = state.routing
        status = state.status
        skill = routing.skill
        offered = (routing.offer?.to ?? []) + (routing.reserved.map { [$0.agent] } ?? [])
        people = ConversationPeople(state)
    }

    /// Takes the facts from an inbox row.
    /// - Parameter people: those of the row's conversation.
    public init(_ row: InboxRow, people: ConversationPeople) {
        let routing = row.routing
        status = row.status
        skill = routing?.skill
        offered = (routing?.offer?.to ?? []) + (routing?.reserved.map { [$0] } ?? [])
        self.people = people
    }
}
