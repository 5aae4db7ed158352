import EarshotCore
import EarshotStorage

/// Replaces the master key, while no server uses the data folder.
public struct MasterKeyRotation: Sendable {
    private let configuration: ServerConfiguration

    /// - Parameter configuration: of the installation.
    public init(_ configuration: ServerConfiguration) {
        self.configuration = configuration
    }

    /// What a rotation did.
    public struct Outcome: Sendable {
        /// The id of the new master key.
        public let key: String
        /// Where it is.
        public let file: String
        /// How many keys of conversations it encrypts that the earlier one did.
        public let wrapped: Int
    }

    /// Makes a new master key, encrypts the keys of all conversations and of the installation with it, and then removes
    /// the earlier one from the file. If it is interrupted, both are in the file, everything can be read, and the next
    /// call goes on.
    /// - Throws: `ServerFailure`.
    public func run() async throws -> Outcome {
        let folder = DataFolder(path: configuration.data)
        try folder.prepare()
        let lock = try folder.lock(for: .serving)
        defer { withExtendedLifetime(lock) {} }
        let file = MasterKeyFile(configuration, .system)
        do {
            try file.beginRotation()
            let store = try Server.open(configuration, mayMigrate: true)
            let wrapped = try await store.keyRotation.run()
            for name in SealedFile.names {
                try SealedFile("\(configuration.data)/\(name)", masters: store.masterKeys).sealAgain()
            }
            try store.close()
            try file.endRotation()
            return Outcome(key: try file.masterKeys(needed: []).current.id, file: file.path, wrapped: wrapped)
        } catch let error as AdapterFailure {
            throw ServerFailure(error)
        }
    }
}
