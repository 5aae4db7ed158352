import EarshotCore
import EarshotDomain
import EarshotModel
import GRDB

/// Reads conversations: from the tail cache if it has all that is asked for, otherwise from the database.
struct ConversationReader {
    private let rows: RowAccess
    private let tails: TailCache

    init(_ rows: RowAccess, tails: TailCache) {
        self.rows = rows
        self.tails = tails
    }

    func tail(_ conversation: ConversationID, after: Int) -> ConversationTail? {
        tails.tail(conversation, after: after)
    }

    func identity(of conversation: ConversationID) async throws(AdapterFailure) -> ConversationIdentity? {
        if let known = tails.identity(of: conversation) { return known }
        return try await rows.read { db in try Self.row(conversation, in: db)?.state.identity }
    }

    func view(_ conversation: ConversationID, after: Int?, limit: Int) async throws(AdapterFailure)
        -> ConversationView?
    {
        if let known = tails.view(conversation, after: after, limit: limit) { return known }
        return try await rows.read { db in
            guard let row = try Self.row(conversation, in: db) else { return nil }
            let window = ViewWindow(last: row.state.sequence, after: after, limit: limit)
            return ConversationView(
                state: row.state, marks: row.marks,
                events: try Self.events(of: row.pk, from: window.floor + 1, through: row.state.sequence, in: db),
                hasMore: window.floor > 0, continuesCursor: window.continuesCursor)
        }
    }

    func page(_ conversation: ConversationID, before: Int, limit: Int) async throws(AdapterFailure)
        -> [StoredEvent]
    {
        // A number from a client may be any number.
        guard before > 1, limit > 0 else { return [] }
        return try await rows.read { db in
            guard let row = try Self.row(conversation, in: db) else { return [] }
            let end = min(before - 1, row.state.sequence)
            return try Self.events(of: row.pk, from: max(1, end - limit + 1), through: end, in: db)
        }
    }

    func played(_ conversation: ConversationID, from: Int, through: Int) async throws(AdapterFailure)
        -> [MessagePlayback]
    {
        try await played(conversation, "h.sequence BETWEEN ? AND ?") { binder in
            binder.integer(from, at: 2)
            binder.integer(through, at: 3)
        }
    }

    func played(_ conversation: ConversationID, changedAfter position: Int64) async throws(AdapterFailure)
        -> [MessagePlayback]
    {
        let changed = "h.sequence IN (SELECT sequence FROM played WHERE conversation = c.pk AND position > ?)"
        return try await played(conversation, changed) { $0.integer(position, at: 2) }
    }

    private func played(_ conversation: ConversationID, _ condition: String, bind: @escaping @Sendable (Binder) -> Void)
        async throws(AdapterFailure)
        -> [MessagePlayback]
    {
        let sql = """
            SELECT h.sequence, h.author, h.listener, h.percent, h.listened FROM conversation c \
            JOIN played h ON h.conversation = c.pk
            WHERE c.id = ? AND \(condition) ORDER BY h.sequence, h.listener
            """
        return try await rows.read { db in
            let rows = try PreparedStatement(cached: sql, in: db).all { binder in
                binder.text(conversation.rawValue, at: 1)
                bind(binder)
            } read: { row in
                let played = PlaybackProgress(
                    sequence: row.int(0), by: ParticipantNumber(row.int(2)), percent: row.int(3),
                    isListened: row.int(4) == 1)
                return (author: ParticipantNumber(row.int(1)), played: played)
            }
            return Dictionary(grouping: rows, by: \.played.sequence).sorted { $0.key < $1.key }.map { sequence, rows in
                MessagePlayback(sequence: sequence, author: rows[0].author, listeners: rows.map(\.played))
            }
        }
    }

    func inbox(_ account: AccountID, after: Int64?) async throws(AdapterFailure) -> Inbox {
        try await rows.read { db in
            let query = try PreparedStatement(cached: LogStatements.feedQuery, in: db)
            let feed = try query.first(
                bind: { $0.text(account.rawValue, at: 1) }, read: { (pk: $0.integer(0), position: $0.integer(1)) })
            guard let feed else { return Inbox(rows: [], position: 0) }
            let rows =
                if let after {
                    try Self.rows(of: feed.pk, isClosed: false, after: after, limit: -1, in: db)
                        + Self.rows(of: feed.pk, isClosed: true, after: after, limit: -1, in: db)
                } else {
                    try Self.rows(of: feed.pk, isClosed: false, after: 0, limit: Limits.openRows, in: db)
                        + Self.rows(of: feed.pk, isClosed: true, after: 0, limit: Limits.closedRows, in: db)
                }
            return Inbox(rows: rows.sorted { $0.position < $1.position }, position: feed.position)
        }
    }

    private static func row(_ conversation: ConversationID, in db: Database) throws -> ConversationRow? {
        let sql = "SELECT \(ConversationRow.columns) FROM \(ConversationRow.source) WHERE c.id = ?"
        return try PreparedStatement(cached: sql, in: db).first(
            bind: { $0.text(conversation.rawValue, at: 1) }, read: ConversationRow.read)
    }

    private static func events(of pk: Int64, from first: Int, through last: Int, in db: Database) throws
        -> [StoredEvent]
    {
        let sql =
            "SELECT sequence, same_for_all, body FROM event "
            + "WHERE conversation = ? AND sequence BETWEEN ? AND ? ORDER BY sequence"
        return try PreparedStatement(cached: sql, in: db).all { binder in
            binder.integer(pk, at: 1)
            binder.integer(first, at: 2)
            binder.integer(last, at: 3)
        } read: { row in
            StoredEvent(sequence: row.int(0), encoded: row.blob(2), isSameForAll: row.int(1) == 1)
        }
    }

    /// Newest first, so that a limit keeps the newest. A negative limit is none.
    private static func rows(of feed: Int64, isClosed: Bool, after: Int64, limit: Int, in db: Database) throws
        -> [InboxRow]
    {
        let sql = """
            SELECT \(ConversationRow.columns), p.name FROM \(ConversationRow.source) \
            LEFT JOIN consumer p ON p.id = c.consumer
            WHERE c.feed = ? AND c.closed = ? AND c.position > ? ORDER BY c.position DESC LIMIT ?
            """
        return try PreparedStatement(cached: sql, in: db).all { binder in
            binder.integer(feed, at: 1)
            binder.integer(isClosed ? 1 : 0, at: 2)
            binder.integer(after, at: 3)
            binder.integer(limit, at: 4)
        } read: {
            try ConversationRow.readInboxRow($0).row
        }.compactMap { $0 }
    }
}
