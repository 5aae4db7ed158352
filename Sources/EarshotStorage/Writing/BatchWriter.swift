import EarshotCore
import EarshotDomain
import EarshotModel
import GRDB

/// Writes a batch of jobs in one transaction. It caches the state of busy conversations, which is safe because there is
/// no other writer.
///
/// Decisions are pure and come before the first write of their change, so that a refused change leaves nothing behind.
/// A change that fails while it writes takes the transaction with it; its neighbours are then run again, each alone.
final class BatchWriter {
    /// What is kept in memory.
    struct Limits {
        var conversations = 20_000
        var feeds = 10_000
        /// Keys that are written into their index together: each page of it is written once for all that it gets.
        var recentKeys = 50
    }

    typealias Outcome = WriteOutcome
    typealias Committed = CommittedBatch

    let statements: LogStatements
    private let facets: FacetWriter
    private let limits: Limits
    private let damaged: DamagedRows
    private var conversations: ApproximateLRUCache<ConversationID, CachedConversation>
    private var feeds: [AccountID: CachedFeed] = [:]
    private var dirty: [CachedConversation] = []
    let keys: KeyIndex
    private var lastConversation: Int64

    init(_ db: Database, _ keys: ContentKeys, limits: Limits = Limits(), damaged: DamagedRows = DamagedRows()) throws {
        self.limits = limits
        self.damaged = damaged
        conversations = ApproximateLRUCache(weightLimit: limits.conversations)
        statements = try LogStatements(db, keys)
        facets = try FacetWriter(db)
        self.keys = try KeyIndex(db, together: limits.recentKeys)
        lastConversation = try statements.lastConversation.first(bind: { _ in }, read: { $0.integer(0) }) ?? 0
    }

    /// Runs jobs and marks in one transaction. Throws where nothing of it is on disk, with the caches as they were on
    /// disk.
    func commit(_ jobs: [WriteJob], marks: PendingWatermarks.Due, in db: Database) throws -> Committed {
        do {
            try statements.begin.run()
            var committed = Committed()
            for job in jobs { committed.outcomes.append(try run(job, in: db)) }
            try raise(marks)
            try writeRows()
            try keys.writeIfDue()
            try statements.commit.run()
            keys.commit()
            finish(&committed)
            return committed
        } catch {
            forget()
            keys.rollBack()
            if db.isInsideTransaction { try? db.rollback() }
            throw error
        }
    }

    private func run(_ job: WriteJob, in db: Database) throws -> Outcome {
        switch job {
        case .change(let change, _): .change(try run(setAsideIfDamaged: change))
        case .rows(let rows): .rows(try run(rows, in: db))
        case .verdict(let verdict, _): .verdict(isFirst: try run(verdict))
        case .removal(let removal, _): .removal(try run(removal, in: db))
        }
    }

    /// A change that needs a damaged row fails alone. It is read before anything is written.
    private func run(setAsideIfDamaged change: Change) throws -> Result<Accepted, ChangeFailure> {
        do { return try run(change) } catch let row as DamagedRow {
            return .failure(.failed(damaged.failure(row)))
        }
    }

    /// Runs row changes in a savepoint, so that a violated constraint fails only this job.
    private func run(_ rows: WriteJob.RowJob, in db: Database) throws -> AdapterFailure? {
        do {
            try db.inSavepoint {
                try rows.run(db)
                return .commit
            }
            return nil
        } catch let error as DatabaseError where error.resultCode.primaryResultCode == .SQLITE_CONSTRAINT {
            return AdapterFailure(error)
        }
    }

    /// Takes a conversation out of the log and out of the cache. What this batch changed stays for the next try.
    private func run(_ removal: ConversationRemoval, in db: Database) throws -> ConversationRemoval.Outcome {
        guard let found = try conversation(removal.conversation, identity: nil) else { return .notFound }
        let outcome = found.isDirty ? .inUse : try ConversationRemover(db: db).remove(found, removal)
        if outcome == .removed { conversations.remove(removal.conversation) }
        return outcome
    }

    /// Runs after the jobs, so that participants who joined in this batch are known.
    private func raise(_ marks: PendingWatermarks.Due) throws {
        switch marks {
        case .all(let all):
            for (id, requests) in all {
                _ = try damaged.skip {
                    guard let conversation = try self.conversation(id, identity: nil) else { return }
                    try raise(requests, in: conversation)
                }
            }
        case .ofTouched(let waiting):
            guard !waiting.isEmpty else { return }
            for conversation in dirty {
                guard let requests = waiting[conversation.state.identity.id] else { continue }
                _ = try damaged.skip { try raise(requests, in: conversation) }
            }
        }
    }

    private func raise(_ requests: [WatermarkUpdate], in conversation: CachedConversation) throws {
        let wasDirty = conversation.isDirty
        for request in requests {
            guard let by = request.by(conversation.state) else { continue }
            conversation.raise(Mark(by: by, delivered: max(0, request.delivered), read: max(0, request.read)))
            if let played = request.played, try recordPlayback(played, by: by, in: conversation),
                let audit = request.listening
            {
                try statements.record(audit)
            }
        }
        if conversation.isDirty, !wasDirty { dirty.append(conversation) }
    }

    /// The state row, which is the inbox row, once per conversation, with the next position of its feed.
    private func writeRows() throws {
        for conversation in dirty {
            conversation.takePosition()
            try write(conversation)
            try writePlayback(of: conversation)
            try facets.write(conversation)
        }
    }

    private func finish(_ committed: inout Committed) {
        committed.changes = dirty.map(\.tailChange)
        committed.notifications = dirty.map(\.notification)
        for conversation in dirty { conversation.markStored() }
        dirty.removeAll(keepingCapacity: true)
        conversations.evictIfFull()
        // A conversation holds on to its feed: both are forgotten, or neither.
        if feeds.count > limits.feeds { forget() }
    }

    /// Empties the caches after a failed transaction, so that everything is read from disk again.
    private func forget() {
        conversations.removeAll()
        feeds = [:]
        dirty = []
    }
}

extension BatchWriter {
    /// The conversation as it is now, in this batch. `nil` where there is none and none may begin.
    func conversation(_ id: ConversationID, identity: ConversationIdentity?) throws -> CachedConversation? {
        if let known = conversations.use(id, weight: { _ in 1 }) { return known }
        let stored = try statements.conversation.first(
            bind: { $0.text(id.rawValue, at: 1) }, read: ConversationRow.read)
        if let stored {
            return remember(
                try CachedConversation(stored, feed: try feed(stored.state.identity.account), isStored: true))
        }
        guard let identity else { return nil }
        let feed = try feed(identity.account)
        lastConversation += 1
        let row = ConversationRow(
            pk: lastConversation, feed: feed.pk, position: 0, state: ConversationState(identity), marks: Marks())
        return try CachedConversation(row, feed: feed, isStored: false)
    }

    /// Notes that the running batch changed it.
    func touch(_ conversation: CachedConversation) {
        if !conversation.isStored { _ = remember(conversation) }
        dirty.append(conversation)
    }

    private func remember(_ conversation: CachedConversation) -> CachedConversation {
        conversations.insert(conversation, for: conversation.state.identity.id, weight: 1)
        return conversation
    }

    private func feed(_ account: AccountID) throws -> CachedFeed {
        if let known = feeds[account] { return known }
        let query = {
            try self.statements.feed.first(
                bind: { $0.text(account.rawValue, at: 1) },
                read: { CachedFeed(pk: $0.integer(0), position: $0.integer(1)) })
        }
        if let stored = try query() {
            feeds[account] = stored
            return stored
        }
        try statements.insertFeed.run { $0.text(account.rawValue, at: 1) }
        guard let made = try query() else { throw AdapterFailure("a feed was not written", isRetryable: false) }
        feeds[account] = made
        return made
    }
}
