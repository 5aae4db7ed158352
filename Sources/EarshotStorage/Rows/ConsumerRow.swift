import EarshotCore
import EarshotModel
import Foundation
import GRDB

/// A row of `consumer`. Name and body are encrypted with the key of the consumer's conversation.
enum ConsumerRow {
    /// The part of a query that reads the bodies of consumers, as the table `p`.
    static let body = "\(ContentField.consumer.opened("p.body", of: "p.conversation")) FROM \(source)"

    private static let source = "consumer p \(ContentField.join("p.conversation"))"
    private static let knownName =
        "SELECT \(ContentField.name.opened("p.name", of: "p.conversation")) FROM \(source) WHERE p.id = ?"
    private static let saving =
        "INSERT INTO consumer (id, name, body, account, conversation, signed_in, seen) VALUES (?, ?, ?, ?, ?, ?, ?) "
        + "ON CONFLICT (id) DO UPDATE SET name = excluded.name, body = excluded.body, "
        + "seen = max(seen, excluded.seen)"

    /// Saves a consumer. The name is indexed when the conversation begins, and again here when it changes after that.
    /// - Parameter seen: when the consumer came or signed in; `nil` for the consumer's first time.
    static func save(_ consumer: Consumer, seen: Timestamp? = nil, _ keys: ContentKeyTable, in db: Database) throws {
        let key = try keys.obtain(consumer.conversation, of: consumer.account, in: db)
        let body = try key.seal(Array(try JSONEncoder().encode(consumer)), .consumer)
        let name = try key.seal(Array(consumer.name.utf8), .name)
        let known = try String.fetchOne(db.cachedStatement(sql: knownName), arguments: [consumer.id.rawValue])
        try db.cachedStatement(sql: saving).execute(
            arguments: [
                consumer.id.rawValue, Data(name), Data(body), consumer.account.rawValue,
                consumer.conversation.rawValue, consumer.subject != nil,
                (seen ?? consumer.since).milliseconds,
            ])
        if let known, known != consumer.name { try index(consumer, in: db) }
    }

    private static func index(_ consumer: Consumer, in db: Database) throws {
        let conversation = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT feed, pk FROM conversation WHERE id = ?"),
            arguments: [consumer.conversation.rawValue])
        guard let conversation else { return }
        try db.cachedStatement(sql: "UPDATE names SET body = ? WHERE rowid = ?").execute(
            arguments: [consumer.name, SearchRowNumber.number(feed: conversation[0], key: conversation[1])])
    }
}
