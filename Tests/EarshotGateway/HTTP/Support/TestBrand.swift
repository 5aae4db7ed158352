import Crypto
import EarshotCore
import EarshotDomain
import EarshotModel
import Synchronization

@testable import EarshotGateway

/// Two brands with people: everything that HTTP needs behind it.
struct TestBrand: Sendable {
    static let tulip = AccountID(trusted: "tulip")
    static let rival = AccountID(trusted: "rival")
    static let shop = AppID(trusted: "shop")
    static let allowedOrigin = "https://shop.example"

    let accounts = MemoryAccounts()
    let rows: MemoryCentre
    let core: CoreServices
    let log = KnownConversations()
    let cassette = Cassette()
    let retention = MemoryRetention()
    let clock = TestClock()
    let environment: SystemEnvironment

    init() async throws {
        let clock = self.clock
        environment = SystemEnvironment(
            now: { clock.now },
            random: { count in
                var generator = SystemRandomNumberGenerator()
                return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            })
        rows = MemoryCentre(accounts)
        core = CoreServices(
            .init(
                log: log, accounts: accounts, contactCentre: rows, links: accounts, identities: accounts,
                secondFactors: accounts, apiKeys: accounts, profiles: accounts, recordings: cassette,
                retention: retention),
            environment: environment,
            keys: KeyRing([SigningKey(id: SigningKey.firstID, secret: [UInt8](repeating: 7, count: 32))]),
            signer: try DocumentSigner(seed: [UInt8](repeating: 8, count: DocumentSigner.seedBytes)))
        for id in [Self.tulip, Self.rival] {
            await accounts.save(
                Account(id: id, name: "Tulip & Thorn", color: "#aa3355", welcome: "Hello <you>", audioLimitMs: 120_000))
            await accounts.save(
                App(
                    id: Self.shop, account: id, name: "Shop",
                    allowedOrigins: id == Self.tulip ? [Self.allowedOrigin] : []))
        }
    }

    var centre: ContactCentreService { core.contactCentre }
    var routing: RoutingService { core.routing }
    var identity: IdentityService { core.identity }
    var media: MediaService { core.media }
    var settings: SettingsService { core.settings }

    var services: GatewayDependencies {
        GatewayDependencies(core, environment: environment)
    }

    /// An agent with a session.
    func agent(_ name: String, of account: AccountID = tulip, role: Role = .agent, password: String? = nil) async throws
        -> SignedInAgent
    {
        let id = AgentID(trusted: "agent-\(name)-\(account)")
        let hash = try password.map { try Passwords.hash($0, salt: [UInt8](repeating: 1, count: 16)) }
        await accounts.save(
            Agent(
                id: id, account: account, email: "\(name)@\(account).example", name: name, role: role,
                password: hash ?? PasswordHash(encoded: "none")
            ))
        let cookie = "cookie-\(name)-\(account)"
        await accounts.save(
            Session(
                digest: Array(SHA256.hash(data: Array(cookie.utf8))), agent: id,
                expires: clock.now.adding(milliseconds: 3_600_000)))
        return SignedInAgent(id: id, cookie: cookie, csrf: try await identity.session(cookie: cookie).csrf)
    }

    /// A person with these permissions. Who has one that only built-in profiles have is an administrator.
    func agent(_ name: String, permissions: Set<Permission>) async throws -> SignedInAgent {
        guard permissions.allSatisfy(\.declaration.isForCustomProfiles) else {
            return try await agent(name, role: .administrator)
        }
        let signedIn = try await agent(name)
        let profile = Profile(
            id: ProfileID(trusted: "of-\(name)"), account: Self.tulip, name: name, permissions: permissions)
        precondition(profile.permissions == permissions)
        let audit = AuditEntry(account: Self.tulip, at: clock.now, by: "test", what: .profileChanged)
        _ = await accounts.save(profile, isNew: true, atMost: .max, audit: audit)
        guard var row = try await accounts.agent(signedIn.id) else { return signedIn }
        row.profile = profile.id
        await accounts.save(row)
        return signedIn
    }

    /// A consumer with a conversation that has begun.
    func consumer(of account: AccountID = tulip) async throws -> ConsumerWelcome {
        let welcome = try await identity.welcome(
            .init(account: account, app: Self.shop, page: nil, language: nil, device: nil))
        log.add(
            ConversationIdentity(
                id: welcome.conversation, account: account, app: Self.shop, consumer: welcome.consumer, channel: .web))
        return welcome
    }
}

struct SignedInAgent: Sendable {
    let id: AgentID
    let cookie: String
    let csrf: String
}

/// A clock that a test sets.
final class TestClock: Sendable {
    private let milliseconds = Atomic<Int64>(1_763_757_600_000)

    var now: Timestamp { Timestamp(milliseconds: milliseconds.load(ordering: .relaxed)) }

    func advance(milliseconds more: Int64) {
        milliseconds.add(more, ordering: .relaxed)
    }
}
