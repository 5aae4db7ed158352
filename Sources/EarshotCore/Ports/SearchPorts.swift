public import EarshotModel

/// What somebody looks for. What is `nil` does not matter.
public struct Search: Hashable, Sendable {
    /// Words that all stand in one thing that was said, or in the consumer's name. The last may be the beginning of one.
    public var words: String?
    public var status: ConversationStatus?
    public var skill: SkillID?
    /// Who answers it, or did last.
    public var agent: AgentID?
    public var tag: String?
    /// Rated this or worse.
    public var csat: Int?
    /// When anything last happened.
    public var from: Timestamp?
    public var to: Timestamp?
    /// Feed position of the last row that is known.
    public var before: Int64?
    public var limit: Int

    public init(limit: Int) {
        self.limit = limit
    }
}

/// A conversation that fits, and where the words were found.
public struct Found: Hashable, Sendable {
    public let row: InboxRow
    public let match: Match?

    public struct Match: Hashable, Codable, Sendable {
        public let n: Int
        public let at: Timestamp
        public let by: ParticipantNumber
        /// What was said, around the words.
        public let text: String

        public init(n: Int, at: Timestamp, by: ParticipantNumber, text: String) {
            self.n = n
            self.at = at
            self.by = by
            self.text = text
        }
    }

    public init(row: InboxRow, match: Match?) {
        self.row = row
        self.match = match
    }
}
