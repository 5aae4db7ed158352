import EarshotCore
import EarshotDomain
import EarshotModel
import GRDB

/// The writer's statements, prepared once.
struct LogStatements {
    private let database: Database
    private let keys: ContentKeyTable
    /// Prepared too: GRDB would compile them again for every batch, which costs as much as storing a message.
    let begin: PreparedStatement
    let commit: PreparedStatement
    let conversation: PreparedStatement
    let insertConversation: PreparedStatement
    let updateConversation: PreparedStatement
    let insertEvent: PreparedStatement
    let feed: PreparedStatement
    let insertFeed: PreparedStatement
    let lastConversation: PreparedStatement
    let event: PreparedStatement
    let played: PreparedStatement
    let savePlayed: PreparedStatement
    let recording: PreparedStatement
    let updateRecording: PreparedStatement

    /// A feed's number, its position and its floor: two steps into an index.
    static let feedQuery = """
        SELECT pk, max(
            floor,
            ifnull((SELECT max(position) FROM conversation WHERE feed = f.pk AND closed = 0), 0),
            ifnull((SELECT max(position) FROM conversation WHERE feed = f.pk AND closed = 1), 0)), floor
        FROM feed f WHERE account = ?
        """

    init(_ db: Database, _ contentKeys: ContentKeys) throws {
        database = db
        keys = ContentKeyTable(keys: contentKeys)
        begin = try PreparedStatement("BEGIN IMMEDIATE", in: db)
        commit = try PreparedStatement("COMMIT", in: db)
        conversation = try PreparedStatement(
            "SELECT \(ConversationRow.columns) FROM \(ConversationRow.source) WHERE c.id = ?", in: db)
        let changing = ConversationRow.changingColumns
        let fixed = ["pk", "id", "feed", "app", "consumer", "channel"]
        insertConversation = try PreparedStatement(
            """
            INSERT INTO conversation (\((fixed + changing).joined(separator: ", ")))
            VALUES (\((fixed + changing).map { _ in "?" }.joined(separator: ", ")))
            """, in: db)
        updateConversation = try PreparedStatement(
            "UPDATE conversation SET \(changing.map { "\($0) = ?" }.joined(separator: ", ")) WHERE pk = ?", in: db)
        insertEvent = try PreparedStatement(
            "INSERT INTO event (conversation, sequence, at, same_for_all, body, key, digest, kind) "
                + "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            in: db)
        feed = try PreparedStatement(Self.feedQuery, in: db)
        insertFeed = try PreparedStatement("INSERT INTO feed (account, floor) VALUES (?, 0)", in: db)
        lastConversation = try PreparedStatement("SELECT ifnull(max(pk), 0) FROM conversation", in: db)
        event = try PreparedStatement(
            """
            SELECT \(ContentField.event.opened("e.body", of: "?3", number: "e.sequence")) FROM event e \
            \(ContentField.join("?3")) WHERE e.conversation = ?1 AND e.sequence = ?2
            """, in: db)
        played = try PreparedStatement(
            "SELECT listener, played FROM played WHERE conversation = ? AND sequence = ?", in: db)
        savePlayed = try PreparedStatement("INSERT OR REPLACE INTO played VALUES (?, ?, ?, ?, ?, ?, ?, ?)", in: db)
        recording = try PreparedStatement("SELECT body FROM recording WHERE conversation = ? AND media = ?", in: db)
        updateRecording = try PreparedStatement(
            "UPDATE recording SET scan = ?, sent = ?, body = ? WHERE conversation = ? AND media = ?", in: db)
    }

    /// The key of a conversation, which is made with its first content.
    func contentKey(of identity: ConversationIdentity) throws -> ContentKey {
        try keys.obtain(identity.id, of: identity.account, in: database)
    }

    /// Writes an entry of the audit log in the running transaction.
    func record(_ entry: AuditEntry) throws { try AuditLog.insert(entry, in: database) }
}

/// A key as it is stored: exact, and a number from it that keeps the index small. Two keys with one number are told
/// apart by the text.
struct StoredKey {
    let text: String
    let hash: Int64

    init(author: String, key: IdempotencyKey) {
        // A key has no space in it, so that no two pairs give one text.
        self.init(text: author + " " + key.rawValue)
    }

    /// As it was stored.
    init(text: String) {
        self.text = text
        // FNV-1a: the same in every process, unlike Swift's own.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        self.hash = Int64(bitPattern: hash)
    }
}
