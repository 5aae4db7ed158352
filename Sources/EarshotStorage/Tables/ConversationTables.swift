import EarshotCore
import EarshotDomain
import EarshotModel
import GRDB

/// The conversation log. The writer makes its changes; reads use the tail cache if it has all that is asked for,
/// otherwise the database.
struct ConversationTables: Sendable {
    let epoch: String
    let rows: RowAccess
    private let writer: Writer
    private let tails: TailCache

    init(_ rows: RowAccess, _ writer: Writer, tails: TailCache, epoch: String) {
        self.rows = rows
        self.writer = writer
        self.tails = tails
        self.epoch = epoch
    }
}

extension ConversationTables: ConversationLog {
    func connect(_ commitListener: any CommitListener) {
        writer.connect(commitListener)
    }

    /// If the queue is full or the store is closed, the change is answered at once on the caller's thread.
    func change(_ change: Change, answer: @escaping @Sendable (Result<Accepted, ChangeFailure>) -> Void) {
        writer.add(.change(change, answer: answer))
    }

    func apply(_ verdict: ScanVerdict) async throws(AdapterFailure) -> Bool {
        let result = await withCheckedContinuation { continuation in
            writer.add(.verdict(verdict) { continuation.resume(returning: $0) })
        }
        return try result.get()
    }

    /// Dropped if too many are queued.
    func raise(_ update: WatermarkUpdate) {
        writer.raise(update)
    }
}

extension ConversationTables: ConversationReads {
    func tail(_ conversation: ConversationID, after: Int) -> ConversationTail? {
        tails.tail(conversation, after: after)
    }

    func identity(of conversation: ConversationID) async throws(AdapterFailure) -> ConversationIdentity? {
        if let known = tails.identity(of: conversation) { return known }
        return try await rows.read { db in try Self.row(conversation, in: db)?.state.identity }
    }

    func view(_ conversation: ConversationID, after: Int?, limit: Int) async throws(AdapterFailure)
        -> ConversationView?
    {
        if let known = tails.view(conversation, after: after, limit: limit) { return known }
        return try await rows.read { [sound = sound(conversation)] db in
            guard let row = try Self.row(conversation, in: db) else { return nil }
            let window = ViewWindow(last: row.state.sequence, after: after, limit: limit)
            return ConversationView(
                state: row.state, marks: row.marks,
                events: sound.complete(
                    try Self.events(of: row, from: window.floor + 1, through: row.state.sequence, in: db),
                    from: window.floor + 1, through: row.state.sequence),
                hasMore: window.floor > 0, continuesCursor: window.continuesCursor)
        }
    }

    func states(of conversations: [ConversationID], in account: AccountID) async throws(AdapterFailure)
        -> [ConversationID: ConversationState]
    {
        let sql = """
            SELECT \(ConversationRow.columns) FROM \(ConversationRow.source)
            WHERE c.id IN (SELECT value FROM json_each(?)) AND f.account = ?
            """
        return try await rows.read { [damaged = rows.damaged] db in
            let states = try PreparedStatement(cached: sql, in: db).all { binder in
                binder.text(conversations.jsonList, at: 1)
                binder.text(account.rawValue, at: 2)
            } read: { row in
                try damaged.skip { try ConversationRow.read(row).state }
            }
            return Dictionary(states.compactMap { $0 }.map { ($0.identity.id, $0) }) { first, _ in first }
        }
    }

    func page(_ conversation: ConversationID, before: Int, limit: Int) async throws(AdapterFailure)
        -> [StoredEvent]
    {
        // A number from a client may be any number.
        guard before > 1, limit > 0 else { return [] }
        return try await rows.read { [sound = sound(conversation)] db in
            guard let row = try Self.row(conversation, in: db) else { return [] }
            let end = min(before - 1, row.state.sequence)
            let first = max(1, end - limit + 1)
            return sound.complete(
                try Self.events(of: row, from: first, through: end, in: db), from: first, through: end)
        }
    }

    func played(_ conversation: ConversationID, from: Int, through: Int) async throws(AdapterFailure)
        -> [MessagePlayback]
    {
        try await played(conversation, "h.sequence BETWEEN ? AND ?") { binder in
            binder.integer(from, at: 2)
            binder.integer(through, at: 3)
        }
    }

    func played(_ conversation: ConversationID, changedAfter position: Int64) async throws(AdapterFailure)
        -> [MessagePlayback]
    {
        let changed = "h.sequence IN (SELECT sequence FROM played WHERE conversation = c.pk AND position > ?)"
        return try await played(conversation, changed) { $0.integer(position, at: 2) }
    }

    private func played(_ conversation: ConversationID, _ condition: String, bind: @escaping @Sendable (Binder) -> Void)
        async throws(AdapterFailure)
        -> [MessagePlayback]
    {
        let sql = """
            SELECT h.sequence, h.author, h.listener, h.percent, h.listened FROM conversation c \
            JOIN played h ON h.conversation = c.pk
            WHERE c.id = ? AND \(condition) ORDER BY h.sequence, h.listener
            """
        return try await rows.read { db in
            let rows = try PreparedStatement(cached: sql, in: db).all { binder in
                binder.text(conversation.rawValue, at: 1)
                bind(binder)
            } read: { row in
                let played = PlaybackProgress(
                    sequence: row.int(0), by: ParticipantNumber(row.int(2)), percent: row.int(3),
                    isListened: row.int(4) == 1)
                return (author: ParticipantNumber(row.int(1)), played: played)
            }
            return Dictionary(grouping: rows, by: \.played.sequence).sorted { $0.key < $1.key }.map { sequence, rows in
                MessagePlayback(sequence: sequence, author: rows[0].author, listeners: rows.map(\.played))
            }
        }
    }

    private func sound(_ conversation: ConversationID) -> SoundEvents {
        SoundEvents(of: conversation, noting: rows.damaged)
    }

    private static func row(_ conversation: ConversationID, in db: Database) throws -> ConversationRow? {
        let sql = "SELECT \(ConversationRow.columns) FROM \(ConversationRow.source) WHERE c.id = ?"
        return try PreparedStatement(cached: sql, in: db).first(
            bind: { $0.text(conversation.rawValue, at: 1) }, read: ConversationRow.read)
    }

    private static func events(of row: ConversationRow, from first: Int, through last: Int, in db: Database) throws
        -> [StoredEvent]
    {
        let sql =
            "SELECT e.sequence, e.same_for_all, \(ContentField.event.opened("e.body", of: "?1", number: "e.sequence")) "
            + "FROM event e \(ContentField.join("?1")) "
            + "WHERE e.conversation = ?2 AND e.sequence BETWEEN ?3 AND ?4 ORDER BY e.sequence"
        return try PreparedStatement(cached: sql, in: db).all { binder in
            binder.text(row.state.identity.id.rawValue, at: 1)
            binder.integer(row.pk, at: 2)
            binder.integer(first, at: 3)
            binder.integer(last, at: 4)
        } read: { row in
            StoredEvent(sequence: row.int(0), encoded: row.blob(2), isSameForAll: row.int(1) == 1)
        }
    }
}

extension [ConversationID] {
    /// The ids as JSON, for `json_each`.
    var jsonList: String { "[" + map { "\"\($0)\"" }.joined(separator: ",") + "]" }
}
