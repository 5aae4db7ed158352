import EarshotCore
import EarshotModel
import Foundation
import GRDB

/// The conversations of one feed in which words occur, each with the newest matching event: its key, or 0 where only
/// the consumer's name or a tag matches.
struct SearchHits {
    /// The newest matching events that one search looks at.
    private static let mostEvents = 5_000
    /// The conversations that one search looks at.
    private static let mostConversations = 2_000
    /// Events that are not indexed yet: a search looks through the newest of them itself.
    private static let mostUnindexed = 2_000
    /// The tags of a feed that one search compares with its words, in alphabetical order.
    private static let mostTags = 2_000

    let events: [Int64: Int64]

    /// Finds the words in the index, and in the newest events that are not indexed yet.
    /// - Parameter notes: whether private notes are looked through.
    init(of words: SearchWords, in feed: Int64, notes: Bool, _ db: Database) throws {
        let all =
            try Self.messages(words, feed, notes: notes, db) + Self.names(words, feed, db) + Self.tags(words, feed, db)
            + Self.unindexed(words, feed, notes: notes, db)
        events = Dictionary(all) { max($0, $1) }
    }

    private static func messages(_ words: SearchWords, _ feed: Int64, notes: Bool, _ db: Database) throws
        -> [(Int64, Int64)]
    {
        let readable =
            notes ? "" : "CROSS JOIN conversation c ON c.pk = e.conversation \(ContentField.join()) WHERE \(isNoNote)"
        let sql = """
            SELECT e.conversation, max(e.pk) FROM (
                SELECT rowid - ? AS pk FROM words WHERE words MATCH ? AND rowid BETWEEN ? AND ?
                ORDER BY rowid DESC LIMIT ?
            ) w CROSS JOIN event e ON e.pk = w.pk \(readable)
            GROUP BY e.conversation ORDER BY max(e.pk) DESC LIMIT ?
            """
        let numbers = SearchRowNumber.all(of: feed)
        return try Row.fetchAll(
            db.cachedStatement(sql: sql),
            arguments: [
                numbers.lowerBound, words.query, numbers.lowerBound, numbers.upperBound, mostEvents, mostConversations,
            ]
        ).map { ($0[0], $0[1]) }
    }

    /// The index does not say which events are notes. Nearly all events are texts, so few have to be opened. One that
    /// cannot be read may be a note.
    private static let isNoNote = {
        let body = "CAST(\(ContentField.event.opened("e.body", number: "e.sequence")) AS TEXT)"
        return "(e.kind = 'text' OR CASE WHEN json_valid(\(body)) THEN json_type(\(body), '$.note') IS NULL END)"
    }()

    private static func names(_ words: SearchWords, _ feed: Int64, _ db: Database) throws -> [(Int64, Int64)] {
        let sql = """
            SELECT rowid - ? FROM names WHERE names MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid DESC LIMIT ?
            """
        let numbers = SearchRowNumber.all(of: feed)
        return try Int64.fetchAll(
            db.cachedStatement(sql: sql),
            arguments: [numbers.lowerBound, words.query, numbers.lowerBound, numbers.upperBound, mostConversations]
        ).map { ($0, 0) }
    }

    /// The conversations with a tag in which all words occur. Jumps from tag to tag, however many conversations have
    /// it.
    private static func tags(_ words: SearchWords, _ feed: Int64, _ db: Database) throws -> [(Int64, Int64)] {
        let all = """
            WITH RECURSIVE tag (value) AS (
                SELECT min(value) FROM search_facet WHERE feed = ?1 AND kind = 'tag'
                UNION ALL SELECT (SELECT min(value) FROM search_facet WHERE feed = ?1 AND kind = 'tag' \
            AND value > tag.value) FROM tag WHERE value IS NOT NULL
            ) SELECT value FROM tag WHERE value IS NOT NULL LIMIT ?2
            """
        let known = try String.fetchAll(db.cachedStatement(sql: all), arguments: [feed, mostTags])
        let matching = try known.filter(words.match)
        guard !matching.isEmpty else { return [] }
        let sql = """
            SELECT conversation FROM search_facet WHERE feed = ? AND kind = 'tag' \
            AND value IN (SELECT value FROM json_each(?)) ORDER BY conversation DESC LIMIT ?
            """
        let list = String(decoding: try JSONEncoder().encode(matching), as: UTF8.self)
        return try Int64.fetchAll(db.cachedStatement(sql: sql), arguments: [feed, list, mostConversations])
            .map { ($0, 0) }
    }

    /// What was sent after the index was last updated.
    private static func unindexed(_ words: SearchWords, _ feed: Int64, notes: Bool, _ db: Database) throws
        -> [(Int64, Int64)]
    {
        let sql = """
            SELECT e.pk, e.conversation, \(ContentField.event.opened("e.body", number: "e.sequence")), e.sequence, \
            c.consumer, \(ConversationRow.nameColumn) FROM (
                SELECT pk, conversation, body, sequence FROM event
                WHERE pk > (\(SearchIndexWriter.cursorQuery)) ORDER BY pk DESC LIMIT ?
            ) e CROSS JOIN conversation c ON c.pk = e.conversation AND c.feed = ? \(ContentField.join()) \
            LEFT JOIN consumer p ON e.sequence = 1 AND p.id = c.consumer
            """
        return try PreparedStatement(cached: sql, in: db).all { binder in
            binder.integer(mostUnindexed, at: 1)
            binder.integer(feed, at: 2)
        } read: { row -> (Int64, Int64)? in
            if let text = Event.searchedText(inWire: row.blob(2), notes: notes), try words.match(text) {
                return (row.integer(1), row.integer(0))
            }
            guard row.int(3) == 1 else { return nil }
            let name = row.optionalText(5) ?? Consumer.visitorName(of: ConsumerID(trusted: row.text(4)))
            return try words.match(name) ? (row.integer(1), 0) : nil
        }.compactMap { $0 }
    }
}
