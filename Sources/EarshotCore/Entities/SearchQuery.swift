public import EarshotModel

/// Criteria for a search across a brand's conversations. A criterion that is `nil` is not applied.
public struct SearchQuery: Hashable, Sendable {
    /// Words that all occur in one message, in the consumer's name, or in one tag. The last may be the beginning of a
    /// word if it has at least `Limits.searchPrefixScalars` letters.
    public var words: String?
    /// The conversation's status.
    public var status: ConversationStatus?
    /// Whether the conversation is closed.
    public var isClosed: Bool?
    /// The consumer.
    public var consumer: ConsumerID?
    /// The skill that the conversation is routed to.
    public var skill: SkillID?
    /// The agent who answers the conversation, or answered it last.
    public var agent: AgentID?
    /// A tag that the conversation has.
    public var tag: String?
    /// The highest satisfaction rating to include.
    public var csat: Int?
    /// The earliest time of the conversation's last event.
    public var from: Timestamp?
    /// The latest time of the conversation's last event.
    public var to: Timestamp?
    /// The feed position of the last row of the page before; only rows below it are returned.
    public var before: Int64?
    /// The most results to return.
    public var limit: Int
    /// Which conversations may be found at all.
    public var scope = ConversationScope.everything
    /// Whether words are looked for in private notes too.
    public var includesNotes = false

    /// Creates a query without criteria.
    public init(limit: Int) {
        self.limit = limit
    }
}

/// How many messages a conversation has.
public struct MessageCounts: Hashable, Sendable {
    /// Texts, voice messages and automatic messages.
    public let messages: Int
    /// The voice messages among them.
    public let recordings: Int

    /// Creates the counts.
    public init(messages: Int, recordings: Int) {
        self.messages = messages
        self.recordings = recordings
    }
}

/// The answer to a search.
public enum SearchOutcome: Hashable, Sendable {
    /// The conversations that match, the one with the newest change first.
    case found([SearchResult])
    /// The search was ended because it took longer than `Limits.searchMs`.
    case tooSlow
}

/// A conversation that matches a search, with the message in which the words were found.
public struct SearchResult: Hashable, Sendable {
    /// The conversation's inbox row.
    public let row: InboxRow
    /// The newest matching message; `nil` if the query has no words, or only the consumer's name or a
    /// tag matches.
    public let match: Match?

    /// A message that contains the words.
    public struct Match: Hashable, Codable, Sendable {
        /// The event's number in its conversation.
        public let n: Int
        /// When it was sent.
        public let at: Timestamp
        /// Who sent it.
        public let by: ParticipantNumber
        /// An excerpt of the text around the words.
        public let text: String

        /// Creates a match.
        public init(n: Int, at: Timestamp, by: ParticipantNumber, text: String) {
            self.n = n
            self.at = at
            self.by = by
            self.text = text
        }
    }

    /// Creates a result.
    public init(row: InboxRow, match: Match?) {
        self.row = row
        self.match = match
    }
}
