import EarshotModel

/// The keys of a brand's identity provider, as the brand pasted them.
struct ProviderKeySet: Sendable {
    /// A key that was skipped, and why.
    struct Ignored: Hashable, Sendable {
        /// The key's position in the text, from 0.
        let position: Int
        let failure: ProviderKeyFailure
    }

    /// Longer texts are refused.
    static let maximumBytes = 64 * 1024
    /// More keys are refused.
    static let maximumKeys = 50

    let keys: [ProviderKey]
    /// What the set has but cannot use. Providers publish keys for other purposes in the same set.
    let ignored: [Ignored]

    /// Reads a JSON Web Key Set, a single JSON Web Key, or one public key in PEM.
    /// - Throws: if the text as a whole is refused or no key in it can be used.
    init(_ text: String) throws(ProviderKeyFailure) {
        guard text.utf8.count <= Self.maximumBytes else { throw .tooLarge }
        if text.drop(while: \.isWhitespace).hasPrefix("-----BEGIN") {
            self.init(keys: [try ProviderKey(pem: text)], ignored: [])
        } else {
            try self.init(jwks: text)
        }
    }

    private init(keys: [ProviderKey], ignored: [Ignored]) {
        self.keys = keys
        self.ignored = ignored
    }

    private init(jwks text: String) throws(ProviderKeyFailure) {
        guard let document = try? StrictJSON.parse(Array(text.utf8)), let members = document.members else {
            throw .malformed
        }
        var entries = [document]
        if members["kty"] == nil {
            guard case .array(let listed)? = members["keys"] else { throw .malformed }
            entries = listed
        }
        guard entries.count <= Self.maximumKeys else { throw .tooMany }
        var read: [(position: Int, key: ProviderKey)] = []
        var ignored: [Ignored] = []
        for (position, entry) in entries.enumerated() {
            do throws(ProviderKeyFailure) {
                guard let members = entry.members else { throw .unreadable }
                read.append((position, try ProviderKey(jwk: members)))
            } catch {
                ignored.append(Ignored(position: position, failure: error))
            }
        }
        let ambiguous = Self.ambiguous(read)
        read.removeAll { entry in ambiguous.contains { $0.position == entry.position } }
        guard !read.isEmpty else { throw .noneUsable }
        keys = read.map(\.key)
        self.ignored = (ignored + ambiguous).sorted { $0.position < $1.position }
    }

    /// The keys that no token could name: several of one id, or one without an id among others.
    private static func ambiguous(_ read: [(position: Int, key: ProviderKey)]) -> [Ignored] {
        guard read.count > 1 else { return [] }
        let counts = Dictionary(read.compactMap(\.key.id).map { ($0, 1) }, uniquingKeysWith: +)
        return read.compactMap { position, key in
            guard let id = key.id else { return Ignored(position: position, failure: .missingID) }
            return counts[id, default: 0] > 1 ? Ignored(position: position, failure: .repeatedID) : nil
        }
    }

    /// The key that a token names. A token that names none, and a key that has no id, are unambiguous only in a set of
    /// one key. There is no default key: an unknown id is refused.
    func key(named id: String?) -> ProviderKey? {
        guard keys.count == 1 else { return id.flatMap { id in keys.first { $0.id == id } } }
        return id == nil || keys[0].id == nil || keys[0].id == id ? keys[0] : nil
    }
}
