import EarshotCore
import EarshotDomain
import EarshotModel
import Foundation
import GRDB

/// The full-text index `words`, and searches in it.
///
/// Events are indexed after their commit, because a message must not wait for the index. A search indexes first what is
/// not indexed yet, so it finds everything that was sent before it.
struct SearchTable {
    private let rows: RowAccess

    init(_ rows: RowAccess) {
        self.rows = rows
    }

    /// Events of one step.
    private static let step = 500
    /// Conversations that one search looks through for their words.
    private static let mostHits = 2_000

    func index(atMost limit: Int) async throws(AdapterFailure) -> Int {
        let known = try await rows.read { db in
            try Int64.fetchOne(db, sql: "SELECT CAST(value AS INTEGER) FROM setting WHERE name = 'search_cursor'") ?? 0
        }
        let texts = try await rows.read { db in try Self.texts(after: known, limit: limit, in: db) }
        guard let last = texts.last else { return 0 }
        try await rows.write { db in
            let current =
                try Int64.fetchOne(db, sql: "SELECT CAST(value AS INTEGER) FROM setting WHERE name = 'search_cursor'")
                ?? 0
            // Another call has indexed these events in the meantime.
            guard current == known else { return }
            let insertion = try db.cachedStatement(sql: "INSERT INTO words (rowid, body) VALUES (?, ?)")
            for entry in texts { if let text = entry.text { try insertion.execute(arguments: [entry.pk, text]) } }
            try db.execute(sql: "INSERT OR REPLACE INTO setting VALUES ('search_cursor', ?)", arguments: ["\(last.pk)"])
        }
        return texts.count
    }

    func search(_ query: SearchQuery, in account: AccountID) async throws(AdapterFailure) -> [SearchResult] {
        while try await index(atMost: Self.step) == Self.step {}
        return try await rows.read { db in
            guard
                let feed = try Int64.fetchOne(
                    db, sql: "SELECT pk FROM feed WHERE account = ?", arguments: [account.rawValue])
            else { return [] }
            let hits = try query.words.map { try Self.hits($0, in: feed, db) }
            return try Self.results(query, hits, in: feed, db)
        }
    }

    private static func texts(after pk: Int64, limit: Int, in db: Database) throws -> [(pk: Int64, text: String?)] {
        let sql = "SELECT pk, body FROM event WHERE pk > ? ORDER BY pk LIMIT ?"
        return try PreparedStatement(cached: sql, in: db).all { binder in
            binder.integer(pk, at: 1)
            binder.integer(limit, at: 2)
        } read: { row in
            let body = row.blob(1)
            // Nearly everything is a text, and a complete decoder costs more than the index.
            return (
                row.integer(0),
                Event.text(inWire: body) ?? (try? JSONDecoder().decode(Event.self, from: Data(body)).words)
            )
        }
    }

    /// The newest event with these words in each conversation, by the conversation's pk; 0 where only the name has
    /// them.
    private static func hits(_ words: String, in feed: Int64, _ db: Database) throws -> [Int64: Int64] {
        guard let query = matching(words) else { return [:] }
        let found = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT e.conversation, max(e.pk) FROM words w JOIN event e ON e.pk = w.rowid \
                    JOIN conversation c ON c.pk = e.conversation
                    WHERE words MATCH ? AND c.feed = ? GROUP BY e.conversation ORDER BY c.position DESC LIMIT ?
                    """), arguments: [query, feed, mostHits])
        let named = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT c.pk, 0 FROM conversation c JOIN consumer p ON p.id = c.consumer
                    WHERE c.feed = ? AND p.name LIKE ? ESCAPE '\\' ORDER BY c.position DESC LIMIT ?
                    """), arguments: [feed, "%" + escaped(words) + "%", mostHits])
        return Dictionary((found + named).map { ($0[0], $0[1]) }) { max($0, $1) }
    }

    /// Each word as FTS5 takes it, the last as a beginning; `nil` where there is none.
    private static func matching(_ words: String) -> String? {
        let words = words.split { !$0.isLetter && !$0.isNumber }.prefix(16).map { "\"\($0)\"" }
        return words.isEmpty ? nil : words.joined(separator: " ") + "*"
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { $0 += "%_\\".contains($1) ? "\\\($1)" : String($1) }
    }

    private static func results(_ query: SearchQuery, _ hits: [Int64: Int64]?, in feed: Int64, _ db: Database) throws
        -> [SearchResult]
    {
        var (conditions, arguments): ([String], StatementArguments) = (["c.feed = ?"], [feed])
        func demand(_ condition: String, _ value: (any DatabaseValueConvertible)?) {
            guard let value else { return }
            conditions.append(condition)
            arguments += [value]
        }
        demand("c.status = ?", query.status?.rawValue)
        demand("c.position < ?", query.before)
        demand("c.at >= ?", query.from?.milliseconds)
        demand("c.at <= ?", query.to?.milliseconds)
        demand("json_extract(c.routing, '$.skill') = ?", query.skill?.rawValue)
        demand("json_extract(c.routing, '$.previous') = ?", query.agent?.rawValue)
        demand("json_extract(c.routing, '$.csat') <= ?", query.csat)
        demand("EXISTS (SELECT 1 FROM json_each(c.routing, '$.tags') WHERE value = ?)", query.tag)
        if let hits {
            demand(
                "c.pk IN (SELECT value FROM json_each(?))",
                "[" + hits.keys.map(String.init).joined(separator: ",") + "]")
        }
        let sql = """
            SELECT \(ConversationRow.columns), p.name FROM \(ConversationRow.source) \
            LEFT JOIN consumer p ON p.id = c.consumer
            WHERE \(conditions.joined(separator: " AND ")) ORDER BY c.position DESC LIMIT ?
            """
        arguments += [max(0, query.limit)]
        return try found(sql, arguments, hits ?? [:], query.words ?? "", db)
    }

    private static func found(
        _ sql: String, _ arguments: StatementArguments, _ hits: [Int64: Int64], _ words: String, _ db: Database
    ) throws -> [SearchResult] {
        // A damaged row has been noted by whatever read it first.
        let rows = try PreparedStatement(cached: sql, in: db).all(arguments) { try? ConversationRow.readInboxRow($0) }
        return try rows.compactMap(\.self).compactMap { pk, row in
            guard let row else { return nil }
            let hit = hits[pk] ?? 0
            return SearchResult(row: row, match: hit > 0 ? try match(hit, words, db) : nil)
        }
    }

    private static func match(_ pk: Int64, _ words: String, _ db: Database) throws -> SearchResult.Match? {
        let body = try Data.fetchOne(db.cachedStatement(sql: "SELECT body FROM event WHERE pk = ?"), arguments: [pk])
        guard let body, let event = try? JSONDecoder().decode(Event.self, from: body), let text = event.words else {
            return nil
        }
        return SearchResult.Match(n: event.sequence, at: event.at, by: event.by, text: text.excerpt(around: words))
    }
}

extension Event {
    /// What of it can be looked for.
    var words: String? {
        switch kind {
        case .text(let text): text
        case .note(let note): note.text
        case .rated(let rated): rated.text
        default: nil
        }
    }
}

extension String {
    /// At most `Limits.previewCharacters` characters, with the first of the words among them where it stands there as
    /// it was typed.
    func excerpt(around words: String) -> String {
        let first = words.split { !$0.isLetter && !$0.isNumber }.first.map(String.init) ?? words
        guard count > Limits.previewCharacters,
            let found = range(of: first, options: [.caseInsensitive, .diacriticInsensitive])
        else {
            return String(prefix(Limits.previewCharacters))
        }
        let start = index(found.lowerBound, offsetBy: -30, limitedBy: startIndex) ?? startIndex
        return (start > startIndex ? "…" : "") + String(self[start...].prefix(Limits.previewCharacters - 1))
    }
}
