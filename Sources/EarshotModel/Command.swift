/// What someone asks of a conversation. Imperative; it becomes events or a `Rejection`.
public enum Command: Hashable, Sendable {
    /// Send a message.
    case send(Message)
    /// An agent will answer this waiting conversation.
    case take
    /// Close the conversation.
    case close
    /// Decline an offer: offer it to another agent.
    case decline
    /// Transfer to a skill, to an agent, or (neither) back to the queue.
    case transfer(Transfer)
    /// A manager answers from here on, no matter who did before.
    case takeOver
    /// A manager joins and may write, but does not become the assigned agent.
    case join
    /// A manager who joined leaves.
    case leave
    /// Add a private note.
    case note(Note)
    /// The agent will be back in so many seconds; 0: the agent is back.
    case callback(Int)
    /// Replace all tags.
    case tags([String])
    /// Set or remove one attribute.
    case attribute(Event.Attribute)
    /// Choose a wrap-up code, by its id in the brand's list.
    case dispose(String)
    /// Mark the conversation as urgent, or not.
    case urgent(Bool)
    /// Close the conversation without a survey.
    case closeQuietly
    /// Mark a mention as read.
    case noticed
    /// A consumer answers the survey.
    case rate(Rate)

    /// The content of a message.
    public enum Message: Hashable, Sendable {
        /// A typed message.
        case text(String)
        /// A voice message.
        case audio(AudioContent)
    }

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
}

extension Command {
    /// The recording that it carries.
    public var recording: MediaID? {
        switch self {
        case .send(.audio(let audio)): audio.media
        case .transfer(let transfer): transfer.audio
        case .note(let note): note.audio
        case .rate(let rate): rate.audio
        default: nil
        }
    }

    /// Whether it goes in an `ask` frame; `send`, `take` and `close` have frames of their own.
    public var isContactCentre: Bool {
        switch self {
        case .send, .take, .close: false
        default: true
        }
    }

    /// Whether a consumer may ask for this; every other contact-centre command is the brand's.
    public var isConsumers: Bool {
        if case .rate = self { true } else { false }
    }

    /// The same command has the same bytes; a repeated key is compared by a digest of these.
    public var canonicalBytes: [UInt8] {
        switch self {
        case .send(.text(let text)): Array("t".utf8) + Array(text.utf8)
        case .send(.audio(let audio)): Array("a".utf8) + Array(audio.media.rawValue.utf8)
        case .take: Array("k".utf8)
        case .close: Array("c".utf8)
        default: AskedCommand(command: self).canonicalBytes
        }
    }
}
