/// One thing that happened in a conversation. Events are durable, numbered and named in the past tense.
///
/// The stored form and the wire form are the same JSON, which this type's `Codable` produces. The golden files in
/// Tests/Fixtures/wire pin it.
public struct Event: Hashable, Sendable {
    /// The event's number in its conversation, from 1, without gaps.
    public let sequence: Int
    /// When the server recorded the event.
    public let at: Timestamp
    /// The participant who caused the event; 0 is Earshot.
    public let by: ParticipantNumber
    /// What happened, with the content of that kind of event.
    public let kind: Kind

    /// Makes an event from its parts. The writer assigns `sequence`.
    public init(sequence: Int, at: Timestamp, by: ParticipantNumber, kind: Kind) {
        self.sequence = sequence
        self.at = at
        self.by = by
        self.kind = kind
    }

    /// The content of a `reopened` event.
    public typealias Reopened = Reopening

    /// The kinds of events. Changes only add kinds; a reader decodes one that it does not know as `.unknown`.
    public enum Kind: Hashable, Sendable {
        /// The consumer's first message opened the conversation.
        case started(Started)
        /// A participant sent a typed message.
        case text(String)
        /// A participant sent a voice message.
        case audio(AudioContent)
        /// The scanner returned its verdict on a voice message that was sent as `pending`.
        case scanned(Scanned)
        /// The participant `by` is this person from now on.
        case joined(Joined)
        /// The conversation is assigned to a participant, who answers it from now on.
        case assigned(Assigned)
        /// An agent, the consumer or the idle timer closed the conversation.
        case closed(Closed)
        /// A message reopened a closed conversation, which waits for an agent again.
        case resumed
        /// Who closed the conversation took that back: it is as it was before.
        case reopened(Reopened)
        /// One of the brand's people recorded that the consumer's last words need no answer. Private to the brand.
        case settled
        /// The conversation is back in a queue and waits for an agent. Private to the brand.
        case queued(Queued)
        /// Routing offered the conversation to these agents. Private to the brand.
        case offered(Offered)
        /// The offer to these agents ended and none of them accepted it. Private to the brand.
        case declined(Declined)
        /// A private note among the brand's people; no consumer receives it.
        case note(Note)
        /// An agent marked a mention of them as read. Private to the brand.
        case noticed(Noticed)
        /// An agent snoozed the conversation until a time, or is back if there is no time.
        case callback(Callback)
        /// The conversation's tags changed. Private to the brand.
        case tagged(Tagged)
        /// An attribute of the conversation was set or removed. Private to the brand.
        case attribute(Attribute)
        /// An agent chose a wrap-up code. Private to the brand.
        case disposed(Disposed)
        /// The conversation was marked as urgent, or no longer is. Private to the brand.
        case urgent(Urgent)
        /// Earshot sent one of the brand's automatic messages.
        case automatic(Automatic)
        /// The participant `by` left the conversation.
        case left
        /// Earshot asked the consumer for feedback.
        case surveyed(Surveyed)
        /// The consumer answered the survey, or a part of it.
        case rated(Rated)
        /// An agent invites the consumer to a call.
        case callInvited(CallInvitation)
        /// The consumer accepted an invitation.
        case callAnswered(CallAnswer)
        /// A call ended, or its invitation did.
        case callEnded(CallEnding)
        /// The consumer asks to be called.
        case callRequested(CallRequest)
        /// A kind that this version does not know. It is never written and never shown.
        case unknown
    }

    /// Where a conversation began. It is the first event of every conversation.
    public struct Started: Hashable, Codable, Sendable {
        /// The channel that the consumer's first message came from.
        public let channel: MessagingChannel
        /// The app or site in which the consumer wrote.
        public let app: AppID
        /// Makes the content of a `started` event.
        public init(channel: MessagingChannel, app: AppID) {
            self.channel = channel
            self.app = app
        }
    }

    /// The scanner's verdict on one voice message.
    public struct Scanned: Hashable, Codable, Sendable {
        /// The sequence of the voice message.
        public let of: Int
        /// Whether the recording is clean, harmful, or could not be scanned.
        public let verdict: Verdict
        /// Makes the content of a `scanned` event for voice message `of`.
        public init(of: Int, verdict: Verdict) {
            self.of = of
            self.verdict = verdict
        }
    }

    /// The person behind a participant number.
    public struct Joined: Hashable, Codable, Sendable {
        /// The person's role in this conversation.
        public let role: Role
        /// The person's display name; the consumer sees it unless `quiet` is set.
        public let name: String
        /// The agent's id. `nil` for a consumer's view, which has only the name.
        public let id: AgentID?
        /// `true` if the consumer does not see them, such as the author of a private note; else `nil`.
        public let quiet: Bool?
        /// Makes the content of a `joined` event; `quiet: false` is stored as `nil`.
        public init(role: Role, name: String, id: AgentID?, quiet: Bool = false) {
            self.role = role
            self.name = name
            self.id = id
            self.quiet = quiet ? true : nil
        }
    }

    /// The participant who answers from now on.
    public struct Assigned: Hashable, Codable, Sendable {
        /// The assigned agent's number in this conversation.
        public let to: ParticipantNumber
        /// Makes the content of an `assigned` event.
        public init(to: ParticipantNumber) {
            self.to = to
        }
    }

    /// How a conversation was closed.
    public struct Closed: Hashable, Codable, Sendable {
        /// Who or what closed it. `nil` if an agent did.
        public let why: Why?
        /// `true` if no survey follows. `nil` otherwise.
        public let quiet: Bool?
        /// Makes the content of a `closed` event; `quiet: false` is stored as `nil`.
        public init(why: Why? = nil, quiet: Bool = false) {
            self.why = why
            self.quiet = quiet ? true : nil
        }

        /// A cause for closing other than an agent.
        public enum Why: String, Hashable, Codable, Sendable, CaseIterable {
            /// The consumer closed the conversation.
            case consumer
            /// The consumer did not write within the skill's `autoCloseSeconds`, or nobody did anything for
            /// `Limits.unansweredDays` while the consumer waited for an answer.
            case idle
        }
    }
}

/// What the scanner found. With any verdict other than `clean`, other people cannot play the recording.
public enum Verdict: String, Hashable, Sendable, CaseIterable {
    /// The scanner found nothing; everyone in the conversation can play the recording.
    case clean
    /// The recording holds something harmful, and no one can play it.
    case blocked
    /// The recording could not be scanned and will not be scanned again; only its author can play it. A verdict that
    /// this version does not know decodes as `failed`.
    case failed
}

extension Verdict: Codable {
    public init(from decoder: any Decoder) throws {
        self = Verdict(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .failed
    }
}

/// The channels that exist today. A channel that this version does not know decodes as `.unknown`.
public enum MessagingChannel: String, Hashable, Sendable, CaseIterable {
    /// The brand's website or app, through Earshot's widget.
    case web
    /// A channel that this version does not know.
    case unknown
}

extension MessagingChannel {
    /// Whether people can be called on it.
    public var hasCalls: Bool {
        switch self {
        case .web: true
        case .unknown: false
        }
    }
}

extension MessagingChannel: Codable {
    public init(from decoder: any Decoder) throws {
        self = MessagingChannel(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .unknown
    }
}

/// What a person is in a conversation. Of the brand's people it names the built-in profile (`Permission.of(_:)`).
public enum Role: String, Hashable, Codable, Sendable, CaseIterable {
    /// The person who writes to the brand.
    case consumer
    /// A person of the brand who answers consumers.
    case agent
    /// A person of the brand who supervises agents and may answer too.
    case manager
    /// A person of the brand who may do everything, with its people, keys and identity provider.
    case administrator
}
