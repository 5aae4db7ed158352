import EarshotCore
import EarshotModel
import Foundation
import GRDB

/// The table of the conversations' keys. Used in the writer's transactions.
struct ContentKeyTable: Sendable {
    let keys: ContentKeys

    /// The key of a conversation. It is made where there is none.
    /// - Throws: `DamagedRow` where the stored one cannot be opened.
    func obtain(_ conversation: ConversationID, of account: AccountID, in db: Database) throws -> ContentKey {
        let id = conversation.rawValue
        let stored = try PreparedStatement(
            cached: "SELECT master_key, wrapped FROM conversation_key WHERE conversation = ?", in: db
        ).first(bind: { $0.text(id, at: 1) }, read: { WrappedKey(master: $0.text(0), bytes: Data($0.blob(1))) })
        if let stored {
            guard let key = keys.key(stored, of: id) else { throw DamagedRow(table: "conversation_key", id: id) }
            return key
        }
        let (key, wrapped) = try keys.make(for: id)
        try PreparedStatement(
            cached: "INSERT INTO conversation_key (conversation, account, master_key, wrapped) VALUES (?, ?, ?, ?)",
            in: db
        ).run { binder in
            binder.text(id, at: 1)
            binder.text(account.rawValue, at: 2)
            binder.text(wrapped.master, at: 3)
            binder.blob(Array(wrapped.bytes), at: 4)
        }
        return key
    }

    /// The ids of the master keys that the database cannot be read without.
    static func needed(_ db: Database) throws -> Set<String> {
        try String.fetchSet(db, sql: "SELECT id FROM master_key")
    }

    /// Notes that keys are wrapped with this master key, before the first of them is.
    static func note(_ master: MasterKey, in db: Database) throws {
        try db.execute(sql: "INSERT OR IGNORE INTO master_key VALUES (?)", arguments: [master.id])
    }
}
