/// The contents of the contact centre's events: queue, offers, notes, callbacks, wrap-up, survey. On the wire each is
/// a kind of its own
/// (docs/protocol.md section 3).
extension Event {
    public struct Queued: Hashable, Codable, Sendable {
        public let skill: SkillID
        public let why: Why
        /// Meant for this agent, until then.
        public let to: AgentID?
        public let until: Timestamp?

        public init(skill: SkillID, why: Why, to: AgentID? = nil, until: Timestamp? = nil) {
            self.skill = skill
            self.why = why
            self.to = to
            self.until = until
        }

        public enum Why: String, Hashable, Codable, Sendable, CaseIterable {
            /// By the brand's rules, as it began or went on.
            case routed
            case transferred, returned
            /// Its agent said nothing for too long, or is gone.
            case silent, offline
            /// Nobody with the skill is there.
            case fallback
            /// Whom it was meant for did not take it.
            case unanswered
        }
    }

    public struct Offered: Hashable, Codable, Sendable {
        public let to: [AgentID]
        public let until: Timestamp

        public init(to: [AgentID], until: Timestamp) {
            self.to = to
            self.until = until
        }
    }

    public struct Declined: Hashable, Codable, Sendable {
        public let agents: [AgentID]
        /// They said no; without it the ring ended.
        public let said: Bool

        public init(agents: [AgentID], said: Bool) {
            self.agents = agents
            self.said = said
        }
    }

    public struct Note: Hashable, Codable, Sendable {
        public let text: String?
        public let audio: AudioContent?
        public let mentions: [AgentID]

        public init(text: String? = nil, audio: AudioContent? = nil, mentions: [AgentID] = []) {
            self.text = text
            self.audio = audio
            self.mentions = mentions
        }
    }

    public struct Noticed: Hashable, Codable, Sendable {
        public let agent: AgentID

        public init(agent: AgentID) { self.agent = agent }
    }

    public struct Callback: Hashable, Codable, Sendable {
        public let until: Timestamp?

        public init(until: Timestamp?) { self.until = until }
    }

    public struct Tagged: Hashable, Codable, Sendable {
        /// All that hold from here on.
        public let tags: [String]

        public init(tags: [String]) { self.tags = tags }
    }

    public struct Attribute: Hashable, Codable, Sendable {
        public let name: String
        /// `nil` takes it away.
        public let value: String?

        public init(name: String, value: String?) {
            self.name = name
            self.value = value
        }
    }

    public struct Disposed: Hashable, Codable, Sendable {
        public let id: String
        public let name: String

        public init(id: String, name: String) {
            self.id = id
            self.name = name
        }
    }

    public struct Urgent: Hashable, Codable, Sendable {
        public let on: Bool

        public init(on: Bool) { self.on = on }
    }

    public struct Automatic: Hashable, Codable, Sendable {
        public let on: AutomaticMessage.Occasion
        public let text: String

        public init(on: AutomaticMessage.Occasion, text: String) {
            self.on = on
            self.text = text
        }
    }

    public struct Surveyed: Hashable, Codable, Sendable {
        public let question: String
        public let csat: Bool
        public let nps: Bool
        public let words: Bool
        /// Over by then.
        public let until: Timestamp

        public init(question: String, csat: Bool, nps: Bool, words: Bool, until: Timestamp) {
            self.question = question
            self.csat = csat
            self.nps = nps
            self.words = words
            self.until = until
        }
    }

    /// An answer to the survey, or a part of it; a later one adds to an earlier.
    public struct Rated: Hashable, Codable, Sendable {
        /// 1 to 5.
        public let csat: Int?
        /// 0 to 10.
        public let nps: Int?
        public let text: String?
        public let audio: AudioContent?

        public init(csat: Int? = nil, nps: Int? = nil, text: String? = nil, audio: AudioContent? = nil) {
            self.csat = csat
            self.nps = nps
            self.text = text
            self.audio = audio
        }
    }
}

extension Event.Kind {
    /// Whether the event belongs to the contact centre, not to what consumer and agent say to each other. One general
    /// codec serves these: they are rare.
    public var isContactCentre: Bool {
        switch self {
        case .queued, .offered, .declined, .note, .noticed, .callback, .tagged, .attribute, .disposed, .urgent,
            .automatic, .left, .surveyed, .rated:
            true
        case .started, .text, .audio, .scanned, .joined, .assigned, .closed, .resumed, .unknown: false
        }
    }

    /// Whether only the brand's people ever see it.
    public var isPrivate: Bool {
        switch self {
        case .queued, .offered, .declined, .note, .noticed, .tagged, .attribute, .disposed, .urgent: true
        case .callback, .automatic, .left, .surveyed, .rated: false
        case .started, .text, .audio, .scanned, .joined, .assigned, .closed, .resumed, .unknown: false
        }
    }
}
