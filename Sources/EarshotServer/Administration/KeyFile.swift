import EarshotCore
import EarshotModel
import EarshotStorage
import Foundation
import Synchronization

/// The keys that sign consumers' tokens, in a file of the data folder that is encrypted with the master key: a backup
/// without that key signs nothing.
final class KeyFile: Sendable {
    static let name = "token-keys.json"
    /// The name under which earlier versions kept the key in the database.
    static let storedName = "consumer-tokens"
    private static let idBytes = 6

    private let file: SealedFile
    private let environment: SystemEnvironment
    private let lastRead = Mutex<Date?>(nil)

    init(folder: String, masters: MasterKeys, environment: SystemEnvironment) {
        file = SealedFile(folder + "/" + Self.name, masters: masters)
        self.environment = environment
    }

    /// Reads the keys. The first time it makes one, or takes the one that an earlier version kept in the database.
    /// - Parameters:
    ///   - sealing: the key of what is stored encrypted.
    ///   - stored: reads the key in the database.
    ///   - remove: removes the key from the database, once it is in the file.
    func load(
        sealing: SealingKey, stored: () async throws -> [UInt8]?, remove: () async throws -> Void
    ) async throws -> KeyRing {
        if try file.content() == nil {
            let secret = try await stored() ?? environment.random(KeyRing.keyBytes)
            try save([SigningKey(id: SigningKey.firstID, secret: secret)])
        }
        let keys = try read()
        if try await stored() != nil { try await remove() }
        return KeyRing(keys, sealing: sealing)
    }

    /// Reads the keys again if the file has changed since the last call.
    func changed() throws -> KeyRing? {
        let date = try FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate] as? Date
        let isNew = lastRead.withLock { last in
            defer { last = date }
            return last != date
        }
        return isNew ? KeyRing(try read()) : nil
    }

    /// Adds a key that signs from now on. The one before is accepted for some days.
    /// - Returns: when the old key ends.
    func rotate(acceptingOldFor days: Int) throws -> Timestamp {
        let now = environment.now()
        let end = now.adding(milliseconds: Int64(days) * 24 * 3600 * 1000)
        let old = try read().compactMap { key -> SigningKey? in
            var key = key
            key.acceptedUntil = min(key.acceptedUntil ?? end, end)
            return key.acceptedUntil.map { $0 > now } == true ? key : nil
        }
        let key = SigningKey(
            id: Base64URL.encode(environment.random(Self.idBytes)), secret: environment.random(KeyRing.keyBytes))
        try save([key] + old)
        return end
    }

    private func read() throws -> [SigningKey] {
        guard let bytes = try file.content() else {
            throw AdapterFailure(
                "\(file.path) is missing. Start the server once, which makes it, or restore it from a backup",
                isRetryable: false)
        }
        guard let keys = try? JSONDecoder().decode([SigningKey].self, from: Data(bytes)), !keys.isEmpty,
            keys.allSatisfy({ $0.secret.count >= KeyRing.keyBytes && Self.isID($0.id) })
        else { throw file.damaged }
        return keys
    }

    private static func isID(_ text: String) -> Bool { text.wholeMatch(of: /[A-Za-z0-9_-]{1,16}/) != nil }

    private func save(_ keys: [SigningKey]) throws {
        try file.replace(with: Array(JSONEncoder().encode(keys)))
    }
}
