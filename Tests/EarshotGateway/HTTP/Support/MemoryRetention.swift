import EarshotCore
import EarshotModel

/// Retention records that are kept in memory. Every brand has the same receipt and the same counts. Nothing is due.
actor MemoryRetention: RetentionStore {
    private(set) var days: [AccountID: Int] = [:]
    private(set) var holds: [LegalHold] = []
    private(set) var requests: [ErasureRequest] = []
    private(set) var entries: [AuditEntry] = []
    private(set) var askedBefore: [Timestamp] = []
    var known: Timestamp?

    func set(known: Timestamp) { self.known = known }

    func retentionDays(of account: AccountID) -> Int? { days[account] }

    func save(retentionDays: Int, of account: AccountID, audit: AuditEntry) {
        days[account] = retentionDays
        entries.append(audit)
    }

    func holds(of account: AccountID) -> [LegalHold] { holds.filter { $0.account == account } }

    func place(_ hold: LegalHold, audit: AuditEntry) {
        holds.append(hold)
        entries.append(audit)
    }

    func liftHold(_ conversation: ConversationID, audit: AuditEntry) {
        holds.removeAll { $0.conversation == conversation }
        entries.append(audit)
    }

    func dueCounts(of account: AccountID, before: Timestamp) -> RemovalCounts {
        askedBefore.append(before)
        return RemovalCounts(conversations: 3, events: 40, recordings: 2, bytes: 5_000, oldest: before, newest: nil)
    }

    func request(_ erasure: ErasureRequest, audit: AuditEntry) {
        requests.append(erasure)
        entries.append(audit)
    }

    func receipts(of account: AccountID, limit: Int) -> [SignedReceipt] {
        let run = RemovalRun(
            id: 7, account: account, kind: .retention, by: AuditEntry.earshot, begun: Timestamp(milliseconds: 1))
        let receipt = RemovalReceipt(run, completed: Timestamp(milliseconds: 2), key: "key")
        return [SignedReceipt(receipt: receipt, payload: Array("{}".utf8), signature: [1, 2, 3])]
    }

    func lastKnownTime() -> Timestamp? { known }
}

/// Removals of conversations are tested with a real log, in Tests/EarshotStorage/RetentionTests.swift.
extension MemoryRetention {
    func dueConversations(of account: AccountID, before: Timestamp, limit: Int) -> [ConversationID] { [] }
    func erasureRequests() -> [ErasureRequest] { [] }
    func begin(_ run: RemovalRun, for request: ErasureRequest?) -> RemovalRun { run }
    func openRuns() -> [RemovalRun] { [] }
    func pendingErasure(of run: Int64) -> ErasureRequest? { nil }
    func lastRun(_ kind: RemovalRun.Kind, of account: AccountID) -> Timestamp? { nil }
    func remove(_ removal: ConversationRemoval) -> ConversationRemoval.Outcome { .notFound }
    func settleErasure(of run: Int64, _ request: ErasureRequest) {}
    func removeSilentConsumers(of account: AccountID, signedIn: Bool, before: Timestamp, limit: Int) -> Int { 0 }
    func removeEvents(of run: Int64, limit: Int) -> Bool { false }
    func filesToRemove(of run: Int64, limit: Int) -> [MediaID] { [] }
    func noteRemoved(_ media: MediaID) {}
    func rewriteIndex(isFirst: Bool) -> Bool { false }
    func emptyLog(at now: Timestamp) -> Bool { true }
    func complete(_ receipt: SignedReceipt, audit: AuditEntry) {}
    func recordings(of conversation: ConversationID) -> [RecordedMedia] { [] }
    func note(time: Timestamp) { known = time }
}
