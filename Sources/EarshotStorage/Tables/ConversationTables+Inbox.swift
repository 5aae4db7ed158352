import EarshotCore
import EarshotDomain
import EarshotModel
import GRDB

/// Reads inbox rows: what changed after a feed position, or the first inbox. Every answer is bounded.
extension ConversationTables {
    private enum Order: String {
        case newestFirst = "DESC"
        case oldestFirst = "ASC"
    }

    private struct Feed {
        let pk: Int64
        let position: Int64
        /// Who last read before this position may have rows of conversations that were removed.
        let floor: Int64
    }

    /// A row, with the people of the brand who take part in its conversation, or did.
    private struct Found {
        let row: InboxRow
        let people: ConversationPeople
    }

    /// The rows that one query reads.
    private struct Selection {
        var isClosed = false
        var order = Order.newestFirst
        /// Only what changed after this position.
        var after: Int64 = 0
        let limit: Int
    }

    func inbox(_ account: AccountID, after: Int64?) async throws(AdapterFailure) -> Inbox {
        try await rows.read { [damaged = rows.damaged] db in
            guard let feed = try Self.feed(of: account, in: db) else {
                return Inbox(rows: [], position: 0, continuesPosition: after == 0)
            }
            if let after, (feed.floor...feed.position).contains(after),
                try Self.count(of: feed, after: after, upTo: Limits.changedRows + 1, in: db) <= Limits.changedRows
            {
                return try Self.changedRows(of: feed, after: after, limit: Limits.changedRows, noting: damaged, in: db)
            }
            let found =
                try Self.rows(Selection(limit: Limits.openRows), of: feed, noting: damaged, in: db)
                + Self.rows(Selection(isClosed: true, limit: Limits.closedRows), of: feed, noting: damaged, in: db)
            return Self.inbox(
                found.sorted { $0.row.position < $1.row.position }, position: feed.position, continuesPosition: false)
        }
    }

    func changedRows(of account: AccountID, after: Int64, limit: Int) async throws(AdapterFailure) -> Inbox {
        try await rows.read { [damaged = rows.damaged] db in
            guard let feed = try Self.feed(of: account, in: db) else {
                return Inbox(rows: [], position: 0, continuesPosition: true)
            }
            return try Self.changedRows(of: feed, after: after, limit: limit, noting: damaged, in: db)
        }
    }

    private static func changedRows(
        of feed: Feed, after: Int64, limit: Int, noting damaged: DamagedRows, in db: Database
    ) throws -> Inbox {
        var changed = Selection(order: .oldestFirst, after: after, limit: limit)
        let open = try rows(changed, of: feed, noting: damaged, in: db)
        changed.isClosed = true
        let found = try open + rows(changed, of: feed, noting: damaged, in: db)
        let first = Array(found.sorted { $0.row.position < $1.row.position }.prefix(limit))
        let position = first.count < limit ? feed.position : first.last?.row.position ?? after
        return inbox(first, position: position, continuesPosition: true)
    }

    private static func inbox(_ found: [Found], position: Int64, continuesPosition: Bool) -> Inbox {
        Inbox(
            rows: found.map(\.row), position: position, continuesPosition: continuesPosition,
            people: Dictionary(found.map { ($0.row.conversation, $0.people) }) { first, _ in first })
    }

    private static func feed(of account: AccountID, in db: Database) throws -> Feed? {
        try PreparedStatement(cached: LogStatements.feedQuery, in: db).first(
            bind: { $0.text(account.rawValue, at: 1) },
            read: { Feed(pk: $0.integer(0), position: $0.integer(1), floor: $0.integer(2)) })
    }

    /// Counts the rows that changed after a position, but no further than `limit`. Reads the index only.
    private static func count(of feed: Feed, after: Int64, upTo limit: Int, in db: Database) throws -> Int {
        let sql = """
            SELECT count(*) FROM (
                SELECT 1 FROM conversation WHERE feed = ?1 AND closed IN (0, 1) AND position > ?2 LIMIT ?3)
            """
        return try PreparedStatement(cached: sql, in: db).first { binder in
            binder.integer(feed.pk, at: 1)
            binder.integer(after, at: 2)
            binder.integer(limit, at: 3)
        } read: {
            $0.int(0)
        } ?? 0
    }

    private static func rows(_ selection: Selection, of feed: Feed, noting damaged: DamagedRows, in db: Database)
        throws -> [Found]
    {
        let sql = """
            SELECT \(ConversationRow.columns), \(ConversationRow.nameColumn) FROM \(ConversationRow.source) \
            LEFT JOIN consumer p ON p.id = c.consumer
            WHERE c.feed = ? AND c.closed = ? AND c.position > ? ORDER BY c.position \(selection.order.rawValue) LIMIT ?
            """
        return try PreparedStatement(cached: sql, in: db).all { binder in
            binder.integer(feed.pk, at: 1)
            binder.integer(selection.isClosed ? 1 : 0, at: 2)
            binder.integer(selection.after, at: 3)
            binder.integer(selection.limit, at: 4)
        } read: { row in
            try damaged.skip {
                let read = try ConversationRow.readInboxRow(row)
                return read.row.map { Found(row: $0, people: read.people) }
            }
        }.compactMap { $0 ?? nil }
    }
}
