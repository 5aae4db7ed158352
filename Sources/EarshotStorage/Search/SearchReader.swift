import EarshotCore
import EarshotDomain
import EarshotModel
import Foundation
import GRDB

/// Finds the conversations that match a query.
enum SearchReader {
    static func search(_ query: SearchQuery, in account: AccountID, _ db: Database) throws -> [SearchResult] {
        guard
            let feed = try Int64.fetchOne(
                db.cachedStatement(sql: "SELECT pk FROM feed WHERE account = ?"), arguments: [account.rawValue])
        else { return [] }
        let selection = SearchSelection(query, in: feed)
        guard let words = query.words else { return try selection.results(db) }
        guard let parsed = try SearchWords(words, in: db) else { return [] }
        let hits = try SearchHits(of: parsed, in: feed, notes: query.includesNotes, db).events
        return try selection.results(among: hits, db).map { result in
            let event = hits[result.pk] ?? 0
            return SearchResult(row: result.row, match: event > 0 ? try match(event, words, db) : nil)
        }
    }

    /// Counts messages. An event that cannot be read counts as none.
    static func counts(of conversations: [ConversationID], in account: AccountID, _ db: Database) throws
        -> [ConversationID: MessageCounts]
    {
        let sql = """
            SELECT c.id, count(*) FILTER (WHERE e.kind IN ('text', 'audio', 'automatic')),
                count(*) FILTER (WHERE e.kind = 'audio')
            FROM json_each(?) wanted JOIN conversation c ON c.id = wanted.value
            JOIN feed f ON f.pk = c.feed AND f.account = ?
            JOIN (
                SELECT conversation, CASE WHEN kind IS NOT NULL THEN kind WHEN NOT json_valid(body) THEN NULL
                    WHEN json_type(body, '$.text') IS NOT NULL THEN 'text'
                    WHEN json_type(body, '$.audio') IS NOT NULL THEN 'audio'
                    WHEN json_type(body, '$.automatic') IS NOT NULL THEN 'automatic' END AS kind
                FROM (SELECT conversation, kind, CAST(body AS TEXT) AS body FROM event)
            ) e ON e.conversation = c.pk
            GROUP BY c.id
            """
        let rows = try Row.fetchAll(
            db.cachedStatement(sql: sql), arguments: [conversations.jsonList, account.rawValue])
        return Dictionary(
            rows.map { (ConversationID(trusted: $0[0]), MessageCounts(messages: $0[1], recordings: $0[2])) }
        ) { first, _ in first }
    }

    private static func match(_ event: Int64, _ words: String, _ db: Database) throws -> SearchResult.Match? {
        let sql = """
            SELECT \(ContentField.event.opened("e.body", number: "e.sequence")) FROM event e \
            JOIN conversation c ON c.pk = e.conversation \(ContentField.join()) WHERE e.pk = ?
            """
        let body = try Data.fetchOne(db.cachedStatement(sql: sql), arguments: [event])
        guard let body, let event = try? JSONDecoder().decode(Event.self, from: body), let text = event.searchedText
        else { return nil }
        return SearchResult.Match(n: event.sequence, at: event.at, by: event.by, text: text.excerpt(around: words))
    }
}
