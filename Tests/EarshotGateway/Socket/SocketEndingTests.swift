import EarshotCore
import EarshotModel
import EarshotStorage
import Testing

@testable import EarshotGateway

/// Access that ends closes the sockets that use it.
@Suite struct `A socket ends at once` {
    private static let signIn = ServerFrame.bye(
        .init(code: "not_signed_in", text: Rejection.notSignedIn.text, after: nil))

    /// Opens a socket and receives its `ready`.
    private static func open(
        _ rig: SocketRig, _ hello: String, _ body: @escaping @Sendable (TestSocket) async throws -> Void
    ) async throws {
        try await rig.socket { socket in
            try await socket.send("{\"hello\":{\(hello)}}")
            switch try await socket.nextFrame() {
            case .inbox, .ready: try await body(socket)
            default: #expect(Bool(false), "no ready")
            }
        }
    }

    private static func expectSignedOut(_ socket: TestSocket) async throws {
        #expect(try await bye(on: socket) == signIn)
        #expect(await socket.next() == .close(4401))
    }

    /// The `bye` frame; status frames before it are skipped.
    private static func bye(on socket: TestSocket) async throws -> ServerFrame {
        while true {
            let frame = try await socket.nextFrame()
            if case .bye = frame { return frame }
        }
    }

    private static func expectAlive(_ socket: TestSocket) async throws {
        try await socket.send(#"{"watch":"nowhere"}"#)
        while true {
            switch try await socket.nextFrame() {
            case .problem: return
            case .bye: return #expect(Bool(false), "another's socket stays")
            default: continue
            }
        }
    }

    @Test(arguments: [PersonPatch(role: .manager), PersonPatch(isDisabled: true)])
    func `when a person's role or access changes: all of their sockets and tickets, and no one else's`(
        patch: PersonPatch
    ) async throws {
        try await SocketRig.run { rig in
            let (service, home, unused) = (
                try await rig.ticket(cookie: "service"), try await rig.ticket(cookie: "home"),
                try await rig.ticket(cookie: "home")
            )
            let other = try await rig.ticket(SocketRig.manager, cookie: "other")
            try await Self.open(rig, "\"ticket\":\"\(other)\"") { other in
                try await Self.open(rig, "\"ticket\":\"\(service)\"") { service in
                    try await Self.open(rig, "\"ticket\":\"\(home)\"") { home in
                        _ = try await rig.identity.change(patch, of: SocketRig.agent.id, as: SocketRig.manager)
                        try await Self.expectSignedOut(service)
                        try await Self.expectSignedOut(home)
                    }
                }
                #expect(throws: Rejection.notSignedIn) { try rig.identity.redeem(ticket: unused) }
                await #expect(throws: Rejection.notSignedIn) { try await rig.identity.session(cookie: "service") }
                try await Self.expectAlive(other)
            }
        }
    }

    @Test func `when a person is renamed, who may reconnect`() async throws {
        try await SocketRig.run { rig in
            let ticket = try await rig.ticket()
            try await Self.open(rig, "\"ticket\":\"\(ticket)\"") { socket in
                _ = try await rig.identity.change(
                    PersonPatch(name: "Dana B."), of: SocketRig.agent.id, as: SocketRig.manager)
                guard case .bye(let bye) = try await Self.bye(on: socket) else { return #expect(Bool(false)) }
                #expect(bye.code == "unavailable" && bye.after != nil)
                #expect(await socket.next() == .close(1001))
            }
            #expect(try await rig.identity.session(cookie: "cookie").caller.name == "Dana B.")
        }
    }

    /// Two requests at once: a ticket that was asked for before the change and given after it opens nothing.
    @Test(arguments: [PersonPatch(role: .manager), PersonPatch(isDisabled: true), PersonPatch(name: "Dana B.")])
    func `before it starts, where its ticket was issued before the person changed`(patch: PersonPatch) async throws {
        try await SocketRig.run { rig in
            _ = try await rig.ticket()
            _ = try await rig.identity.change(patch, of: SocketRig.agent.id, as: SocketRig.manager)
            let late = try rig.identity.ticket(for: SocketRig.agent, cookie: "cookie")
            try await rig.socket { socket in
                try await socket.send(#"{"hello":{"ticket":"\#(late)"}}"#)
                #expect(try await socket.nextFrame() == Self.signIn)
                #expect(await socket.next() == .close(4401))
            }
        }
    }

    @Test func `when the session's twelve hours are over, without any request`() async throws {
        try await SocketRig.run { rig in
            let ticket = try await rig.ticket()
            try await Self.open(rig, "\"ticket\":\"\(ticket)\"") { socket in
                rig.clock.advance(milliseconds: IdentityService.sessionLifetimeMs)
                try await Self.expectSignedOut(socket)
            }
        }
    }

    @Test func `when the session is over by the monotonic clock`() async throws {
        try await SocketRig.run { rig in
            let ticket = try await rig.ticket(forMs: 1_500)
            try await Self.open(rig, "\"ticket\":\"\(ticket)\"") { socket in
                rig.clock.advance(milliseconds: -3_600_000)
                try await Self.expectSignedOut(socket)
            }
        }
    }

    @Test func `when the session was idle for as long as the brand allows; a live socket is a use`() async throws {
        try await SocketRig.run { rig in
            let ticket = try await rig.ticket()
            let audit = AuditEntry(
                account: SocketRig.brand, at: rig.clock.now, by: AuditEntry.operator_, what: .sessionRuleChanged)
            try await rig.store.accounts.save(idleMinutes: 15, of: SocketRig.brand, audit: audit)
            let limit: Int64 = 15 * 60_000
            try await Self.open(rig, "\"ticket\":\"\(ticket)\"") { socket in
                for _ in 0..<2 {
                    rig.clock.advance(milliseconds: limit - 1)
                    while try await rig.store.accounts.sessions(of: SocketRig.agent.id, at: rig.clock.now).first?.used
                        != rig.clock.now
                    { await Task.yield() }
                    try await Self.expectAlive(socket)
                }
                rig.clock.advance(milliseconds: limit)
                try await Self.expectSignedOut(socket)
            }
            await #expect(throws: Rejection.notSignedIn) { try await rig.identity.session(cookie: "cookie") }
        }
    }

    @Test func `when a consumer is signed out everywhere, and no one else's`() async throws {
        try await SocketRig.run { rig in
            let (visitor, other) = (try await rig.consumer(), try await rig.consumer())
            let manager = SocketRig.manager
            try await Self.open(rig, "\"token\":\"\(visitor.token)\"") { socket in
                try await socket.send(#"{"send":"k1","text":"hello"}"#)
                _ = try await socket.next { if case .ok = $0 { true } else { false } }
                try await Self.open(rig, "\"token\":\"\(other.token)\"") { other in
                    let open = try await rig.access.open(visitor.conversation, as: .agent(manager))
                    try await rig.identity.sessions.signOut(open, as: manager)
                    try await Self.expectSignedOut(socket)
                    try await Self.expectStays(other)
                }
            }
            try await rig.socket { socket in
                try await socket.send(#"{"hello":{"token":"\#(visitor.token)"}}"#)
                #expect(try await socket.nextFrame() == Self.signIn)
                #expect(await socket.next() == .close(4401))
            }
        }
    }

    /// A consumer's socket still takes messages.
    private static func expectStays(_ socket: TestSocket) async throws {
        try await socket.send(#"{"send":"k2","text":"still here"}"#)
        _ = try await socket.next { if case .ok = $0 { true } else { false } }
    }

    @Test func `when a wrong clock ends a consumer's token, who is told to keep it`() async throws {
        try await SocketRig.run { rig in
            try await rig.identity.clock.refresh()
            let visitor = try await rig.consumer()
            try await Self.open(rig, "\"token\":\"\(visitor.token)\"") { socket in
                rig.clock.advance(milliseconds: ConsumerTokens.lifetimeMs)
                guard case .bye(let bye) = try await Self.bye(on: socket) else { return #expect(Bool(false)) }
                #expect(bye.code == "not_yet_valid" && bye.text == Rejection.notYetValid.text)
                #expect(await socket.next() == .close(1001))
            }
            rig.clock.advance(milliseconds: -ConsumerTokens.lifetimeMs)
            try await Self.open(rig, "\"token\":\"\(visitor.token)\"") { _ in }
        }
    }

    @Test func `when a consumer's token expires`() async throws {
        try await SocketRig.run { rig in
            let visitor = try await rig.consumer()
            try await Self.open(rig, "\"token\":\"\(visitor.token)\"") { socket in
                rig.clock.advance(milliseconds: ConsumerTokens.lifetimeMs)
                try await Self.expectSignedOut(socket)
            }
        }
    }

    @Test func `when a signed-in consumer's ID token ends, unless the page shows a newer one in time`() async throws {
        try await SocketRig.run { rig in
            let provider = BrandProvider()
            _ = try await rig.identity.consumerSignIn.save(
                IdentityProvider(
                    issuer: BrandProvider.issuer, audience: BrandProvider.audience, keys: provider.publicKey, claims: []
                ),
                as: SocketRig.manager)
            let ada = try await rig.signIn("ada", with: provider)
            try await Self.open(rig, "\"token\":\"\(ada.token)\"") { socket in
                rig.clock.advance(milliseconds: 200_000)
                for other in [try await rig.signIn("bob", with: provider), try await rig.consumer()] {
                    try await socket.send("{\"renew\":\"\(other.token)\"}")
                    #expect(try await Self.problem(on: socket) == "not_signed_in")
                }
                let newer = try await rig.signIn("ada", with: provider)
                #expect(newer.conversation == ada.conversation)
                try await socket.send("{\"renew\":\"\(newer.token)\"}")
                try await Self.expectAlive(socket)
                rig.clock.advance(milliseconds: 200_000)
                try await Self.expectAlive(socket)
                rig.clock.advance(milliseconds: 100_000)
                try await Self.expectSignedOut(socket)
            }
        }
    }

    /// The code of the `problem` frame; status frames before it are skipped.
    private static func problem(on socket: TestSocket) async throws -> String {
        while true {
            if case .problem(let problem) = try await socket.nextFrame() { return problem.code }
        }
    }

    @Test func `when the brand is suspended, for its people and its consumers, who keep their tokens`() async throws {
        try await SocketRig.run { rig in
            let (ticket, unused, visitor) = (try await rig.ticket(), try await rig.ticket(), try await rig.consumer())
            let audit = AuditEntry(
                account: SocketRig.brand, at: rig.clock.now, by: AuditEntry.operator_, what: .brandSuspended)
            try await Self.open(rig, "\"ticket\":\"\(ticket)\"") { agent in
                try await Self.open(rig, "\"token\":\"\(visitor.token)\"") { consumer in
                    try await rig.store.accounts.suspend(SocketRig.brand, true, audit: audit)
                    try await rig.identity.refreshSuspensions()
                    try await Self.expectSignedOut(agent)
                    #expect(
                        try await Self.bye(on: consumer)
                            == .bye(.init(code: "suspended", text: Rejection.suspended.text, after: nil)))
                    #expect(await consumer.next() == .close(4403))
                }
            }
            for (hello, code) in [("\"ticket\":\"\(unused)\"", UInt16(4401)), ("\"token\":\"\(visitor.token)\"", 4403)]
            {
                try await rig.socket { socket in
                    try await socket.send("{\"hello\":{\(hello)}}")
                    guard case .bye = try await socket.nextFrame() else { return #expect(Bool(false)) }
                    #expect(await socket.next() == .close(code))
                }
            }
            try await rig.store.accounts.suspend(SocketRig.brand, false, audit: audit)
            try await rig.identity.refreshSuspensions()
            try await Self.open(rig, "\"token\":\"\(visitor.token)\"") { _ in }
        }
    }
}
