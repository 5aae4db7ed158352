import Crypto
import EarshotDomain
public import EarshotModel
import Foundation

/// Removes conversations whose time has passed, and consumers who asked to be erased: rows, search entries and files.
///
/// It works in small steps, each a transaction of the one writer. A run ends with a signed receipt, which is written
/// only after the last file and the last byte in the database are gone.
public struct RetentionService: Sendable {
    /// A clock that is further ahead of the last known time, or further behind it, stops retention until an operator
    /// confirms it.
    static let clockToleranceMs: Int64 = 24 * 3600 * 1000
    /// A brand's conversations are checked once in this time: each run rewrites the search index.
    static let intervalMs: Int64 = 23 * 3600 * 1000
    /// How long a consumer who never wrote and never signed in is kept after the last visit, or for the brand's days if
    /// those are fewer.
    static let silentConsumerDays = 30
    /// The most consumers who never wrote that a pass looks at, for each brand and kind.
    static let silentConsumersAtOnce = 10_000
    private static let consumersInTransaction = 100
    private static let conversationsAtOnce = 50
    private static let eventsAtOnce = 100

    /// How the files of recordings are removed.
    public struct Files: Sendable {
        let remove: @Sendable (MediaID) async throws -> Void
        let removeUploads: @Sendable (_ author: String) async throws -> Void

        /// Takes the two ways: all files of a finished recording, and the unfinished uploads of an author.
        public init(
            remove: @escaping @Sendable (MediaID) async throws -> Void,
            removeUploads: @escaping @Sendable (_ author: String) async throws -> Void
        ) {
            (self.remove, self.removeUploads) = (remove, removeUploads)
        }

        /// Removes from these recordings.
        public init(_ recordings: any RecordingFiles & RecordingUploads) {
            self.init(remove: { try await recordings.remove($0) }) { author in
                for upload in try await recordings.openUploads(of: author) {
                    try await recordings.abort(upload.status.upload, by: author)
                }
            }
        }
    }

    /// What it works with.
    public struct Dependencies: Sendable {
        let store: any RetentionStore
        let files: Files
        let log: any ConversationStore
        let accounts: any AccessStore & AgentStore & AuditStore
        let sessions: SessionService

        /// Takes the stores, and the service that ends connections.
        public init(
            store: any RetentionStore, files: Files, log: any ConversationStore,
            accounts: any AccessStore & AgentStore & AuditStore, sessions: SessionService
        ) {
            (self.store, self.files, self.log) = (store, files, log)
            (self.accounts, self.sessions) = (accounts, sessions)
        }
    }

    /// What a pass did.
    public enum Outcome: Hashable, Sendable {
        /// Everything that is due was removed.
        case done
        /// Retention waits: the clock differs from the last known time by more than `clockToleranceMs`.
        case clockJumped(lastKnown: Timestamp)
    }

    private let parts: Dependencies
    private let environment: SystemEnvironment
    private let signer: DocumentSigner
    private var store: any RetentionStore { parts.store }

    /// Creates the service.
    public init(_ parts: Dependencies, environment: SystemEnvironment, signer: DocumentSigner) {
        (self.parts, self.environment, self.signer) = (parts, environment, signer)
    }

    /// Goes on with interrupted runs, and erases consumers for whom that was asked. It does not depend on the clock. A
    /// run that fails stops no other; the first such error is thrown at the end.
    public func removeRequested() async throws {
        var failure: (any Error)?
        func attempt(_ body: () async throws -> Void) async {
            do { try await body() } catch { failure = failure ?? error }
        }
        for run in try await store.openRuns() { await attempt { try await finish(run) } }
        for request in try await store.erasureRequests() {
            let run = RemovalRun(
                id: 0, account: request.account, kind: .erasure, by: request.by, begun: environment.now())
            await attempt { try await finish(try await store.begin(run, for: request)) }
        }
        if let failure { throw failure }
    }

    /// Removes what is due in these brands, unless the clock jumped.
    public func removeDue(of accounts: [AccountID]) async throws -> Outcome {
        if let known = try await store.lastKnownTime(), isJump(from: known) { return .clockJumped(lastKnown: known) }
        try await store.note(time: environment.now())
        for account in accounts {
            try await removeSilent(of: account)
            try await removeDue(of: account)
        }
        return .done
    }

    /// The time before which the last event of a conversation must be for retention to remove it.
    public func limit(of account: AccountID) async throws -> Timestamp {
        let days = try await store.retentionDays(of: account) ?? RetentionPeriod.defaultDays
        return environment.now().adding(milliseconds: -Int64(days) * RetentionPeriod.dayMs)
    }

    /// Removes consumers who never wrote: those who signed in after the brand's days, anonymous ones earlier.
    private func removeSilent(of account: AccountID) async throws {
        let limit = try await limit(of: account)
        let anonymous = environment.now().adding(milliseconds: -Int64(Self.silentConsumerDays) * RetentionPeriod.dayMs)
        for (signedIn, before) in [(false, max(limit, anonymous)), (true, limit)] {
            var seen = 0
            while seen < Self.silentConsumersAtOnce {
                try Task.checkCancellation()
                let step = try await store.removeSilentConsumers(
                    of: account, signedIn: signedIn, before: before, limit: Self.consumersInTransaction)
                seen += step
                if step < Self.consumersInTransaction { break }
            }
        }
    }

    private func isJump(from known: Timestamp) -> Bool { Self.isJump(from: known, to: environment.now()) }

    /// Whether a clock that showed `known` last, and shows `now`, may be wrong.
    public static func isJump(from known: Timestamp, to now: Timestamp) -> Bool {
        abs(now.milliseconds - known.milliseconds) > clockToleranceMs
    }

    private func removeDue(of account: AccountID) async throws {
        let now = environment.now()
        if let last = try await store.lastRun(.retention, of: account),
            (last...last.adding(milliseconds: Self.intervalMs)).contains(now)
        {
            return
        }
        guard try await !store.dueConversations(of: account, before: limit(of: account), limit: 1).isEmpty else {
            return
        }
        let run = RemovalRun(id: 0, account: account, kind: .retention, by: AuditEntry.earshot, begun: now)
        try await finish(try await store.begin(run, for: nil))
    }

    // MARK: One run

    private func finish(_ run: RemovalRun) async throws {
        switch run.kind {
        case .retention: try await detachDue(run)
        case .erasure: try await erase(run)
        }
        while try await store.removeEvents(of: run.id, limit: Self.eventsAtOnce) { try Task.checkCancellation() }
        try await removeFiles(of: run)
        var isFirst = true
        while try await store.rewriteIndex(isFirst: isFirst) {
            isFirst = false
            try Task.checkCancellation()
        }
        guard try await store.emptyLog(at: environment.now()) else {
            throw AdapterFailure("a reader keeps the write-ahead log from being emptied", isRetryable: true)
        }
        try await complete(run)
    }

    private func detachDue(_ run: RemovalRun) async throws {
        if let known = try await store.lastKnownTime(), isJump(from: known) { return }
        let limit = try await limit(of: run.account)
        while true {
            try Task.checkCancellation()
            let due = try await store.dueConversations(
                of: run.account, before: limit, limit: Self.conversationsAtOnce)
            var removed = 0
            for id in due {
                let outcome = try await store.remove(
                    ConversationRemoval(
                        conversation: id, account: run.account, run: run.id, lastEventBefore: limit))
                if outcome == .removed { removed += 1 }
            }
            // What could not be removed (it was reopened just now) waits for the next run.
            guard removed > 0 else { return }
        }
    }

    /// The consumer is blocked first, so that nothing is written behind the removal.
    private func erase(_ run: RemovalRun) async throws {
        guard let request = try await store.pendingErasure(of: run.id) else { return }
        try await block(request)
        try await close(request)
        try await parts.files.removeUploads(request.consumer.rawValue)
        let outcome = try await store.remove(
            ConversationRemoval(
                conversation: request.conversation, account: request.account, run: run.id, lastEventBefore: nil))
        switch outcome {
        case .removed, .notFound: try await store.settleErasure(of: run.id, request)
        case .inUse, .held:
            throw AdapterFailure("a conversation that is to be erased is in use or held", isRetryable: true)
        }
        try await parts.sessions.reconnectEveryone(of: request.account)
    }

    private func block(_ request: ErasureRequest) async throws {
        try await parts.accounts.apply(
            ConsumerBlock(
                consumer: request.consumer, account: request.account, isBlocked: true,
                audit: AuditEntry(
                    account: request.account, at: environment.now(), by: request.by, what: .consumerBlocked,
                    conversation: request.conversation, detail: request.consumer.rawValue)))
        try await parts.sessions.refresh()
    }

    private func close(_ request: ErasureRequest) async throws {
        let change = Change(
            .existing(request.conversation),
            .init(
                author: AuditEntry.earshot, key: IdempotencyKey(trusted: "erase-\(request.at.milliseconds)"),
                digest: Array(SHA256.hash(data: Array(request.conversation.rawValue.utf8)).prefix(16)),
                at: environment.now()),
            decide: { state throws(Rejection) in
                guard state.status != .closed else {
                    throw Rejection(.alreadyClosed, "This conversation is closed already.")
                }
                return [Fact(.system, .closed(.init(quiet: true)))]
            })
        let log = parts.log
        let answer = await withCheckedContinuation { continuation in
            log.change(change) { continuation.resume(returning: $0) }
        }
        // It is closed already, or does not exist: the removal says which.
        if case .failure(.failed(let failure)) = answer { throw failure }
    }

    private func removeFiles(of run: RemovalRun) async throws {
        while true {
            let page = try await store.filesToRemove(of: run.id, limit: Self.conversationsAtOnce)
            guard !page.isEmpty else { return }
            for media in page {
                try Task.checkCancellation()
                try await parts.files.remove(media)
                try await store.noteRemoved(media)
            }
        }
    }

    private func complete(_ run: RemovalRun) async throws {
        guard let counted = try await store.openRuns().first(where: { $0.id == run.id }) else { return }
        let receipt = RemovalReceipt(counted, completed: environment.now(), key: signer.verifier.fingerprint)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let payload = Array(try encoder.encode(receipt))
        let counts = counted.counts
        try await store.complete(
            SignedReceipt(receipt: receipt, payload: payload, signature: try signer.signature(of: payload)),
            audit: AuditEntry(
                account: run.account, at: receipt.completed, by: run.by,
                what: run.kind == .retention ? .conversationsPurged : .consumerErased,
                detail: "run \(run.id), conversations \(counts.conversations), recordings \(counts.recordings)"))
    }
}
