import EarshotCore
import EarshotModel
import GRDB

extension ContactCentreTables: SearchStore {
    /// Uses separate connections and a time limit: a slow search delays no other read.
    func search(_ query: SearchQuery, in account: AccountID) async throws(AdapterFailure) -> SearchOutcome {
        let deadline = QueryDeadline(after: searchTimeLimit)
        do {
            return try await database.searches.read { db in
                try deadline.run(on: db) { .found(try SearchReader.search(query, in: account, db)) }
            }
        } catch let error as DatabaseError where error.resultCode.primaryResultCode == .SQLITE_INTERRUPT {
            return .tooSlow
        } catch {
            throw .of(error)
        }
    }

    func counts(of conversations: [ConversationID], in account: AccountID) async throws(AdapterFailure)
        -> [ConversationID: MessageCounts]?
    {
        let deadline = QueryDeadline(after: searchTimeLimit)
        do {
            return try await database.searches.read { db in
                try deadline.run(on: db) { try SearchReader.counts(of: conversations, in: account, db) }
            }
        } catch let error as DatabaseError where error.resultCode.primaryResultCode == .SQLITE_INTERRUPT {
            return nil
        } catch {
            throw .of(error)
        }
    }

    func index(atMost limit: Int) async throws(AdapterFailure) -> Int {
        let (cursor, removals, entries) = try await rows.read { db in
            let cursor = try Int64.fetchOne(db, sql: SearchIndexWriter.cursorQuery) ?? 0
            let removals = try Int64.fetchOne(db, sql: SearchIndexWriter.removalsQuery)
            return (cursor, removals, try SearchIndexWriter.entries(after: cursor, limit: limit, in: db))
        }
        guard let last = entries.last?.event else { return 0 }
        try await rows.write { db in
            // Another call may have indexed these events in the meantime.
            guard try Int64.fetchOne(db, sql: SearchIndexWriter.cursorQuery) == cursor,
                try Int64.fetchOne(db, sql: SearchIndexWriter.removalsQuery) == removals
            else { return }
            try SearchIndexWriter.insert(entries, in: db)
            try db.execute(sql: "INSERT OR REPLACE INTO setting VALUES ('search_cursor', ?)", arguments: ["\(last)"])
        }
        return entries.count
    }
}
