import Crypto
public import EarshotDomain
import EarshotModel

/// A page of conversations for a program.
public struct HistoryPage: Hashable, Sendable {
    /// The conversations, the one with the newest change first.
    public let rows: [HistoryRow]
    /// The cursor of the next page; `nil` on the last one.
    public let next: String?
}

/// What a program learns of a conversation before its events.
public struct HistoryRow: Hashable, Sendable {
    /// The state of the conversation.
    public let state: ConversationState
    /// The consumer's name.
    public let consumer: String
    /// How many messages it has.
    public let counts: MessageCounts
    /// The name of its skill.
    public let skill: String?

    init(_ state: ConversationState, consumer: String, counts: MessageCounts?, skills: [SkillID: String]) {
        self.state = state
        self.consumer = consumer
        self.counts = counts ?? MessageCounts(messages: 0, recordings: 0)
        skill = state.routing.skill.map { skills[$0] ?? $0.rawValue }
    }
}

/// A page of a conversation's events for a program.
public struct HistoryEvents: Hashable, Sendable {
    /// What is known of the conversation.
    public let conversation: HistoryRow
    /// The events, the oldest first.
    public let entries: [TranscriptEntry]
    /// The cursor of the next page; `nil` on the last one.
    public let next: String?
}

/// Writes and reads the cursors of one query: a number, bound to the query by a digest. A cursor is no secret. It only
/// must not continue another query, whose pages would have gaps.
///
/// A program may keep a cursor over an update of the server, so the digest is of names and values that are written out
/// here, each once and in this order.
struct HistoryCursor {
    private static let numberBytes = 8
    private static let digestBytes = 12
    static let unknown = Rejection(.badRequest, "?cursor= does not belong to this query. Begin without it.")

    private let digest: [UInt8]

    /// The cursors of a search. Its limit may differ from page to page. A program's scope is always everything, and its
    /// key says whether it reads notes.
    init(of query: SearchQuery, in account: AccountID) {
        let criteria: [(String, String?)] = [
            ("words", query.words), ("status", query.status?.rawValue),
            ("closed", query.isClosed.map { $0 ? "1" : "0" }),
            ("consumer", query.consumer?.rawValue), ("skill", query.skill?.rawValue),
            ("agent", query.agent?.rawValue), ("tag", query.tag), ("csat", query.csat.map(String.init)),
            ("from", query.from.map { String($0.milliseconds) }), ("to", query.to.map { String($0.milliseconds) }),
        ]
        self.init("search", [("account", account.rawValue)] + criteria)
    }

    /// The cursors of a conversation's events.
    init(of conversation: ConversationID) {
        self.init("events", [("conversation", conversation.rawValue)])
    }

    /// Each value has its length before it, so that no two lists have the same bytes. What is `nil` is omitted.
    private init(_ what: String, _ values: [(name: String, value: String?)]) {
        let parts = values.compactMap { name, value in value.map { "\(name) \($0.utf8.count) \($0)\n" } }
        digest = Array(SHA256.hash(data: Array("\(what)\n\(parts.joined())".utf8)).prefix(Self.digestBytes))
    }

    func text(after number: Int64) -> String {
        Base64URL.encode(withUnsafeBytes(of: number.bigEndian) { Array($0) } + digest)
    }

    func number(_ text: String) throws(Rejection) -> Int64 {
        guard text.utf8.count <= 2 * (Self.numberBytes + Self.digestBytes), let bytes = Base64URL.decode(text),
            bytes.count == Self.numberBytes + Self.digestBytes, Array(bytes.dropFirst(Self.numberBytes)) == digest
        else { throw Self.unknown }
        let number = bytes.prefix(Self.numberBytes).reduce(Int64(0)) { $0 << 8 | Int64($1) }
        guard number > 0 else { throw Self.unknown }
        return number
    }
}
