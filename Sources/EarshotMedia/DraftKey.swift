import Crypto
import EarshotCore
import EarshotModel

/// Makes an upload's id from whose draft it is. Kept in a file: without it drafts would not find their uploads after a restart.
struct DraftKey: Sendable {
    private let key: SymmetricKey
    private static let keyBytes = 32
    private static let idBytes = 16
    private static let idCharacters = 22

    init(in root: String) throws {
        let path = root + "/key"
        if !Folders.exists(path) {
            var generator = SystemRandomNumberGenerator()
            try Folders.replace(
                path, with: (0..<Self.keyBytes).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
        }
        let bytes = try Folders.contents(of: path)
        guard bytes.count == Self.keyBytes else {
            throw AdapterFailure("media files: the key is damaged", isRetryable: false)
        }
        key = SymmetricKey(data: bytes)
    }

    func upload(of request: UploadRequest) -> UploadID {
        // No id contains a line feed.
        let name = [request.author, request.conversation.rawValue, request.draft.rawValue].joined(separator: "\n")
        let code = HMAC<SHA256>.authenticationCode(for: Array(name.utf8), using: key)
        return UploadID(random: Array(code.prefix(Self.idBytes)))
    }

    /// Whether a name from outside has the format of ours; no other ever becomes a part of a path.
    static func couldHaveMade(_ id: String) -> Bool {
        id.utf8.count == idCharacters && IdentifierRules.isWellFormed(id)
    }
}
