import EarshotCore
import EarshotDomain
import EarshotModel
import Foundation
import GRDB

/// Runs searches on connections of their own, with a time limit: a slow search delays no other read.
struct SearchReader {
    private let database: OpenDatabase
    private let timeLimit: Duration

    init(_ database: OpenDatabase, timeLimit: Duration) {
        self.database = database
        self.timeLimit = timeLimit
    }

    func search(_ query: SearchQuery, in account: AccountID) async throws(AdapterFailure) -> SearchOutcome {
        let deadline = QueryDeadline(after: timeLimit)
        do {
            return try await database.searches.read { db in
                try deadline.run(on: db) { .found(try Self.search(query, in: account, db)) }
            }
        } catch let error as DatabaseError where error.resultCode.primaryResultCode == .SQLITE_INTERRUPT {
            return .tooSlow
        } catch {
            throw .of(error)
        }
    }

    private static func search(_ query: SearchQuery, in account: AccountID, _ db: Database) throws -> [SearchResult] {
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
