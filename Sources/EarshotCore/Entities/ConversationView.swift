public import EarshotDomain
public import EarshotModel

/// An event in its stored form. The bytes are the wire form, too.
public struct StoredEvent: Hashable, Sendable {
    /// The event's number in its conversation.
    public let sequence: Int
    /// The event as JSON, UTF-8.
    public let encoded: [UInt8]
    /// Whether every viewer sees the event exactly as it is stored.
    public let isSameForAll: Bool

    /// Creates a stored event.
    public init(sequence: Int, encoded: [UInt8], isSameForAll: Bool) {
        self.sequence = sequence
        self.encoded = encoded
        self.isSameForAll = isSameForAll
    }

    /// Whether the event holds the character that masks a digit of a card number. People rarely type it.
    public var mayBeMasked: Bool {
        encoded.withUnsafeBufferPointer { bytes in
            bytes.count > 2
                && (0..<(bytes.count - 2)).contains {
                    bytes[$0] == 0xE2 && bytes[$0 + 1] == 0x80 && bytes[$0 + 2] == 0xA2
                }
        }
    }
}

/// A snapshot of a conversation: its state, its watermarks and some of its events.
public struct ConversationView: Sendable {
    /// The state after the last event.
    public let state: ConversationState
    /// The watermarks of all participants.
    public let marks: Marks
    /// The newest events, oldest first.
    public let events: [StoredEvent]
    /// Whether there are older events than the first of these.
    public let hasMore: Bool
    /// Whether `events` begin right after the cursor that was given.
    public let continuesCursor: Bool

    /// Creates a snapshot.
    public init(state: ConversationState, marks: Marks, events: [StoredEvent], hasMore: Bool, continuesCursor: Bool) {
        self.state = state
        self.marks = marks
        self.events = events
        self.hasMore = hasMore
        self.continuesCursor = continuesCursor
    }
}

/// The end of a conversation as it is cached in memory.
public struct ConversationTail: Sendable {
    /// The events after the given cursor, oldest first.
    public let events: [StoredEvent]
    /// The state after the last event.
    public let state: ConversationState
    /// The watermarks of all participants.
    public let marks: Marks
    /// The feed position of the conversation's last change.
    public let position: Int64

    /// Creates a tail.
    public init(events: [StoredEvent], state: ConversationState, marks: Marks, position: Int64) {
        self.events = events
        self.state = state
        self.marks = marks
        self.position = position
    }
}

/// Rows of an account's inbox, and the feed position at which they were read.
public struct Inbox: Sendable {
    /// The rows, in the order of their feed positions.
    public let rows: [InboxRow]
    /// Every row that changed through this feed position is included.
    public let position: Int64
    /// Whether the rows are all that changed after the position that was given.
    public let continuesPosition: Bool
    /// Who of the brand takes part in the conversation of each row, or did.
    public let people: [ConversationID: ConversationPeople]

    /// Creates an inbox.
    public init(
        rows: [InboxRow], position: Int64, continuesPosition: Bool, people: [ConversationID: ConversationPeople] = [:]
    ) {
        self.rows = rows
        self.people = people
        self.position = position
        self.continuesPosition = continuesPosition
    }
}

/// A commit in one conversation: "account A is at position 812, conversation C at 17". It carries no content.
public struct CommitNotification: Hashable, Sendable {
    /// The account.
    public let account: AccountID
    /// The account's feed position.
    public let position: Int64
    /// The conversation.
    public let conversation: ConversationID
    /// The number of the conversation's last event.
    public let sequence: Int
    /// Whether a watermark or the playback progress of a voice message changed.
    public let marksMoved: Bool

    /// Creates a notification.
    public init(account: AccountID, position: Int64, conversation: ConversationID, sequence: Int, marksMoved: Bool) {
        self.account = account
        self.position = position
        self.conversation = conversation
        self.sequence = sequence
        self.marksMoved = marksMoved
    }
}
