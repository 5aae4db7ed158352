import EarshotDomain
import EarshotModel
import GRDB

/// The idempotency keys of all events: those of the latest in memory, all others in the index `event_key`, into which
/// they are written many at a time. Only the writer's thread uses it.
final class KeyIndex {
    private var recent: RecentKeys
    /// Whether the running batch writes the recent keys into the index.
    private var isWriting = false
    private let query: PreparedStatement
    private let update: PreparedStatement

    /// The events behind the last one whose key is in the index. Reads the table backwards until there.
    private static let recentQuery = """
        SELECT pk, conversation, sequence, at, key, digest FROM event NOT INDEXED
        WHERE key IS NOT NULL AND pk > ifnull(
            (SELECT pk FROM event NOT INDEXED WHERE key_hash IS NOT NULL ORDER BY pk DESC LIMIT 1), 0)
        ORDER BY pk
        """

    /// - Parameter together: how many keys are written into the index in one transaction.
    init(_ db: Database, together: Int) throws {
        query = try PreparedStatement(
            "SELECT sequence, at, digest FROM event INDEXED BY event_key "
                + "WHERE conversation = ? AND key_hash = ? AND key = ?",
            in: db)
        update = try PreparedStatement("UPDATE event SET key_hash = ? WHERE pk = ? AND conversation = ?", in: db)
        recent = RecentKeys(indexedTogether: together)
        let found = try PreparedStatement(Self.recentQuery, in: db).all(bind: { _ in }) { row in
            RecentKeys.Entry(
                event: row.integer(0), conversation: row.integer(1), key: StoredKey(text: row.text(4)),
                known: RecentKeys.Known(
                    sequence: row.int(2), at: Timestamp(milliseconds: row.integer(3)), digest: row.blob(5)))
        }
        for entry in found { recent.add(entry) }
        recent.commit(indexed: false)
    }

    /// What the command with this key was answered, if it was.
    func find(_ key: StoredKey, in conversation: CachedConversation) throws -> RecentKeys.Known? {
        if let known = recent.find(key, in: conversation.pk) { return known }
        return try query.first { binder in
            binder.integer(conversation.pk, at: 1)
            binder.integer(key.hash, at: 2)
            binder.text(key.text, at: 3)
        } read: { row in
            RecentKeys.Known(
                sequence: row.int(0), at: Timestamp(milliseconds: row.integer(1)), digest: row.blob(2))
        }
    }

    /// Notes the key of an event that the running batch has just written.
    func add(_ key: StoredKey, digest: [UInt8], of event: Event, row: Int64, in conversation: CachedConversation) {
        let known = RecentKeys.Known(sequence: event.sequence, at: event.at, digest: digest)
        recent.add(RecentKeys.Entry(event: row, conversation: conversation.pk, key: key, known: known))
    }

    /// Writes the recent keys into the index, if there are enough.
    func writeIfDue() throws {
        isWriting = recent.areDue
        guard isWriting else { return }
        for entry in recent.entries {
            try update.run { binder in
                binder.integer(entry.key.hash, at: 1)
                binder.integer(entry.event, at: 2)
                // The number of a removed event may be that of another by now.
                binder.integer(entry.conversation, at: 3)
            }
        }
    }

    /// The running batch is on disk.
    func commit() { recent.commit(indexed: isWriting) }

    /// Nothing of the running batch is on disk.
    func rollBack() { recent.rollBack() }
}
