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
    let centre: CentreDesk
    let routing: RoutingDesk
    let log = KnownConversations()
    let cassette = Cassette()
    let clock = TestClock()
    let identity: IdentityDesk
    let media: MediaDesk
    let settings: SettingsDesk
    let surroundings: Surroundings

    init() async throws {
        let clock = self.clock
        surroundings = Surroundings(
            now: { clock.now },
            random: { count in
                var generator = SystemRandomNumberGenerator()
                return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            })
        rows = MemoryCentre(accounts)
        centre = CentreDesk(store: rows, accounts: accounts, surroundings: surroundings)
        routing = RoutingDesk(store: log, source: rows, accounts: accounts, centres: centre, surroundings: surroundings)
        identity = IdentityDesk(accounts: accounts, surroundings: surroundings, tokenSecret: [UInt8](repeating: 7, count: 32))
        settings = SettingsDesk(accounts: accounts, surroundings: surroundings)
        media = MediaDesk(uploads: cassette, accounts: accounts, store: log, settings: settings, surroundings: surroundings)
        for id in [Self.tulip, Self.rival] {
            await accounts.save(Account(id: id, name: "Tulip & Thorn", color: "#aa3355", welcome: "Hello <you>", audioLimitMs: 120_000))
            await accounts.save(App(id: Self.shop, account: id, name: "Shop", allowedOrigins: id == Self.tulip ? [Self.allowedOrigin] : []))
        }
    }

    var desks: GatewayDesks {
        GatewayDesks(
            identity: identity, media: media, settings: settings, audit: AuditDesk(accounts: accounts), centre: centre, routing: routing,
            search: SearchDesk(store: rows, accounts: accounts), access: ConversationAccess(store: log))
    }

    /// An agent with a session.
    func agent(_ name: String, of account: AccountID = tulip, role: Role = .agent, password: String? = nil) async throws -> SignedInAgent {
        let id = AgentID(trusted: "agent-\(name)-\(account)")
        let hash = try password.map { try Passwords.hash($0, salt: [UInt8](repeating: 1, count: 16)) }
        await accounts.save(
            Agent(
                id: id, account: account, email: "\(name)@\(account).example", name: name, role: role, password: hash ?? PasswordHash(encoded: "none")
            ))
        let cookie = "cookie-\(name)-\(account)"
        let csrf = "csrf-\(name)"
        await accounts.save(
            Session(
                digest: Array(SHA256.hash(data: Array(cookie.utf8))), agent: id, csrf: csrf, expires: clock.now.adding(milliseconds: 3_600_000)))
        return SignedInAgent(id: id, cookie: cookie, csrf: csrf)
    }

    /// A consumer with a conversation that has begun.
    func consumer(of account: AccountID = tulip) async throws -> ConsumerWelcome {
        let welcome = try await identity.welcome(.init(account: account, app: Self.shop, page: nil, language: nil, device: nil))
        log.add(
            ConversationIdentity(id: welcome.conversation, account: account, app: Self.shop, consumer: welcome.consumer, channel: .web))
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
