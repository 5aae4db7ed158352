import EarshotCore
import EarshotModel
import Foundation
import GRDB

/// Fills the full-text tables from the events, behind the commits: a message must not wait for the index.
enum SearchIndexWriter {
    /// What the index gets from one event.
    struct Entry {
        let event: Int64
        let feed: Int64
        let text: String?
        /// The consumer's name, where the event begins a conversation.
        let name: (conversation: Int64, text: String)?
    }

    static let cursorQuery =
        "SELECT ifnull((SELECT CAST(value AS INTEGER) FROM setting WHERE name = 'search_cursor'), 0)"
    /// How many conversations were removed: events that were read before may be gone when they are to be indexed.
    static let removalsQuery =
        "SELECT ifnull((SELECT CAST(value AS INTEGER) FROM setting WHERE name = 'removals'), 0)"
    private static let entryQuery = """
        SELECT e.pk, \(ContentField.event.opened("e.body", number: "e.sequence")), e.sequence, e.conversation, c.feed, \
        c.consumer, \(ConversationRow.nameColumn) FROM event e \
        CROSS JOIN conversation c ON c.pk = e.conversation \(ContentField.join()) \
        LEFT JOIN consumer p ON e.sequence = 1 AND p.id = c.consumer
        WHERE e.pk > ? AND c.closed < 2 ORDER BY e.pk LIMIT ?
        """

    /// Reads the next events that the index does not have.
    static func entries(after cursor: Int64, limit: Int, in db: Database) throws -> [Entry] {
        try PreparedStatement(cached: entryQuery, in: db).all { binder in
            binder.integer(cursor, at: 1)
            binder.integer(limit, at: 2)
        } read: { row in
            let isFirst = row.int(2) == 1
            let name = { row.optionalText(6) ?? Consumer.visitorName(of: ConsumerID(trusted: row.text(5))) }
            return Entry(
                event: row.integer(0), feed: row.integer(4), text: Event.searchedText(inWire: row.blob(1), notes: true),
                name: isFirst ? (row.integer(3), name()) : nil)
        }
    }

    /// In the order of the row numbers: FTS5 writes a segment whenever a number is lower than the one before.
    static func insert(_ entries: [Entry], in db: Database) throws {
        let words = try db.cachedStatement(sql: "INSERT INTO words (rowid, body) VALUES (?, ?)")
        let names = try db.cachedStatement(sql: "INSERT INTO names (rowid, body) VALUES (?, ?)")
        for entry in entries.sorted(by: { ($0.feed, $0.event) < ($1.feed, $1.event) }) {
            if let text = entry.text {
                try words.execute(arguments: [SearchRowNumber.number(feed: entry.feed, key: entry.event), text])
            }
            if let name = entry.name {
                try names.execute(
                    arguments: [SearchRowNumber.number(feed: entry.feed, key: name.conversation), name.text])
            }
        }
    }
}
