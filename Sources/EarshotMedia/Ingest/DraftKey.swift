import Crypto
import EarshotCore
import EarshotModel

/// Derives an upload's id from its author, conversation and draft, with a secret key. The key is kept in a file, so
/// that drafts find their uploads again after a restart; without the key no client can guess another author's upload.
struct DraftKey: Sendable {
    private let key: SymmetricKey
    private static let keyBytes = 32
    private static let idBytes = 16
    private static let idCharacters = 22

    /// Reads the key from the folder `root`, or makes one.
    init(in root: String) throws {
        let path = root + "/key"
        if !FileSystem.exists(path) {
            var generator = SystemRandomNumberGenerator()
            try FileSystem.replace(
                path, with: (0..<Self.keyBytes).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
            // Without its entry in the folder, a power failure would take the key, and every draft its upload.
            try OpenFile(reading: root).syncFolder()
        }
        let bytes = try FileSystem.contents(of: path)
        guard bytes.count == Self.keyBytes else {
            throw AdapterFailure("media files: the key file has \(bytes.count) bytes, not 32", isRetryable: false)
        }
        key = SymmetricKey(data: bytes)
    }

    /// The id of the upload for a draft: the same request always gets the same id.
    func upload(of request: UploadRequest) -> UploadID {
        // No id contains a line feed, so two different requests never give the same text.
        let name = [request.author, request.conversation.rawValue, request.draft.rawValue].joined(separator: "\n")
        let code = HMAC<SHA256>.authenticationCode(for: Array(name.utf8), using: key)
        return UploadID(random: Array(code.prefix(Self.idBytes)))
    }

    /// A new random id, for a folder that is prepared before it gets its real name.
    static func randomID() -> UploadID {
        var generator = SystemRandomNumberGenerator()
        return UploadID(random: (0..<idBytes).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    /// Whether `id` has the shape of the ids made here. Only such an id may become part of a path.
    static func isWellFormed(_ id: String) -> Bool {
        id.utf8.count == idCharacters && IdentifierRules.isWellFormed(id)
    }
}
