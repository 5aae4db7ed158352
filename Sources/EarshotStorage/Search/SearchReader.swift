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
        let hits = try SearchHits(of: parsed, in: feed, db).events
        return try selection.results(among: hits, db).map { result in
            let event = hits[result.pk] ?? 0
            return SearchResult(row: result.row, match: event > 0 ? try match(event, words, db) : nil)
        }
    }

    private static func match(_ event: Int64, _ words: String, _ db: Database) throws -> SearchResult.Match? {
        let body = try Data.fetchOne(db.cachedStatement(sql: "SELECT body FROM event WHERE pk = ?"), arguments: [event])
        guard let body, let event = try? JSONDecoder().decode(Event.self, from: body), let text = event.searchedText
        else { return nil }
        return SearchResult.Match(n: event.sequence, at: event.at, by: event.by, text: text.excerpt(around: words))
    }
}
