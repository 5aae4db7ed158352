import Crypto
import EarshotCore
import EarshotModel
import EarshotStorage
import EarshotTestKit
import Foundation
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

@testable import EarshotGateway

/// A gateway with sockets over a real log, on a port of its own.
struct SocketRig: Sendable {
    static let brand = AccountID(trusted: "tulip")
    static let app = AppID(trusted: "shop")
    static let agent = AgentCaller(id: AgentID(trusted: "dana"), account: brand, name: "Dana", role: .agent)
    static let manager = AgentCaller(id: AgentID(trusted: "mona"), account: brand, name: "Mona", role: .administrator)

    let port: Int
    let hub: SocketHub
    let identity: IdentityService
    let access: ConversationAccess
    let settings: SettingsService
    let media: MediaService
    let centre: ContactCentreService
    /// Advanced by the test only.
    let routing: RoutingService
    let store: SQLiteStore
    let clock: TestClock

    /// Runs one until `body` ends.
    /// - Parameter profiles: puts something in front of the stored profiles.
    static func run(
        limits: SocketLimits = SocketLimits(),
        profiles: @escaping @Sendable (any ProfileStore) -> any ProfileStore = { $0 },
        _ body: @escaping @Sendable (SocketRig) async throws -> Void
    ) async throws {
        let folder = NSTemporaryDirectory() + "/earshot-socket-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try SQLiteStore(path: folder + "/earshot.sqlite", keys: .forTests)
        defer { try? store.close() }
        try await prepare(store)
        try await serve(store, profiles(store.profiles), limits, body)
    }

    private static func prepare(_ store: SQLiteStore) async throws {
        try await store.accounts.save(
            Account(id: brand, name: "Tulip & Thorn", color: "#aa3355", welcome: "Hello", audioLimitMs: 120_000))
        try await store.accounts.save(App(id: app, account: brand, name: "Shop", allowedOrigins: []))
        try await store.accounts.save(row(of: agent))
    }

    private static func row(of person: AgentCaller) -> Agent {
        Agent(
            id: person.id, account: brand, email: "\(person.id)@tulip.example", name: person.name, role: person.role,
            password: PasswordHash(encoded: "none"))
    }

    private static func serve(
        _ store: SQLiteStore, _ profiles: any ProfileStore, _ limits: SocketLimits,
        _ body: @escaping @Sendable (SocketRig) async throws -> Void
    ) async throws {
        let clock = TestClock()
        let environment = SystemEnvironment(
            now: { clock.now }, random: { count in (0..<count).map { _ in UInt8.random(in: 0...255) } })
        let core = CoreServices(
            .init(
                log: store.log, accounts: store.accounts, contactCentre: store.contactCentre, links: store.links,
                identities: store.identities, secondFactors: store.secondFactors, apiKeys: store.apiKeys,
                profiles: profiles, recordings: Cassette(), retention: store.retention), environment: environment,
            keys: KeyRing([SigningKey(id: SigningKey.firstID, secret: [UInt8](repeating: 7, count: 32))]),
            signer: try DocumentSigner(seed: [UInt8](repeating: 8, count: DocumentSigner.seedBytes)))
        let hub = SocketHub(
            services: SocketDependencies(core, store: store.log), group: MultiThreadedEventLoopGroup.singleton,
            limits: limits)
        core.connect(hub)
        let (ports, told) = AsyncStream.makeStream(of: Int.self)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let gateway = try Gateway(
            GatewayConfiguration(host: "127.0.0.1", port: 0, security: .loopback),
            services: GatewayDependencies(core, environment: environment), hub: hub, logger: logger,
            onRunning: { told.yield($0) })
        let group = ServiceGroup(configuration: .init(services: [hub, gateway], logger: logger))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            guard let port = await ports.first(where: { _ in true }) else { throw GatewayFault("did not start") }
            do {
                try await body(
                    SocketRig(
                        port: port, hub: hub, identity: core.identity, access: core.access, settings: core.settings,
                        media: core.media,
                        centre: core.contactCentre, routing: core.routing, store: store, clock: clock))
            } catch {
                await group.triggerGracefulShutdown()
                throw error
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    /// One of the brand's people, with a ticket for a socket.
    func person(_ name: String, _ role: Role = .agent) async throws -> (caller: AgentCaller, ticket: String) {
        let caller = AgentCaller(id: AgentID(trusted: name.lowercased()), account: Self.brand, name: name, role: role)
        try await store.accounts.save(Self.row(of: caller))
        return (caller, try identity.ticket(for: caller))
    }

    /// Sets a section, as an operator does.
    func put(_ section: ContactCentreSettings.Section, _ value: String) async throws {
        _ = try await centre.put(section, Array(value.utf8), of: Self.brand)
    }

    /// A ticket of a person who is signed in with this cookie for so long.
    func ticket(
        _ person: AgentCaller = agent, cookie: String = "cookie",
        forMs lifetime: Int64 = IdentityService.sessionLifetimeMs
    ) async throws -> String {
        try await store.accounts.save(Self.row(of: person))
        try await store.accounts.save(
            Session(
                digest: Array(SHA256.hash(data: Array(cookie.utf8))), agent: person.id,
                expires: clock.now.adding(milliseconds: lifetime)))
        return try identity.ticket(for: person, cookie: cookie)
    }

    func consumer() async throws -> ConsumerWelcome {
        try await identity.welcome(.init(account: Self.brand, app: Self.app, page: nil, language: nil, device: nil))
    }

    /// A consumer who signs in with an ID token of five minutes.
    /// - Parameter device: the token of the anonymous consumer of the same device.
    func signIn(_ subject: String, with provider: BrandProvider, device: String? = nil) async throws -> ConsumerWelcome
    {
        try await identity.consumerSignIn.signIn(
            .init(
                .init(account: Self.brand, app: Self.app, page: nil, language: nil, device: nil),
                idToken: provider.token(subject, at: clock.now), device: device, address: "127.0.0.1"))
    }

    /// A socket, with its upgrade behind it, for as long as `body` runs.
    func socket(origin: String? = nil, _ body: @escaping @Sendable (TestSocket) async throws -> Void) async throws {
        try await Wire.connect(port) { inbound, outbound in
            try await body(try await TestSocket(inbound, outbound, port: port, origin: origin))
        }
    }
}

/// A client that shows everything as it comes.
actor TestSocket {
    enum Received: Equatable {
        case text(String)
        case close(UInt16?)
        case end
        case other(UInt8)
    }

    private var iterator: Wire.Inbound.AsyncIterator
    private let outbound: Wire.Outbound
    private var buffer = ByteBuffer()
    /// Status line of the answer to the upgrade.
    private(set) var status = ""

    init(_ inbound: Wire.Inbound, _ outbound: Wire.Outbound, port: Int, origin: String?) async throws {
        iterator = inbound.makeAsyncIterator()
        self.outbound = outbound
        let extra = origin.map { "Origin: \($0)\r\n" } ?? ""
        try await outbound.write(
            ByteBuffer(
                string:
                    "GET /v1/socket HTTP/1.1\r\nHost: localhost:\(port)\r\nUpgrade: websocket\r\n"
                    + "Connection: Upgrade\r\n\(extra)"
                    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"))
        while true {
            if let end = buffer.readableBytesView.firstRange(of: Array("\r\n\r\n".utf8)) {
                let head = buffer.readString(length: end.upperBound - buffer.readerIndex) ?? ""
                status = String(head.prefix { $0 != "\r\n" })
                return
            }
            guard await more() else { throw GatewayFault("no answer") }
        }
    }

    func send(_ text: String) async throws { try await raw(ClientBytes.text(text)) }

    func raw(_ bytes: [UInt8]) async throws { try await outbound.write(ByteBuffer(bytes: bytes)) }

    /// The next frame.
    func next() async -> Received {
        while true {
            if let frame = frame() { return frame }
            guard await more() else { return .end }
        }
    }

    /// The next frame, as the server writes it.
    func nextFrame() async throws -> ServerFrame {
        guard case .text(let text) = await next() else { throw GatewayFault("no text") }
        return try JSONDecoder().decode(ServerFrame.self, from: Data(text.utf8))
    }

    private func more() async -> Bool {
        var iterator = self.iterator
        defer { self.iterator = iterator }
        guard var next = try? await iterator.next(isolation: #isolation) else { return false }
        buffer.writeBuffer(&next)
        return true
    }

    private func frame() -> Received? {
        var rest = buffer
        guard let first = rest.readInteger(as: UInt8.self), let short = rest.readInteger(as: UInt8.self) else {
            return nil
        }
        let long =
            short == 126
            ? rest.readInteger(as: UInt16.self).map(Int.init)
            : short == 127 ? rest.readInteger(as: UInt64.self).map(Int.init) : Int(short)
        guard let count = long, let payload = rest.readBytes(length: count) else { return nil }
        buffer = rest
        switch first & 0x0f {
        case 1: return .text(String(decoding: payload, as: UTF8.self))
        case 8: return .close(payload.count < 2 ? nil : UInt16(payload[0]) << 8 | UInt16(payload[1]))
        default: return .other(first & 0x0f)
        }
    }
}
