import Foundation
import GRDB

/// The step of the schema that encrypts identity providers: the private key for encrypted ID tokens is among what is
/// stored of them.
enum SealedProviderSchema {
    /// Each provider has a key of its own, encrypted with the master key of this id. `KeyRotation` knows these columns.
    static let step = """
        ALTER TABLE identity_provider ADD COLUMN master_key TEXT REFERENCES master_key;
        ALTER TABLE identity_provider ADD COLUMN wrapped BLOB;

        """

    /// Encrypts the providers that an earlier version stored in the clear.
    static func seal(_ db: Database, with keys: ContentKeys) throws {
        let plain = try Row.fetchAll(db, sql: "SELECT account, body FROM identity_provider WHERE wrapped IS NULL")
        for row in plain { try save(row[1], of: row[0], with: keys, in: db) }
    }

    /// Replaces the provider of an account.
    static func save(_ body: Data, of account: String, with keys: ContentKeys, in db: Database) throws {
        let (key, wrapped) = try keys.make(for: account)
        try db.execute(
            sql: "INSERT OR REPLACE INTO identity_provider (account, body, master_key, wrapped) VALUES (?, ?, ?, ?)",
            arguments: [account, Data(try key.seal(Array(body), .provider)), wrapped.master, wrapped.bytes])
    }
}
