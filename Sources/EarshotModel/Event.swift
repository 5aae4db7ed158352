/// What happened in a conversation: durable, numbered, in the past tense. The wire form is the stored form is this
/// type's Codable, pinned by the
/// golden files in Tests/Fixtures/wire.
public struct Event: Hashable, Sendable {
    /// Its number in the conversation, from 1, without gaps.
    public let sequence: Int
    public let at: Timestamp
    public let by: ParticipantNumber
    public let kind: Kind

    public init(sequence: Int, at: Timestamp, by: ParticipantNumber, kind: Kind) {
        self.sequence = sequence
        self.at = at
        self.by = by
        self.kind = kind
    }

    /// The kinds. Changes are additive only: a reader that does not know a kind decodes `.unknown` and shows nothing.
    public enum Kind: Hashable, Sendable {
        /// The consumer's first message opened the conversation.
        case started(Started)
        case text(String)
        case audio(AudioContent)
        /// A voice message that waited for the scanner has its verdict.
        case scanned(Scanned)
        /// Participant `by` is this person from here on.
        case joined(Joined)
        case assigned(Assigned)
        case closed(Closed)
        /// Was closed, is open again and waits for an answer.
        case resumed
        /// Waits for an agent again.
        case queued(Queued)
        /// Is offered to these agents.
        case offered(Offered)
        /// The offer to these agents ended without one of them taking it.
        case declined(Declined)
        /// A private note among the brand's people; the consumer never gets it.
        case note(Note)
        /// An agent who was mentioned in a note marked it as read.
        case noticed(Noticed)
        /// The agent promised to be back by a time; without a time, the agent is back.
        case callback(Callback)
        /// The conversation's tags changed.
        case tagged(Tagged)
        /// An attribute of the conversation was set or removed.
        case attribute(Attribute)
        /// A wrap-up code was chosen.
        case disposed(Disposed)
        /// The conversation was marked urgent, or no longer is.
        case urgent(Urgent)
        /// Earshot sent one of the brand's automatic messages.
        case automatic(Automatic)
        /// Participant `by`, who had joined, left the conversation.
        case left
        /// The consumer was asked for feedback.
        case surveyed(Surveyed)
        /// The consumer answered the survey, or a part of it.
        case rated(Rated)
        case unknown
    }

    public struct Started: Hashable, Codable, Sendable {
        public let channel: MessagingChannel
        public let app: AppID

        public init(channel: MessagingChannel, app: AppID) {
            self.channel = channel
            self.app = app
        }
    }

    public struct Scanned: Hashable, Codable, Sendable {
        /// Number of the voice message.
        public let of: Int
        public let verdict: Verdict

        public init(of: Int, verdict: Verdict) {
            self.of = of
            self.verdict = verdict
        }
    }

    public struct Joined: Hashable, Codable, Sendable {
        public let role: Role
        public let name: String
        /// For the brand's side only; a consumer sees the name.
        public let id: AgentID?
        /// Only the brand's people know: whoever writes a note has not appeared to the consumer.
        public let quiet: Bool?

        public init(role: Role, name: String, id: AgentID?, quiet: Bool = false) {
            self.role = role
            self.name = name
            self.id = id
            self.quiet = quiet ? true : nil
        }
    }

    public struct Assigned: Hashable, Codable, Sendable {
        public let to: ParticipantNumber

        public init(to: ParticipantNumber) {
            self.to = to
        }
    }

    public struct Closed: Hashable, Codable, Sendable {
        /// `nil`: an agent closed it.
        public let why: Why?
        /// Nothing is asked afterwards.
        public let quiet: Bool?

        public init(why: Why? = nil, quiet: Bool = false) {
            self.why = why
            self.quiet = quiet ? true : nil
        }

        public enum Why: String, Hashable, Codable, Sendable, CaseIterable {
            /// The consumer did.
            case consumer
            /// Nobody wrote for as long as the brand waits.
            case idle
        }
    }
}

/// What the scanner found. Everything but `clean` means that nobody else can play it.
public enum Verdict: String, Hashable, Sendable, CaseIterable {
    case clean
    /// It holds something harmful.
    case blocked
    /// It could not be scanned, and never will be. Also what a later version says that this one does not know.
    case failed
}

extension Verdict: Codable {
    public init(from decoder: any Decoder) throws {
        self = Verdict(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .failed
    }
}

/// The channels that exist today. A channel this version does not know decodes to `.unknown`.
public enum MessagingChannel: String, Hashable, Sendable, CaseIterable {
    case web
    case unknown
}

extension MessagingChannel: Codable {
    public init(from decoder: any Decoder) throws {
        self = MessagingChannel(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .unknown
    }
}

/// What a person of the brand is here.
public enum Role: String, Hashable, Codable, Sendable, CaseIterable {
    case consumer
    case agent
    case manager
}
