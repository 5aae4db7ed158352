/// What the contact centre asks of a conversation, beside saying something, taking and closing it. On the wire `{"ask":key,"c":C,"transfer":{…}}`: one member
/// with the kind, docs/protocol.md section 2.
public enum Ask: Hashable, Sendable {
    /// Not me: ring somebody else.
    case decline
    /// To a skill, to an agent, or (neither) back to the queue.
    case transfer(Transfer)
    /// I answer from here on, whoever did before.
    case takeOver
    /// I am here too, and do not answer for it.
    case join
    case leave
    case note(Note)
    /// I will be back in so many seconds; 0: I am back.
    case callback(Int)
    /// All tags from here on.
    case tags([String])
    case attribute(Work.Attribute)
    /// What it was about, as the brand lists it.
    case dispose(String)
    case urgent(Bool)
    /// Close it, and ask the consumer nothing.
    case closeQuietly
    /// I saw where I am mentioned.
    case noticed
    /// A consumer's answer to the survey.
    case rate(Rate)

    public struct Transfer: Hashable, Codable, Sendable {
        public let skill: SkillID?
        public let agent: AgentID?
        /// What whoever gets it should know.
        public let note: String?
        public let audio: MediaID?

        public init(skill: SkillID? = nil, agent: AgentID? = nil, note: String? = nil, audio: MediaID? = nil) {
            self.skill = skill
            self.agent = agent
            self.note = note
            self.audio = audio
        }
    }

    public struct Note: Hashable, Codable, Sendable {
        public let text: String?
        public let audio: MediaID?
        public let mentions: [AgentID]?

        public init(text: String? = nil, audio: MediaID? = nil, mentions: [AgentID]? = nil) {
            self.text = text
            self.audio = audio
            self.mentions = mentions
        }
    }

    public struct Rate: Hashable, Codable, Sendable {
        public let csat: Int?
        public let nps: Int?
        public let text: String?
        public let audio: MediaID?

        public init(csat: Int? = nil, nps: Int? = nil, text: String? = nil, audio: MediaID? = nil) {
            self.csat = csat
            self.nps = nps
            self.text = text
            self.audio = audio
        }
    }

    /// The recording that it carries.
    public var recording: MediaID? {
        switch self {
        case .transfer(let transfer): transfer.audio
        case .note(let note): note.audio
        case .rate(let rate): rate.audio
        default: nil
        }
    }

    /// Whether a consumer may ask this; all else is the brand's.
    public var isConsumers: Bool {
        if case .rate = self { true } else { false }
    }
}
