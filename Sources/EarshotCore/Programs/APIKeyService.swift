import Crypto
import EarshotDomain
public import EarshotModel

/// Makes, lists and revokes the keys with which programs read from a brand, and recognises programs by them.
public struct APIKeyService: Sendable {
    /// The most keys of a brand, ended ones included.
    public static let mostKeys = 50
    /// The allowed length of a key's name, in Unicode scalars.
    public static let nameLength = 1...60
    /// How long a key lasts that names no end.
    public static let usualMs: Int64 = 90 * dayMs
    /// The longest time that a key lasts: two years, one of which may be a leap year.
    public static let longestMs: Int64 = 731 * dayMs
    /// The shortest time between two notes of a key's use.
    static let useMs: Int64 = 3600 * 1000

    private static let dayMs: Int64 = 24 * 3600 * 1000
    private static let secretBytes = 32
    private static let prefix = "ek_"
    /// Characters of an id and of a secret in base64url.
    private static let (idLength, secretLength) = (22, 43)

    private let keys: any APIKeyStore
    private let suspended: SuspendedAccounts
    private let environment: SystemEnvironment

    /// Creates the service for managing keys only.
    public init(keys: any APIKeyStore, environment: SystemEnvironment) {
        self.init(keys: keys, suspended: SuspendedAccounts(), environment: environment)
    }

    /// Creates the service.
    /// - Parameter suspended: the suspended brands, whose programs are refused.
    init(keys: any APIKeyStore, suspended: SuspendedAccounts, environment: SystemEnvironment) {
        self.keys = keys
        self.suspended = suspended
        self.environment = environment
    }

    // MARK: Managing keys

    /// Makes a key.
    /// - Throws: `forbidden` without the permission, `bad_request` for the name or the scopes, `out_of_range` for the
    ///   end or one key too many.
    public func make(_ wish: APIKeyWish, as manager: AgentCaller) async throws -> NewAPIKey {
        try manager.require(.manageKeys)
        return try await make(wish, for: manager.account, by: manager.id.rawValue)
    }

    /// Makes a key on behalf of `author`, who may do that.
    public func make(_ wish: APIKeyWish, for account: AccountID, by author: String) async throws -> NewAPIKey {
        let now = environment.now()
        let expires = wish.expires ?? now.adding(milliseconds: Self.usualMs)
        try Self.check(wish, expires: expires, at: now)
        let (id, secret) = (environment.id(APIKeyID.self), Base64URL.encode(environment.random(Self.secretBytes)))
        let key = APIKey(
            id: id, account: account, name: wish.name, scopes: wish.scopes, digest: Self.digest(secret), by: author,
            made: now, expires: expires)
        let entry = entry(.keyMade, of: key, by: author, detail: "\(id) \(Self.names(of: key.scopes)) \(key.name)")
        guard try await keys.add(key, atMost: Self.mostKeys, audit: entry) else {
            throw Rejection(
                .outOfRange, "Your brand has \(Self.mostKeys) API keys. Revoke one first.", limit: Self.mostKeys)
        }
        return NewAPIKey(key: key, text: "\(Self.prefix)\(id)_\(secret)")
    }

    /// Reads the keys of the brand, the newest first.
    /// - Throws: `forbidden` without the permission.
    public func keys(as manager: AgentCaller) async throws -> [APIKey] {
        try manager.require(.manageKeys)
        return try await keys(of: manager.account)
    }

    /// Reads the keys of a brand on behalf of someone who may do that.
    public func keys(of account: AccountID) async throws -> [APIKey] { try await keys.apiKeys(of: account) }

    /// Revokes a key. The next request with it is refused.
    /// - Throws: `not_found` if the brand has no such key, `forbidden` without the permission.
    public func revoke(_ id: APIKeyID, as manager: AgentCaller) async throws {
        guard let key = try await keys.apiKey(id), key.account == manager.account else { throw Rejection.notFound }
        try manager.require(.manageKeys)
        try await revoke(key, by: manager.id.rawValue)
    }

    /// Revokes a key on behalf of `author`, who may do that.
    public func revoke(_ id: APIKeyID, of account: AccountID, by author: String) async throws {
        guard let key = try await keys.apiKey(id), key.account == account else { throw Rejection.notFound }
        try await revoke(key, by: author)
    }

    private func revoke(_ key: APIKey, by author: String) async throws {
        let entry = entry(.keyRevoked, of: key, by: author, detail: "\(key.id) \(key.name)")
        guard try await keys.removeAPIKey(key.id, of: key.account, audit: entry) else { throw Rejection.notFound }
    }

    // MARK: Using a key

    /// Recognises a program. Reads the key from the database each time, so that a revoked key is refused at once.
    /// - Throws: `not_signed_in` for a key that is wrong, has ended or was revoked (the same answer), or `suspended`.
    public func program(key text: String) async throws -> ProgramCaller {
        let now = environment.now()
        guard let (id, secret) = Self.parts(of: text), let key = try await keys.apiKey(id),
            Self.isSame(Self.digest(secret), key.digest), now < key.expires
        else { throw Rejection(.notSignedIn, "This key is unknown, has ended or was revoked.") }
        guard !suspended.contains(key.account) else { throw Rejection.suspended }
        let earlier = now.adding(milliseconds: -Self.useMs)
        // A key works also while nothing can be written.
        if key.used.map({ $0 <= earlier }) ?? true {
            try? await keys.noteUse(of: id, at: now, unlessAfter: earlier)
        }
        return ProgramCaller(key)
    }

    private static func parts(of text: String) -> (APIKeyID, secret: String)? {
        guard text.utf8.count == prefix.utf8.count + idLength + 1 + secretLength, text.hasPrefix(prefix) else {
            return nil
        }
        let rest = text.dropFirst(prefix.count)
        guard let id = APIKeyID(String(rest.prefix(idLength))), rest.dropFirst(idLength).first == "_" else {
            return nil
        }
        return (id, String(rest.dropFirst(idLength + 1)))
    }

    private static func digest(_ secret: String) -> [UInt8] { Array(SHA256.hash(data: Array(secret.utf8))) }

    /// Compares in constant time.
    private static func isSame(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private static func check(_ wish: APIKeyWish, expires: Timestamp, at now: Timestamp) throws(Rejection) {
        let scalars = wish.name.unicodeScalars
        guard nameLength.contains(scalars.count), scalars.contains(where: { !$0.properties.isWhitespace }),
            !scalars.contains(where: { $0.properties.generalCategory == .control })
        else {
            throw Rejection(
                .badRequest, "An API key's name must be one line of 1 to \(nameLength.upperBound) characters.",
                limit: nameLength.upperBound)
        }
        guard !wish.scopes.isEmpty else { throw Rejection(.badRequest, "An API key must have at least one scope.") }
        guard expires > now, expires <= now.adding(milliseconds: longestMs) else {
            throw Rejection(
                .outOfRange, "An API key must end after now and within two years.",
                limit: Int(longestMs / dayMs))
        }
    }

    private static func names(of scopes: Set<ProgramScope>) -> String {
        scopes.map(\.rawValue).sorted().joined(separator: ",")
    }

    private func entry(_ what: AuditAction, of key: APIKey, by author: String, detail: String) -> AuditEntry {
        AuditEntry(account: key.account, at: environment.now(), by: author, what: what, detail: detail)
    }
}
