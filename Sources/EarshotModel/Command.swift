/// A request to change a conversation, in the imperative. `decide` turns it into events or a `Rejection`.
public enum Command: Hashable, Sendable {
    /// Send a message.
    case send(Message)
    /// Assign a waiting conversation to the agent who asks.
    case take
    /// Close the conversation.
    case close
    /// Decline an offer; routing offers the conversation to another agent.
    case decline
    /// Transfer to a skill, to an agent, or (neither) back to the queue.
    case transfer(Transfer)
    /// A manager answers from now on, and replaces the assigned agent.
    case takeOver
    /// A manager joins and may write, but does not become the assigned agent.
    case join
    /// A manager who joined leaves.
    case leave
    /// Add a private note.
    case note(Note)
    /// Snooze: the agent will be back in this many seconds. 0 means that the agent is back.
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
    /// Take back one's own close, within `Limits.reopenSeconds`.
    case reopen
    /// Record that the consumer's last words need no answer.
    case settle
    /// Mark a mention as read.
    case noticed
    /// A consumer answers the survey.
    case rate(Rate)
    /// Invite the consumer to a call.
    case invite(CallKind)
    /// The consumer accepts the invitation to the call with this number.
    case answerCall(Int)
    /// End a call, or its invitation.
    case hangUp(HangUp)
    /// The consumer asks to be called.
    case requestCall(CallKind)

    /// The content of a message.
    public enum Message: Hashable, Sendable {
        /// A typed message.
        case text(String)
        /// A voice message.
        case audio(AudioContent)
    }

    /// Where a transfer goes, with an optional note for the next agent. With neither `skill` nor `agent` the
    /// conversation returns to its queue.
    public struct Transfer: Hashable, Codable, Sendable {
        /// The skill to transfer to. `nil` keeps the current skill.
        public let skill: SkillID?
        /// The agent to reserve the conversation for. `nil` if any agent with the skill may take it.
        public let agent: AgentID?
        /// A written note for the next agent, stored as a private note.
        public let note: String?
        /// A spoken note for the next agent, uploaded and finished before.
        public let audio: MediaID?

        /// Makes a transfer; without arguments it returns the conversation to its queue.
        public init(skill: SkillID? = nil, agent: AgentID? = nil, note: String? = nil, audio: MediaID? = nil) {
            self.skill = skill
            self.agent = agent
            self.note = note
            self.audio = audio
        }
    }

    /// The content of a private note to add.
    public struct Note: Hashable, Codable, Sendable {
        /// The written part. `nil` if the note is only spoken.
        public let text: String?
        /// The spoken part, uploaded and finished before. `nil` if the note is only written.
        public let audio: MediaID?
        /// The agents to mention, at most `Limits.mentions`. `nil` mentions no one.
        public let mentions: [AgentID]?

        /// Makes a note, which needs `text`, `audio`, or both.
        public init(text: String? = nil, audio: MediaID? = nil, mentions: [AgentID]? = nil) {
            self.text = text
            self.audio = audio
            self.mentions = mentions
        }
    }

    /// A consumer's answer to the survey, or a part of it.
    public struct Rate: Hashable, Codable, Sendable {
        /// Satisfaction from 1 to 5. `nil` if this answer has none.
        public let csat: Int?
        /// Likelihood to recommend from 0 to 10. `nil` if this answer has none.
        public let nps: Int?
        /// A typed comment, at most `Limits.ratingScalars`. `nil` if this answer has none.
        public let text: String?
        /// A spoken comment, uploaded and finished before. `nil` if this answer has none.
        public let audio: MediaID?

        /// Makes an answer; parts that the consumer did not answer are `nil`.
        public init(csat: Int? = nil, nps: Int? = nil, text: String? = nil, audio: MediaID? = nil) {
            self.csat = csat
            self.nps = nps
            self.text = text
            self.audio = audio
        }
    }
}

extension Command {
    /// The recording that the command carries. `nil` if it has none.
    public var recording: MediaID? {
        switch self {
        case .send(.audio(let audio)): audio.media
        case .transfer(let transfer): transfer.audio
        case .note(let note): note.audio
        case .rate(let rate): rate.audio
        default: nil
        }
    }

    /// Whether the command is sent in an `ask` frame. `send`, `take` and `close` have their own frames.
    public var isContactCentre: Bool {
        switch self {
        case .send, .take, .close: false
        default: true
        }
    }

    /// Whether a consumer may send this contact-centre command. Only the brand's people may send the others.
    public var isConsumers: Bool {
        switch self {
        case .rate, .answerCall, .hangUp, .requestCall: true
        default: false
        }
    }

    /// Bytes that are equal for equal commands. A repeated idempotency key is checked against their digest.
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

extension Command {
    /// What one of the brand's people needs for this command in any conversation; `nil` for what only consumers do.
    /// Conversations that somebody else answers can need more: `decide` says so.
    public var permission: Permission? {
        switch self {
        case .close, .closeQuietly, .reopen: .closeConversations
        case .takeOver: .takeOverConversations
        case .join: .joinConversations
        case .note: .readNotes
        case .leave, .noticed: .readConversations
        case .invite(.voice): .startVoiceCalls
        case .invite(.video): .startVideoCalls
        case .rate, .answerCall, .requestCall: nil
        case .send, .take, .decline, .transfer, .callback, .hangUp, .tags, .attribute, .dispose, .urgent, .settle:
            .answerConversations
        }
    }
}
