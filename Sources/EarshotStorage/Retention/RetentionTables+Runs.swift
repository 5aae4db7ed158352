import EarshotCore
import EarshotModel
import Foundation
import GRDB
import Synchronization

/// Requests to erase, runs and receipts.
extension RetentionTables {
    func request(_ erasure: ErasureRequest, audit: AuditEntry) async throws(AdapterFailure) {
        let body: Data
        do { body = try JSONEncoder().encode(erasure) } catch { throw .of(error) }
        try await rows.write { db in
            try db.execute(
                sql: "INSERT OR IGNORE INTO erasure VALUES (?, NULL, ?)",
                arguments: [erasure.conversation.rawValue, body])
            if db.changesCount > 0 { try AuditLog.insert(audit, in: db) }
        }
    }

    func recordings(of conversation: ConversationID) async throws(AdapterFailure) -> [RecordedMedia] {
        try await rows.values(
            in: "recording", "SELECT conversation, body FROM recording WHERE conversation = ? ORDER BY at, media",
            [conversation.rawValue])
    }

    func erasureRequests() async throws(AdapterFailure) -> [ErasureRequest] {
        try await rows.values(in: "erasure", "SELECT conversation, body FROM erasure WHERE run IS NULL", [])
    }

    func pendingErasure(of run: Int64) async throws(AdapterFailure) -> ErasureRequest? {
        let all: [ErasureRequest] = try await rows.values(
            in: "erasure", "SELECT conversation, body FROM erasure WHERE run = ?", [run])
        return all.first
    }

    func settleErasure(of run: Int64, _ request: ErasureRequest) async throws(AdapterFailure) {
        try await rows.write { db in
            let (consumer, conversation) = (request.consumer.rawValue, request.conversation.rawValue)
            try db.execute(
                sql: """
                    UPDATE removal_run SET
                        keys = keys + (SELECT count(*) FROM conversation_key WHERE conversation = ?) WHERE pk = ?;
                    DELETE FROM consumer WHERE id = ?;
                    DELETE FROM conversation_key WHERE conversation = ?;
                    DELETE FROM erasure WHERE run = ?;
                    """, arguments: [conversation, run, consumer, conversation, run])
        }
    }

    func begin(_ run: RemovalRun, for request: ErasureRequest?) async throws(AdapterFailure) -> RemovalRun {
        let made = Mutex<Int64>(0)
        try await rows.write { db in
            try db.execute(
                sql: "INSERT INTO removal_run (account, kind, by, begun) VALUES (?, ?, ?, ?)",
                arguments: [run.account.rawValue, run.kind.rawValue, run.by, run.begun.milliseconds])
            let id = db.lastInsertedRowID
            made.withLock { $0 = id }
            guard let request else { return }
            try db.execute(
                sql: "UPDATE erasure SET run = ? WHERE conversation = ?",
                arguments: [id, request.conversation.rawValue])
        }
        return RemovalRun(
            id: made.withLock { $0 }, account: run.account, kind: run.kind, by: run.by, begun: run.begun)
    }

    func openRuns() async throws(AdapterFailure) -> [RemovalRun] {
        try await rows.read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM removal_run WHERE receipt IS NULL ORDER BY pk").map { row in
                RemovalRun(
                    id: row["pk"], account: AccountID(trusted: row["account"]),
                    kind: RemovalRun.Kind(rawValue: row["kind"]) ?? .retention, by: row["by"],
                    begun: Timestamp(milliseconds: row["begun"]), counts: RemovalCounts(row))
            }
        }
    }

    func lastRun(_ kind: RemovalRun.Kind, of account: AccountID) async throws(AdapterFailure) -> Timestamp? {
        try await rows.read { db in
            try Int64.fetchOne(
                db, sql: "SELECT begun FROM removal_run WHERE account = ? AND kind = ? ORDER BY pk DESC LIMIT 1",
                arguments: [account.rawValue, kind.rawValue]
            ).map(Timestamp.init(milliseconds:))
        }
    }

    func complete(_ receipt: SignedReceipt, audit: AuditEntry) async throws(AdapterFailure) {
        try await rows.write { db in
            try db.execute(
                sql: "UPDATE removal_run SET receipt = ?, signature = ? WHERE pk = ? AND receipt IS NULL",
                arguments: [Data(receipt.payload), Data(receipt.signature), receipt.receipt.run])
            if db.changesCount > 0 { try AuditLog.insert(audit, in: db) }
        }
    }

    func receipts(of account: AccountID, limit: Int) async throws(AdapterFailure) -> [SignedReceipt] {
        try await rows.read { db in
            let sql = """
                SELECT receipt, signature FROM removal_run
                WHERE account = ? AND receipt IS NOT NULL ORDER BY pk DESC LIMIT ?
                """
            return try Row.fetchAll(db, sql: sql, arguments: [account.rawValue, max(0, limit)]).map { row in
                let (payload, signature): (Data, Data) = (row[0], row[1])
                return SignedReceipt(
                    receipt: try RowAccess.decode(payload, of: "removal_run", id: account.rawValue),
                    payload: Array(payload), signature: Array(signature))
            }
        }
    }
}
