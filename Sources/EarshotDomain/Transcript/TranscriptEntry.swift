public import EarshotModel

/// What a transcript shows of one event.
public struct TranscriptEntry: Hashable, Sendable {
    /// The event's number in its conversation.
    public let sequence: Int
    /// When it happened.
    public let at: Timestamp
    /// Who caused it.
    public let author: TranscriptAuthor
    /// What was said or what happened.
    public let content: Content

    /// Makes an entry.
    public init(sequence: Int, at: Timestamp, author: TranscriptAuthor, content: Content) {
        self.sequence = sequence
        self.at = at
        self.author = author
        self.content = content
    }

    /// What an entry is made of.
    public enum Content: Hashable, Sendable {
        /// A typed message, or one that Earshot sent for the brand.
        case text(String)
        /// A voice message.
        case audio(Audio)
        /// A private note: its text, its recording, or both.
        case note(String?, Audio?)
        /// Something that happened, as a sentence, with its recording, if any, and the kind's name on the wire.
        case event(String, Audio?, name: String)
    }

    /// A recording in a transcript.
    public struct Audio: Hashable, Sendable {
        /// The recording's id, under which the evidence and the media routes name it.
        public let media: MediaID
        /// Its length in milliseconds.
        public let durationMs: Int
        /// Whether someone of the other side listened to it; `nil` for a note or an answer to a survey.
        public let isListened: Bool?

        /// Makes the value.
        public init(media: MediaID, durationMs: Int, isListened: Bool?) {
            self.media = media
            self.durationMs = durationMs
            self.isListened = isListened
        }
    }
}

/// The author of an entry: a person, or Earshot itself.
public struct TranscriptAuthor: Hashable, Sendable {
    /// The name that was shown; `nil`: Earshot.
    public let name: String?
    /// The person's role; `nil`: Earshot.
    public let role: Role?

    /// Makes the value.
    public init(name: String?, role: Role?) {
        self.name = name
        self.role = role
    }

    /// Earshot, which sends automatic messages and surveys.
    public static let earshot = TranscriptAuthor(name: nil, role: nil)
}
