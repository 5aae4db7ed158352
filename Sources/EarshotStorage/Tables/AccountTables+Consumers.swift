import EarshotCore
import EarshotModel
import Foundation
import GRDB

/// The table `consumer`, and the names in the search index.
extension AccountTables: ConsumerStore {
    func consumer(_ id: ConsumerID) async throws(AdapterFailure) -> Consumer? {
        try await rows.value(in: "consumer", id: id.rawValue, "SELECT body FROM consumer WHERE id = ?", [id.rawValue])
    }

    /// The name is indexed when the conversation begins, and again here when it changes after that.
    func save(_ consumer: Consumer) async throws(AdapterFailure) {
        try await rows.write { db in try Self.save(consumer, in: db) }
    }

    /// Saves a consumer in the transaction of a larger change.
    static func save(_ consumer: Consumer, in db: Database) throws {
        let body = try JSONEncoder().encode(consumer)
        let known = try String.fetchOne(
            db.cachedStatement(sql: "SELECT name FROM consumer WHERE id = ?"), arguments: [consumer.id.rawValue])
        try db.cachedStatement(sql: saving).execute(arguments: [consumer.id.rawValue, consumer.name, body])
        if let known, known != consumer.name { try index(consumer, in: db) }
    }

    private static let saving =
        "INSERT INTO consumer VALUES (?, ?, ?) "
        + "ON CONFLICT (id) DO UPDATE SET name = excluded.name, body = excluded.body"

    private static func index(_ consumer: Consumer, in db: Database) throws {
        let conversation = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT feed, pk FROM conversation WHERE id = ?"),
            arguments: [consumer.conversation.rawValue])
        guard let conversation else { return }
        try db.cachedStatement(sql: "UPDATE names SET body = ? WHERE rowid = ?").execute(
            arguments: [consumer.name, SearchRowNumber.number(feed: conversation[0], key: conversation[1])])
    }
}
