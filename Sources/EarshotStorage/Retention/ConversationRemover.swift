import EarshotCore
import EarshotDomain
import EarshotModel
import Foundation
import GRDB

/// Takes a conversation out of the log, and its events step by step after that.
struct ConversationRemover {
    let db: Database

    /// Makes a closed conversation unreachable and puts its events and files on the list of what remains. The feed gets
    /// a new lowest position, so that who has an older one loads the inbox again.
    func remove(_ conversation: CachedConversation, _ removal: ConversationRemoval) throws
        -> ConversationRemoval.Outcome
    {
        let (state, id) = (conversation.state, removal.conversation.rawValue)
        guard state.identity.account == removal.account else { return .notFound }
        guard state.status == .closed, let last = state.lastEventAt, removal.lastEventBefore.map({ last < $0 }) ?? true
        else { return .inUse }
        let isHeld = try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM legal_hold WHERE conversation = ?)", arguments: [id])
        guard isHeld == false else { return .held }
        try count(conversation, last, in: removal.run)
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO removed_recording SELECT media, ? FROM recording WHERE conversation = ?;
                INSERT INTO removed_conversation
                    SELECT ?, ?, ?, (\(SearchIndexWriter.cursorQuery)), wanted.id, k.master_key, k.wrapped
                    FROM (SELECT ? AS id) wanted \(ContentField.join("wanted.id"));
                DELETE FROM conversation_key WHERE conversation = ?;
                DELETE FROM recording WHERE conversation = ?;
                DELETE FROM played WHERE conversation = ?;
                DELETE FROM names WHERE rowid = ?;
                DELETE FROM consumer WHERE id = ?;
                """,
            arguments: [
                removal.run, id, conversation.pk, removal.run, conversation.feed.pk, id, id, id, conversation.pk,
                SearchRowNumber.number(feed: conversation.feed.pk, key: conversation.pk),
                state.identity.consumer.rawValue,
            ])
        for facet in conversation.storedFacets {
            try db.execute(
                sql: "DELETE FROM search_facet WHERE feed = ? AND kind = ? AND value = ? AND conversation = ?",
                arguments: [conversation.feed.pk, facet.kind.rawValue, facet.value, conversation.pk])
        }
        try clear(conversation)
        return .removed
    }

    /// Nothing but the key remains of the row until the events are gone.
    private func clear(_ conversation: CachedConversation) throws {
        conversation.feed.position += 1
        try db.execute(
            sql: """
                UPDATE feed SET floor = ? WHERE pk = ?;
                INSERT OR IGNORE INTO feed (account, floor) VALUES ('', 0);
                UPDATE conversation SET id = 'removed ' || pk, feed = (SELECT pk FROM feed WHERE account = ''),
                    app = '', consumer = '', position = pk, closed = 2, last_text = NULL, last_audio = NULL,
                    people = x'', unanswered = x'', watermarks = x'', unplayed = x'', timestamps = x'', routing = NULL
                    WHERE pk = ?;
                INSERT INTO setting VALUES ('removals', '1')
                    ON CONFLICT (name) DO UPDATE SET value = CAST(CAST(value AS INTEGER) + 1 AS TEXT);
                """, arguments: [conversation.feed.position, conversation.feed.pk, conversation.pk])
    }

    private func count(_ conversation: CachedConversation, _ last: Timestamp, in run: Int64) throws {
        let id = conversation.state.identity.id.rawValue
        try db.execute(
            sql: """
                UPDATE removal_run SET conversations = conversations + 1, events = events + ?,
                    recordings = recordings + (SELECT count(*) FROM recording WHERE conversation = ?),
                    bytes = bytes + (SELECT ifnull(sum(bytes), 0) FROM recording WHERE conversation = ?),
                    keys = keys + (SELECT count(*) FROM conversation_key WHERE conversation = ?),
                    oldest = min(ifnull(oldest, ?), ?), newest = max(ifnull(newest, ?), ?)
                WHERE pk = ?
                """,
            arguments: [
                conversation.state.sequence, id, id, id, last.milliseconds, last.milliseconds, last.milliseconds,
                last.milliseconds, run,
            ])
    }

    /// Removes the next events of a run's conversations, with their words. With the last of them goes the key.
    /// - Returns: whether there are more.
    func removeEvents(of run: Int64, limit: Int) throws -> Bool {
        guard
            let next = try Row.fetchOne(
                db, sql: "SELECT conversation, feed, indexed FROM removed_conversation WHERE run = ? LIMIT 1",
                arguments: [run])
        else { return false }
        let (conversation, feed, indexed): (Int64, Int64, Int64) = (next[0], next[1], next[2])
        let events = try Row.fetchAll(
            db,
            sql: """
                SELECT e.pk, e.sequence, \(ContentField.event.opened("e.body", of: "k.id", number: "e.sequence"))
                FROM removed_conversation k JOIN event e ON e.conversation = k.conversation
                WHERE k.conversation = ? ORDER BY e.sequence LIMIT ?
                """, arguments: [conversation, limit])
        for event in events {
            let (pk, body): (Int64, [UInt8]) = (event[0], Array(event[2] as Data))
            guard pk <= indexed, let text = Event.searchedText(inWire: body, notes: true) else { continue }
            try db.execute(
                sql: "INSERT INTO words (words, rowid, body) VALUES ('delete', ?, ?)",
                arguments: [SearchRowNumber.number(feed: feed, key: pk), text])
        }
        if let last = events.last {
            try db.execute(
                sql: "DELETE FROM event WHERE conversation = ? AND sequence <= ?",
                arguments: [conversation, last[1] as Int64])
        }
        if events.count < limit {
            try db.execute(
                sql: "DELETE FROM removed_conversation WHERE conversation = ?; DELETE FROM conversation WHERE pk = ?",
                arguments: [conversation, conversation])
        }
        // The next event gets the number after the last one: the index must not take it for one that it has.
        try db.execute(
            sql: """
                UPDATE setting SET value = CAST((SELECT ifnull(max(pk), 0) FROM event) AS TEXT)
                WHERE name = 'search_cursor' AND CAST(value AS INTEGER) > (SELECT ifnull(max(pk), 0) FROM event)
                """)
        return true
    }

    /// Merges a part of the full-text tables: a deleted word stays in its old segment until segments are merged.
    /// - Parameter isFirst: whether all segments are to be merged into one, which later calls go on with.
    /// - Returns: whether there is more to merge.
    func rewriteIndex(isFirst: Bool) throws -> Bool {
        var hasMore = false
        for table in ["words", "names"] {
            let before = db.totalChangesCount
            try db.execute(
                sql: "INSERT INTO \(table) (\(table), rank) VALUES ('merge', ?)",
                arguments: [isFirst ? -Self.mergedPages : Self.mergedPages])
            // SQLite's documentation: fewer than two changes say that nothing was left to merge.
            if db.totalChangesCount - before >= 2 { hasMore = true }
        }
        return hasMore
    }

    /// Pages of the index that one transaction writes.
    private static let mergedPages = 64
}
