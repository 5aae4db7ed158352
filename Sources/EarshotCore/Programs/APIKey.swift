public import EarshotModel

/// What a key allows a program to do. A program can do nothing else.
public enum ProgramScope: String, Hashable, Sendable, CaseIterable {
    /// Find conversations and read them.
    case readHistory = "history.read"
    /// Read private notes too.
    case readNotes = "notes.read"
    /// Download recordings.
    case readRecordings = "recordings.read"
}

/// A key with which a program reads from a brand. Only the SHA-256 digest of its secret is stored.
public struct APIKey: Hashable, Sendable {
    /// Names the key in lists and in the audit log.
    public let id: APIKeyID
    /// The brand.
    public let account: AccountID
    /// What the manager calls it.
    public let name: String
    /// What it allows.
    public let scopes: Set<ProgramScope>
    /// SHA-256 of the secret.
    public let digest: [UInt8]
    /// The manager who made it, or `AuditEntry.operator_`.
    public let by: String
    /// When it was made.
    public let made: Timestamp
    /// When it ends.
    public let expires: Timestamp
    /// When a program last used it, to the hour; `nil` before the first time.
    public var used: Timestamp?

    /// Creates a key.
    public init(
        id: APIKeyID, account: AccountID, name: String, scopes: Set<ProgramScope>, digest: [UInt8], by: String,
        made: Timestamp, expires: Timestamp, used: Timestamp? = nil
    ) {
        self.id = id
        self.account = account
        self.name = name
        self.scopes = scopes
        self.digest = digest
        self.by = by
        self.made = made
        self.expires = expires
        self.used = used
    }
}

/// What a manager asks a new key to be.
public struct APIKeyWish: Hashable, Sendable {
    /// What the manager calls it.
    public let name: String
    /// What it is to allow.
    public let scopes: Set<ProgramScope>
    /// When it is to end; `nil`: after `APIKeyService.usualMs`.
    public let expires: Timestamp?

    /// Makes the value.
    public init(name: String, scopes: Set<ProgramScope>, expires: Timestamp? = nil) {
        self.name = name
        self.scopes = scopes
        self.expires = expires
    }
}

/// A key that was just made, for the person who gives it to a program.
public struct NewAPIKey: Hashable, Sendable {
    /// The key as it is stored.
    public let key: APIKey
    /// What the program sends. It is stored nowhere and shown once.
    public let text: String
}

/// A program whose key was verified. It is neither a consumer nor one of the brand's people: it takes part in nothing
/// and only reads.
public struct ProgramCaller: Hashable, Sendable {
    /// The key.
    public let id: APIKeyID
    /// The brand.
    public let account: AccountID
    /// What the manager calls the key.
    public let name: String
    /// What the key allows.
    public let scopes: Set<ProgramScope>

    /// Creates a caller from a key whose secret was checked.
    init(_ key: APIKey) {
        (id, account, name, scopes) = (key.id, key.account, key.name, key.scopes)
    }

    /// Refuses a program whose key does not have a scope.
    /// - Throws: `forbidden`.
    func require(_ scope: ProgramScope) throws(Rejection) {
        guard scopes.contains(scope) else {
            throw Rejection(.forbidden, "This API key does not have the scope \(scope.rawValue).")
        }
    }
}
