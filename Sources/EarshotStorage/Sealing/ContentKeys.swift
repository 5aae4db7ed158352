import Crypto
import EarshotCore
import Foundation
import GRDB
import Synchronization

/// Opens the keys of conversations with the master keys, and remembers those that were opened last. Every connection
/// has its SQL function `opened`, so that queries read sealed columns.
final class ContentKeys: Sendable {
    /// How many opened keys are remembered.
    static let remembered = 20_000

    private struct State {
        var masters: MasterKeys?
        /// By the wrapped key, which has a random part: what is remembered cannot be out of date.
        var opened = ApproximateLRUCache<Data, SymmetricKey>(weightLimit: remembered)
    }

    private let state = Mutex(State())

    /// Asks the source for the master keys, and refuses a database that needs another one.
    func unlock(_ source: any MasterKeySource, needed: Set<String>) throws(AdapterFailure) {
        let masters = try source.masterKeys(needed: needed)
        let missing = needed.filter { masters[$0] == nil }.sorted()
        guard missing.isEmpty else { throw .missing(masterKeys: missing) }
        state.withLock { $0.masters = masters }
    }

    /// The master key that encrypts new keys.
    /// - Precondition: it is unlocked.
    var current: MasterKey { masters.current }

    /// All master keys.
    /// - Precondition: they are unlocked.
    var masters: MasterKeys {
        guard let masters = state.withLock({ $0.masters }) else { preconditionFailure("the keys are not unlocked") }
        return masters
    }

    /// A new key for a conversation, and how it is stored.
    func make(for conversation: String) throws -> (key: ContentKey, wrapped: WrappedKey) {
        let key = ContentKey(conversation: conversation, key: SymmetricKey(size: .bits256))
        return (key, try WrappedKey(key, by: current))
    }

    /// - Returns: `nil` where the master key is not known or the key was not wrapped for this conversation.
    func key(_ wrapped: WrappedKey, of conversation: String) -> ContentKey? {
        let (known, masters) = state.withLock { state in
            (state.opened.use(wrapped.bytes) { _ in 1 }, state.masters)
        }
        if let known { return ContentKey(conversation: conversation, key: known) }
        guard let master = masters?[wrapped.master], let key = wrapped.open(of: conversation, by: master) else {
            return nil
        }
        state.withLock { state in
            state.opened.insert(key.key, for: wrapped.bytes, weight: 1)
            state.opened.evictIfFull()
        }
        return key
    }

    /// Adds the function `opened` to a connection: master key, wrapped key, conversation, field, number, value. What
    /// is not sealed is returned as it is.
    func install(in db: Database) {
        db.add(
            function: DatabaseFunction("opened", argumentCount: 6, pure: true) { [self] values in
                guard case .blob(let sealed) = values[5].storage, sealed.first == ContentKey.version else {
                    return values[5]
                }
                guard let opened = open(sealed, values) else { return Data([ContentKey.unreadable]) }
                return opened
            })
    }

    private func open(_ sealed: Data, _ values: [DatabaseValue]) -> (any DatabaseValueConvertible)? {
        guard let master = String.fromDatabaseValue(values[0]), let wrapped = Data.fromDatabaseValue(values[1]),
            let conversation = String.fromDatabaseValue(values[2]),
            let field = String.fromDatabaseValue(values[3]).flatMap(ContentField.init(rawValue:)),
            let number = Int.fromDatabaseValue(values[4]),
            let opened = key(WrappedKey(master: master, bytes: wrapped), of: conversation)?.open(sealed, field, number)
        else { return nil }
        return field.isText ? String(decoding: opened, as: UTF8.self) : opened
    }
}

/// The key of a conversation as it is stored: encrypted with a master key, for one conversation.
struct WrappedKey {
    /// The id of the master key.
    let master: String
    let bytes: Data

    init(master: String, bytes: Data) {
        (self.master, self.bytes) = (master, bytes)
    }

    init(_ key: ContentKey, by master: MasterKey) throws {
        let plain = key.key.withUnsafeBytes { Data($0) }
        let box = try AES.GCM.seal(plain, using: master.key, authenticating: Self.context(key.conversation))
        guard let combined = box.combined else { throw AdapterFailure("a key cannot be wrapped", isRetryable: false) }
        (self.master, bytes) = (master.id, combined)
    }

    /// - Returns: `nil` where it was not wrapped by this key for this conversation.
    func open(of conversation: String, by master: MasterKey) -> ContentKey? {
        guard let box = try? AES.GCM.SealedBox(combined: bytes),
            let plain = try? AES.GCM.open(box, using: master.key, authenticating: Self.context(conversation))
        else { return nil }
        return ContentKey(conversation: conversation, key: SymmetricKey(data: plain))
    }

    private static func context(_ conversation: String) -> [UInt8] {
        Array("1\nconversation key\n\(conversation)".utf8)
    }
}

extension AdapterFailure {
    /// The database needs master keys that are not there.
    static func missing(masterKeys ids: [String]) -> AdapterFailure {
        AdapterFailure(
            "its texts are encrypted, and the master key \(ids.joined(separator: ", ")) is missing. Restore the file "
                + "with the master key from where you keep its copy (EARSHOT_MASTER_KEY_FILE names it)",
            isRetryable: false)
    }
}
