import EarshotCore
import EarshotModel
import Foundation
import GRDB
import Synchronization

/// The tables `identity_provider`, `consumer_identity` and `shared_device`.
struct ConsumerIdentityTable: ConsumerIdentityStore {
    private static let relatedLimit = 50

    private let rows: RowAccess

    init(_ rows: RowAccess) {
        self.rows = rows
    }

    func identityProvider(of account: AccountID) async throws(AdapterFailure) -> IdentityProvider? {
        try await rows.value(
            in: "identity_provider", id: account.rawValue,
            "SELECT \(ContentField.provider.opened("k.body", of: "k.account")) FROM identity_provider k "
                + "WHERE k.account = ?", [account.rawValue])
    }

    func save(_ provider: IdentityProvider?, of account: AccountID, audit: AuditEntry) async throws(AdapterFailure) {
        let body: Data?
        do { body = try provider.map { try JSONEncoder().encode($0) } } catch { throw .of(error) }
        try await rows.write { [keys = rows.contentKeys.keys] db in
            try db.cachedStatement(sql: "DELETE FROM identity_provider WHERE account = ?").execute(
                arguments: [account.rawValue])
            if let body { try SealedProviderSchema.save(body, of: account.rawValue, with: keys, in: db) }
            try AuditLog.insert(audit, in: db)
        }
    }

    func signIn(_ candidate: Consumer, device: ConsumerID?) async throws(AdapterFailure) -> Consumer {
        let stored = Mutex(candidate)
        try await rows.write { [keys = rows.contentKeys] db in
            let consumer = try Self.known(candidate, in: db)?.updated(by: candidate) ?? candidate
            try ConsumerRow.save(consumer, seen: candidate.since, keys, in: db)
            try Self.insert(consumer, in: db)
            if let device { try Self.share(device, with: consumer, in: db) }
            stored.withLock { $0 = consumer }
        }
        return stored.withLock { $0 }
    }

    func related(to consumer: Consumer) async throws(AdapterFailure) -> [Consumer] {
        let (id, account) = (consumer.id.rawValue, consumer.account.rawValue)
        let subject = consumer.subject
        let others =
            try await rows.values(
                in: "consumer",
                """
                SELECT p.id, \(ConsumerRow.body) WHERE p.id != ? AND p.id IN (
                    SELECT consumer FROM consumer_identity WHERE account = ? AND issuer = ? AND subject = ?
                    UNION SELECT anonymous FROM shared_device WHERE signed_in = ?
                    UNION SELECT signed_in FROM shared_device WHERE anonymous = ?) LIMIT \(Self.relatedLimit)
                """,
                [id, account, subject?.issuer, subject?.subject, id, id]) as [Consumer]
        return others.filter { $0.account == consumer.account }.sorted { $0.since < $1.since }
    }

    func consumers(of subject: ProviderSubject, in account: AccountID) async throws(AdapterFailure) -> [Consumer] {
        let found =
            try await rows.values(
                in: "consumer",
                """
                SELECT p.id, \(ConsumerRow.body) WHERE p.id IN (
                    SELECT consumer FROM consumer_identity WHERE account = ? AND issuer = ? AND subject = ?)
                """, [account.rawValue, subject.issuer, subject.subject]) as [Consumer]
        return found.sorted { $0.since < $1.since }
    }

    /// The consumer who has the candidate's subject already.
    private static func known(_ candidate: Consumer, in db: Database) throws -> Consumer? {
        guard let subject = candidate.subject else { return nil }
        let body = try Data.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT \(ConsumerRow.body) WHERE p.id = (SELECT consumer FROM consumer_identity
                    WHERE account = ? AND issuer = ? AND subject = ? AND app = ?)
                    """),
            arguments: [
                candidate.account.rawValue, subject.issuer, subject.subject, candidate.app.rawValue,
            ])
        return try body.map { try JSONDecoder().decode(Consumer.self, from: $0) }
    }

    private static func insert(_ consumer: Consumer, in db: Database) throws {
        guard let subject = consumer.subject else { return }
        try db.cachedStatement(sql: "INSERT OR IGNORE INTO consumer_identity VALUES (?, ?, ?, ?, ?)").execute(
            arguments: [
                consumer.account.rawValue, subject.issuer, subject.subject, consumer.app.rawValue,
                consumer.id.rawValue,
            ])
    }

    /// The anonymous consumer may have been removed; then there is nothing to share.
    private static func share(_ device: ConsumerID, with consumer: Consumer, in db: Database) throws {
        try db.cachedStatement(sql: "INSERT OR IGNORE INTO shared_device SELECT ?, id FROM consumer WHERE id = ?")
            .execute(arguments: [consumer.id.rawValue, device.rawValue])
    }
}
