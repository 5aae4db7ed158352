import Crypto
import EarshotDomain
public import EarshotModel

/// Signs consumers in with the ID tokens of their brand's identity provider, and manages those providers.
///
/// A signed-in consumer is another consumer than the anonymous one of the same device, with another conversation. The
/// token that the server issues ends with the ID token, so the signed-in area closes unless the page shows a fresh one.
public struct ConsumerSignInService: Sendable {
    /// A consumer whom a page wants to sign in.
    public struct Attempt: Sendable {
        let arrival: IdentityService.Arrival
        let idToken: String
        let device: String?
        let address: String

        /// Creates an attempt.
        /// - Parameters:
        ///   - idToken: the ID token, as the provider issued it.
        ///   - device: the token of the anonymous consumer of the same device.
        ///   - address: the network address.
        public init(_ arrival: IdentityService.Arrival, idToken: String, device: String?, address: String) {
            self.arrival = arrival
            self.idToken = idToken
            self.device = device
            self.address = address
        }
    }

    /// An identity provider with what of its keys can be used.
    public struct Overview: Sendable {
        /// The provider, as saved.
        public let provider: IdentityProvider
        /// The keys that verify ID tokens: id, if the key has one, algorithm, and when it verified one last since the
        /// server started.
        public let keys: [(id: String?, algorithm: String, used: Timestamp?)]
        /// The keys that are not used: the position in the text, from 0, and the stable reason.
        public let ignored: [(position: Int, reason: String)]
        /// The coordinates x and y of the P-256 key for which the brand may encrypt its ID tokens, 32 bytes each.
        public let encryptionKey: (x: [UInt8], y: [UInt8])
    }

    /// How many ID tokens were refused for one reason since the server started.
    public struct Refusals: Hashable, Sendable {
        /// The stable reason.
        public let reason: String
        /// How many.
        public let count: Int
        /// When the last one was.
        public let last: Timestamp
    }

    private let store: any ConsumerIdentityStore
    private let accounts: any AccountStore & AuditStore
    private let environment: SystemEnvironment
    private let parts: Parts
    private var keys: CurrentKeys { parts.keys }
    private var blocked: BlockedConsumers { parts.blocked }
    private let refused = RefusedSignIns()
    private let record = SignInRecord()
    /// What it counts.
    public var metrics: [any Metric] { [refused.unrecorded] }

    init(
        store: any ConsumerIdentityStore, accounts: any AccountStore & AuditStore, environment: SystemEnvironment,
        _ parts: Parts
    ) {
        self.store = store
        self.accounts = accounts
        self.environment = environment
        self.parts = parts
    }

    /// What it shares with `IdentityService`.
    struct Parts {
        let keys: CurrentKeys
        let blocked: BlockedConsumers
        let clock: ServerClock
    }

    // MARK: Consumers

    /// Signs a consumer in. The same ID token may be shown again until it expires: a page that reloads has no other.
    /// - Throws: `sign_in_not_set_up`, `id_token_refused`, `not_found`, `blocked`, `not_yet_valid` while the server's
    ///   clock is wrong.
    public func signIn(_ attempt: Attempt) async throws -> ConsumerWelcome {
        let (arrival, now) = (attempt.arrival, environment.now())
        guard let account = try await accounts.account(arrival.account) else { throw Rejection.notFound }
        guard let provider = try await store.identityProvider(of: account.id) else { throw Rejection.notSetUp }
        guard parts.clock.lastRightTime == nil else { throw Rejection.notYetValid }
        let token = try await verified(attempt, by: provider, at: now)
        let claims = ClaimReader(token.claims).verified(by: provider)
        let id: ConsumerID = environment.id()
        let consumer = try await store.signIn(
            Consumer(
                id: id, account: account.id, app: arrival.app, conversation: environment.id(), since: now,
                name: claims.name ?? Consumer.visitorName(of: id), page: arrival.page,
                language: arrival.language, device: arrival.device, zone: arrival.zone,
                subject: ProviderSubject(issuer: token.issuer, subject: token.subject), verified: claims),
            device: anonymousConsumer(of: attempt, at: now))
        guard !blocked.contains(consumer.id) else { throw Rejection.blocked }
        let caller = ConsumerCaller(
            id: consumer.id, account: account.id, app: consumer.app, conversation: consumer.conversation,
            tokenIssued: now, signedInUntil: token.expires, generation: blocked.generation(of: consumer.id))
        return ConsumerWelcome(keys.tokens.make(for: caller), caller, of: account)
    }

    private func verified(_ attempt: Attempt, by provider: IdentityProvider, at now: Timestamp) async throws
        -> VerifiedIDToken
    {
        do {
            let token = try ProviderVerifier(provider).verify(attempt.idToken, at: now)
            record.note(use: token.keyID, of: attempt.arrival.account, at: now)
            return token
        } catch let failure as IDTokenFailure {
            let arrival = attempt.arrival
            record.note(failure, of: arrival.account, at: now)
            try await accounts.record(refused.entry(failure, of: arrival.account, from: attempt.address, at: now))
            throw Rejection.idTokenRefused
        }
    }

    /// The anonymous consumer whose token the device kept. A token that is not one of this brand proves nothing.
    private func anonymousConsumer(of attempt: Attempt, at now: Timestamp) -> ConsumerID? {
        guard let token = attempt.device, let caller = try? keys.tokens.verify(token, at: now),
            caller.account == attempt.arrival.account, caller.signedInUntil == nil,
            caller.generation >= blocked.generation(of: caller.id)
        else { return nil }
        return caller.id
    }

    /// The other conversations of a consumer's person.
    func related(to consumer: Consumer) async throws -> [RelatedConversation] {
        try await store.related(to: consumer).map {
            RelatedConversation(
                conversation: $0.conversation, name: $0.name, app: $0.app, signedIn: $0.subject != nil)
        }
    }

    // MARK: The provider

    /// The identity provider of the caller's brand; `nil` if there is none.
    /// - Throws: `forbidden`.
    public func provider(as agent: AgentCaller) async throws -> Overview? {
        try agent.require(.changeIdentityProvider)
        return try await store.identityProvider(of: agent.account).map { try overview($0, of: agent.account) }
    }

    /// How many ID tokens of the caller's brand were refused since the server started, for each reason; the newest
    /// first.
    /// - Throws: `forbidden`.
    public func refusals(as agent: AgentCaller) throws -> [Refusals] {
        try agent.require(.changeIdentityProvider)
        return record.refusals(of: agent.account)
    }

    /// Reads and verifies an ID token as a sign-in would. No one is signed in, and nothing is stored.
    /// - Throws: `forbidden`, `sign_in_not_set_up`.
    public func report(on idToken: String, as agent: AgentCaller) async throws -> IDTokenReport {
        try agent.require(.changeIdentityProvider)
        guard let provider = try await store.identityProvider(of: agent.account) else { throw Rejection.notSetUp }
        return try IDTokenReport(idToken, of: provider, by: ProviderVerifier(provider), at: environment.now())
    }

    /// Sets the identity provider of the caller's brand.
    /// - Throws: `forbidden`, `out_of_range`, `provider_keys_refused`. Nothing is stored of a text that has a private
    ///   key.
    public func save(_ provider: IdentityProvider, as agent: AgentCaller) async throws -> Overview {
        try agent.require(.changeIdentityProvider)
        return try await save(provider, of: agent.account, by: agent.id.rawValue)
    }

    /// Sets the identity provider of a brand that has none, on behalf of `author`, who may do that.
    public func setUp(_ provider: IdentityProvider, of account: AccountID, by author: String) async throws {
        guard try await store.identityProvider(of: account) == nil else { return }
        _ = try await save(provider, of: account, by: author)
    }

    private func save(_ wish: IdentityProvider, of account: AccountID, by author: String) async throws -> Overview {
        try Self.check(wish)
        let (known, now) = (try await store.identityProvider(of: account), environment.now())
        let isSame = known?.keys == wish.keys
        let provider = wish.with(
            decryptionKey: known?.decryptionKey ?? newDecryptionKey(), keysSince: isSame ? known?.keysSince : now)
        let overview = try overview(provider, of: account)
        let isPrivate = overview.ignored.contains { $0.reason == ProviderKeyFailure.privateKey.rawValue }
        guard !isPrivate else { throw Rejection.keysRefused(.privateKey) }
        try await store.save(
            provider, of: account,
            audit: entry(of: account, by: author, "issuer \(provider.issuer) keys \(Self.names(of: overview))"))
        guard !isSame else { return overview }
        record.forget(account)
        return try self.overview(provider, of: account)
    }

    /// Removes the identity provider of the caller's brand. Signed-in areas close when their tokens end.
    /// - Throws: `forbidden`.
    public func removeProvider(as agent: AgentCaller) async throws {
        try agent.require(.changeIdentityProvider)
        try await store.save(nil, of: agent.account, audit: entry(of: agent.account, by: agent.id.rawValue, "removed"))
    }

    /// The keys that verify ID tokens, for the audit log: their ids, and for those without one their position.
    private static func names(of overview: Overview) -> String {
        overview.keys.enumerated().map { $1.id ?? "no. \($0 + 1)" }.joined(separator: ", ")
    }

    /// Nearly every 32 bytes are a key of P-256.
    private func newDecryptionKey() -> [UInt8] {
        while true {
            let bytes = environment.random(32)
            if (try? P256.KeyAgreement.PrivateKey(rawRepresentation: bytes)) != nil { return bytes }
        }
    }

    private func entry(of account: AccountID, by author: String, _ detail: String) -> AuditEntry {
        AuditEntry(
            account: account, at: environment.now(), by: author, what: .identityProviderChanged, detail: detail)
    }

    private func overview(_ provider: IdentityProvider, of account: AccountID) throws -> Overview {
        let point = try P256.KeyAgreement.PrivateKey(rawRepresentation: provider.decryptionKey ?? [])
            .publicKey.rawRepresentation
        do throws(ProviderKeyFailure) {
            let set = try ProviderKeySet(provider.keys)
            return Overview(
                provider: provider,
                keys: set.keys.map { ($0.id, $0.algorithm.rawValue, record.use(of: $0.id, account)) },
                ignored: set.ignored.map { ($0.position, $0.failure.rawValue) },
                encryptionKey: (Array(point.prefix(32)), Array(point.suffix(32))))
        } catch {
            throw Rejection.keysRefused(error)
        }
    }

    private static func check(_ provider: IdentityProvider) throws(Rejection) {
        for name in [provider.issuer, provider.audience] { try check(name, IdentityProvider.nameBytes) }
        guard provider.claims.count <= IdentityProvider.claimLimit else {
            throw Rejection(
                .outOfRange, "At most \(IdentityProvider.claimLimit) claims can be shown.",
                limit: IdentityProvider.claimLimit)
        }
        for claim in provider.claims {
            for text in [claim.claim, claim.label] { try check(text, IdentityProvider.claimBytes) }
        }
    }

    private static func check(_ text: String, _ bytes: ClosedRange<Int>) throws(Rejection) {
        guard bytes.contains(text.utf8.count), text.contains(where: { !$0.isWhitespace }) else {
            throw Rejection(
                .outOfRange, "Issuer, client id, claims and labels need 1 to \(bytes.upperBound) bytes.",
                limit: bytes.upperBound)
        }
    }
}

extension Rejection {
    fileprivate static let notSetUp = Rejection(
        .signInNotSetUp, "This brand has no identity provider. A manager can add it in Settings.")

    /// The reason would tell an attacker how to make a better token.
    fileprivate static let idTokenRefused = Rejection(
        .idTokenRefused, "The ID token was refused. Sign in again; the brand's audit log says why it was refused.")

    fileprivate static func keysRefused(_ failure: ProviderKeyFailure) -> Rejection {
        Rejection(.providerKeysRefused, "The keys were refused: \(failure.rawValue).")
    }
}
