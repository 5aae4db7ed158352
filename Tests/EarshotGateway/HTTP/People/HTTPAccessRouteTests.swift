import EarshotCore
import EarshotDomain
import EarshotModel
import HTTPTypes
import Testing

@testable import EarshotGateway

@Suite("One's own password and sessions")
struct OwnAccessTests {
    private static func login(_ gateway: TestGateway, _ password: String, cookie: String? = nil) async throws -> Reply {
        let body = #"{"account":"tulip","email":"dana@tulip.example","password":"\#(password)"}"#
        let headers = [("content-type", "application/json")] + (cookie.map { [("cookie", $0)] } ?? [])
        return try await gateway.ask("POST", "/v1/login", headers: headers, body: Array(body.utf8))
    }

    private static func cookie(_ reply: Reply, _ name: String) -> String? {
        reply.headers.filter { $0.name == "set-cookie" }.map(\.value).first { $0.hasPrefix(name + "=") }
            .map { String($0.prefix { $0 != ";" }) }
    }

    @Test("A new password needs the old one, and ends every other session")
    func changesPassword() async throws {
        try await TestGateway.run { gateway in
            let dana = try await gateway.brand.agent("dana", password: "correct horse")
            let other = try #require(Self.cookie(try await Self.login(gateway, "correct horse"), "earshot"))
            let wrong = try await gateway.send(
                "POST", "/v1/password", as: .agent(dana), #"{"old":"wrong","new":"battery staple"}"#)
            #expect(wrong.status == 401 && wrong.code == "login_failed")
            #expect(try await gateway.ask("GET", "/v1/session", headers: [("cookie", other)]).status == 200)
            let right = try await gateway.send(
                "POST", "/v1/password", as: .agent(dana), #"{"old":"correct horse","new":"battery staple"}"#)
            #expect(right.status == 204)
            #expect(try await gateway.ask("GET", "/v1/session", headers: [("cookie", other)]).status == 401)
            #expect(try await gateway.ask("GET", "/v1/session", as: .agent(dana)).status == 200)
            #expect(try await Self.login(gateway, "correct horse").status == 401)
            #expect(try await Self.login(gateway, "battery staple").status == 200)
            let entries = await gateway.brand.accounts.entries.map(\.what)
            #expect(entries == [.signedIn, .passwordChanged, .signInFailed, .signedIn])
        }
    }

    @Test("A new password has 8 to 256 bytes", arguments: [(7, 422), (8, 204), (256, 204), (257, 422)])
    func boundsPassword(length: Int, status: Int) async throws {
        try await TestGateway.run { gateway in
            let dana = try await gateway.brand.agent("dana", password: "correct horse")
            let new = String(repeating: "x", count: length)
            let reply = try await gateway.send(
                "POST", "/v1/password", as: .agent(dana), #"{"old":"correct horse","new":"\#(new)"}"#)
            #expect(reply.status == status)
            if status == 422 { #expect(reply.code == "out_of_range") }
        }
    }

    @Test("People see their own sessions and end one of them; not those of others")
    func listsSessions() async throws {
        try await TestGateway.run { gateway in
            let dana = try await gateway.brand.agent("dana", password: "correct horse")
            let omar = try await gateway.brand.agent("omar")
            let other = try #require(Self.cookie(try await Self.login(gateway, "correct horse"), "earshot"))
            let list = try await gateway.ask("GET", "/v1/sessions", as: .agent(dana))
            guard case .array(let sessions)? = list.json["sessions"] else { throw Missing("no sessions") }
            #expect(sessions.count == 2)
            let ids = sessions.compactMap { session -> String? in
                guard case .object(let fields) = session, fields["current"] == .bool(false),
                    case .string(let id)? = fields["id"]
                else { return nil }
                return id
            }
            let id = try #require(ids.first)
            #expect(ids.count == 1)
            #expect(try await gateway.ask("DELETE", "/v1/sessions/\(id)", as: .agent(omar)).status == 404)
            #expect(try await gateway.ask("GET", "/v1/session", headers: [("cookie", other)]).status == 200)
            #expect(try await gateway.ask("DELETE", "/v1/sessions/\(id)", as: .agent(dana)).status == 204)
            #expect(try await gateway.ask("GET", "/v1/session", headers: [("cookie", other)]).status == 401)
            #expect(try await gateway.ask("DELETE", "/v1/sessions/\(id)", as: .agent(dana)).status == 404)
        }
    }

    @Test("A person whose attempts others use up still signs in from the browser they signed in with before")
    func knowsTheDevice() async throws {
        try await TestGateway.run { gateway in
            _ = try await gateway.brand.agent("dana", password: "correct horse")
            let device = try #require(Self.cookie(try await Self.login(gateway, "correct horse"), "earshot-device"))
            for _ in 0..<4 { #expect(try await Self.login(gateway, "guess").code == "login_failed") }
            #expect(try await Self.login(gateway, "correct horse").code == "rate_limited")
            let known = try await Self.login(gateway, "correct horse", cookie: device)
            #expect(known.status == 200)
            #expect(Self.cookie(known, "earshot-device") == nil, "the browser has its cookie already")
            let failures = await gateway.brand.accounts.entries.filter { $0.what == .signInFailed }
            #expect(failures.count == 1, "failed attempts are noted once an hour")
        }
    }

    @Test("Failed attempts for a brand that does not exist are not noted")
    func notesNoInventedBrands() async throws {
        try await TestGateway.run { gateway in
            let body = #"{"account":"invented","email":"dana@tulip.example","password":"x"}"#
            let reply = try await gateway.send("POST", "/v1/login", body)
            let entries = await gateway.brand.accounts.entries
            #expect(reply.status == 401 && entries.isEmpty)
        }
    }
}

@Suite("Blocking a consumer")
struct BlockingTests {
    private static func path(_ consumer: ConsumerWelcome) -> String {
        "/v1/conversations/\(consumer.conversation)/block"
    }

    @Test("Every request of a blocked consumer is refused, until the block is lifted")
    func refuses() async throws {
        try await TestGateway.run { gateway in
            let dana = try await gateway.brand.agent("dana")
            let (consumer, other) = (try await gateway.brand.consumer(), try await gateway.brand.consumer())
            let block = try await gateway.send("PUT", Self.path(consumer), as: .agent(dana), #"{"blocked":true}"#)
            #expect(block.status == 200)
            for route in gateway.parts.router.routes {
                guard case .consumer = route.handler else { continue }
                let reply = try await gateway.send(
                    route.method.rawValue, route.path, as: .consumer(consumer.token), "{}")
                #expect(reply.status == 403 && reply.code == "blocked", "\(route.path)")
            }
            #expect(try await gateway.send("POST", "/v1/consumers/me", as: .consumer(other.token), "{}").status == 200)
            for _ in 0..<2 {
                #expect(
                    try await gateway.send("PUT", Self.path(consumer), as: .agent(dana), #"{"blocked":false}"#).status
                        == 200)
            }
            #expect(
                try await gateway.send("POST", "/v1/consumers/me", as: .consumer(consumer.token), "{}").status == 200)
            #expect(await gateway.brand.accounts.entries.map(\.what) == [.consumerBlocked, .consumerUnblocked])
        }
    }

    @Test("Agents read whether a consumer is blocked: of their own brand only, and consumers never")
    func isRead() async throws {
        try await TestGateway.run { gateway in
            let dana = try await gateway.brand.agent("dana")
            let rival = try await gateway.brand.agent("rival", of: TestBrand.rival)
            let consumer = try await gateway.brand.consumer()
            let path = Self.path(consumer)
            #expect(try await gateway.ask("GET", path, as: .agent(dana)).json["blocked"] == .bool(false))
            for isBlocked in [true, false] {
                let body = #"{"blocked":\#(isBlocked)}"#
                #expect(try await gateway.send("PUT", path, as: .agent(dana), body).status == 200)
                #expect(try await gateway.ask("GET", path, as: .agent(dana)).json["blocked"] == .bool(isBlocked))
            }
            #expect(try await gateway.ask("GET", path, as: .agent(rival)).status == 404)
            #expect(try await gateway.ask("GET", path, as: .consumer(consumer.token)).status == 401)
        }
    }

    @Test("Agents block consumers of their own brand only, and consumers block no one")
    func isBounded() async throws {
        try await TestGateway.run { gateway in
            let consumer = try await gateway.brand.consumer()
            let rival = try await gateway.brand.agent("rival", of: TestBrand.rival)
            let body = #"{"blocked":true}"#
            #expect(try await gateway.send("PUT", Self.path(consumer), as: .agent(rival), body).status == 404)
            let own = try await gateway.send("PUT", Self.path(consumer), as: .consumer(consumer.token), body)
            #expect(own.status == 401)
            #expect(
                try await gateway.send("POST", "/v1/consumers/me", as: .consumer(consumer.token), "{}").status == 200)
        }
    }
}

@Suite("Signing a consumer out everywhere")
struct ConsumerSignOutTests {
    private static func path(_ consumer: ConsumerWelcome) -> String {
        "/v1/conversations/\(consumer.conversation)/sign-out"
    }

    @Test("Tokens from before are refused, those of others and those of the same millisecond are not")
    func refusesEarlierTokens() async throws {
        try await TestGateway.run { gateway in
            let dana = try await gateway.brand.agent("dana")
            let (consumer, other) = (try await gateway.brand.consumer(), try await gateway.brand.consumer())
            #expect(
                try await gateway.send("POST", "/v1/consumers/me", as: .consumer(consumer.token), "{}").status == 200)
            #expect(try await gateway.send("POST", Self.path(consumer), as: .agent(dana), "{}").status == 204)
            for route in gateway.parts.router.routes {
                guard case .consumer = route.handler else { continue }
                let reply = try await gateway.send(
                    route.method.rawValue, route.path, as: .consumer(consumer.token), "{}")
                #expect(reply.status == 401 && reply.code == "not_signed_in", "\(route.path)")
            }
            let newcomer = try await gateway.brand.consumer()
            for token in [other.token, newcomer.token] {
                #expect(try await gateway.send("POST", "/v1/consumers/me", as: .consumer(token), "{}").status == 200)
            }
            let entries = await gateway.brand.accounts.entries
            #expect(entries.map(\.what) == [.consumerSignedOut])
            #expect(entries.first?.conversation == consumer.conversation && entries.first?.by == dana.id.rawValue)
        }
    }

    @Test("A signed-in consumer returns with an ID token, to the same conversation, each time")
    func returnsWithIDToken() async throws {
        try await TestGateway.run { gateway in
            let (provider, identity) = (BrandProvider(), gateway.brand.identity)
            let mona = try await gateway.brand.agent("mona", role: .administrator)
            let setting = try provider.setting(claims: [])
            #expect(try await gateway.send("PUT", "/v1/identity-provider", as: .agent(mona), setting).status == 200)
            func signIn() async throws -> ConsumerWelcome {
                let ada = try await identity.consumerSignIn.signIn(
                    .init(
                        .init(account: TestBrand.tulip, app: TestBrand.shop, page: nil, language: nil, device: nil),
                        idToken: provider.token("ada", at: gateway.brand.clock.now), device: nil, address: "x"))
                gateway.brand.log.add(
                    ConversationIdentity(
                        id: ada.conversation, account: TestBrand.tulip, app: TestBrand.shop, consumer: ada.consumer,
                        channel: .web))
                return ada
            }
            var ended: [String] = []
            let first = try await signIn().conversation
            for _ in 0..<3 {
                let ada = try await signIn()
                #expect(ada.conversation == first && !ended.contains(ada.token))
                #expect(throws: Never.self) { try identity.consumer(token: ada.token) }
                #expect(try await gateway.send("POST", Self.path(ada), as: .agent(mona), "{}").status == 204)
                ended.append(ada.token)
                for token in ended {
                    #expect(throws: Rejection.notSignedIn) { try identity.consumer(token: token) }
                }
            }
        }
    }

    @Test("What a command or another server did is in force after the next look")
    func readsWhatOthersDid() async throws {
        try await TestGateway.run { gateway in
            let identity = gateway.brand.identity
            let consumer = try await gateway.brand.consumer()
            try await identity.sessions.refresh()
            await gateway.brand.accounts.apply(
                ConsumerSignOut(
                    consumer: consumer.consumer, account: TestBrand.tulip,
                    audit: AuditEntry(
                        account: TestBrand.tulip, at: gateway.brand.clock.now, by: AuditEntry.operator_,
                        what: .consumerSignedOut)))
            #expect(throws: Never.self) { try identity.consumer(token: consumer.token) }
            try await identity.sessions.refresh()
            #expect(throws: Rejection.notSignedIn) { try identity.consumer(token: consumer.token) }
        }
    }

    @Test("Needs the permission to block consumers, in one's own brand")
    func isBounded() async throws {
        try await TestGateway.run { gateway in
            let consumer = try await gateway.brand.consumer()
            let rival = try await gateway.brand.agent("rival", of: TestBrand.rival)
            #expect(try await gateway.send("POST", Self.path(consumer), as: .agent(rival), "{}").status == 404)
            #expect(
                try await gateway.send("POST", Self.path(consumer), as: .consumer(consumer.token), "{}").status == 401)
            let (dana, identity) = (try await gateway.brand.agent("dana"), gateway.brand.identity)
            let stored = try #require(try await gateway.brand.accounts.agent(dana.id))
            let powerless = AgentCaller(stored, permissions: [.readConversations], scope: .everything)
            let open = try await gateway.brand.core.access.open(consumer.conversation, as: .agent(powerless))
            let refusal = await #expect(throws: Rejection.self) {
                try await identity.sessions.signOut(open, as: powerless)
            }
            #expect(refusal?.code == .forbidden)
            #expect(throws: Never.self) { try identity.consumer(token: consumer.token) }
        }
    }
}

@Suite("Sessions that nobody uses")
struct IdleSessionTests {
    private static let minuteMs: Int64 = 60_000
    private static let rule = "/v1/sessions/rule"

    private static func status(_ gateway: TestGateway, _ agent: SignedInAgent) async throws -> Int {
        try await gateway.ask("GET", "/v1/session", as: .agent(agent)).status
    }

    @Test("A session ends after the brand's minutes without a request, not a moment before", arguments: [15, 19])
    func ends(minutes: Int) async throws {
        try await TestGateway.run { gateway in
            let clock = gateway.brand.clock
            let mira = try await gateway.brand.agent("mira", role: .administrator)
            let dana = try await gateway.brand.agent("dana")
            let set = try await gateway.send("PUT", Self.rule, as: .agent(mira), #"{"idleMinutes":\#(minutes)}"#)
            #expect(set.status == 200)
            let limit = Int64(minutes) * Self.minuteMs
            for _ in 0..<2 {
                clock.advance(milliseconds: limit - 1)
                #expect(try await Self.status(gateway, dana) == 200, "a moment before; and it is a use")
            }
            let ticket = try gateway.brand.identity.redeem(
                ticket: gateway.brand.identity.ticket(
                    for: try await gateway.brand.identity.session(cookie: dana.cookie).caller, cookie: dana.cookie))
            clock.advance(milliseconds: limit)
            #expect(try await Self.status(gateway, dana) == 401)
            await #expect(throws: Rejection.notSignedIn) { try await gateway.brand.identity.confirm(ticket) }
        }
    }

    @Test("The last use is noted once in two minutes, and listed")
    func isNotedRarely() async throws {
        try await TestGateway.run { gateway in
            let (clock, accounts) = (gateway.brand.clock, gateway.brand.accounts)
            let dana = try await gateway.brand.agent("dana")
            let before = await accounts.notedSessionUses
            let noted = clock.now
            clock.advance(milliseconds: IdleSessionService.precisionMs - 1)
            for _ in 0..<5 { #expect(try await Self.status(gateway, dana) == 200) }
            #expect(await accounts.notedSessionUses == before)
            func used() async throws -> Bool {
                try await gateway.ask("GET", "/v1/sessions", as: .agent(dana)).text
                    .contains("\"used\":\(noted.milliseconds)")
            }
            #expect(try await used())
            clock.advance(milliseconds: 1)
            for _ in 0..<5 { #expect(try await Self.status(gateway, dana) == 200) }
            #expect(await accounts.notedSessionUses == before + 1)
            #expect(try await !used())
        }
    }

    @Test("A brand that never chose has the twelve hours of a session, and may choose 15 minutes or more")
    func hasRange() async throws {
        try await TestGateway.run { gateway in
            let mira = try await gateway.brand.agent("mira", role: .administrator)
            let dana = try await gateway.brand.agent("dana")
            func rule() async throws -> String { try await gateway.ask("GET", Self.rule, as: .agent(mira)).text }
            #expect(try await rule() == #"{"idleMinutes":720}"#)
            for (minutes, status) in [(0, 422), (14, 422), (15, 200), (720, 200), (721, 422)] {
                let reply = try await gateway.send(
                    "PUT", Self.rule, as: .agent(mira), #"{"idleMinutes":\#(minutes)}"#)
                #expect(reply.status == status, "\(minutes)")
                if status == 422 { #expect(reply.code == "setting_out_of_range") }
            }
            #expect(try await rule() == #"{"idleMinutes":720}"#)
            #expect(
                try await gateway.send("PUT", Self.rule, as: .agent(dana), #"{"idleMinutes":60}"#).code == "forbidden")
            #expect(try await gateway.ask("GET", Self.rule, as: .agent(dana)).code == "forbidden")
            let details = await gateway.brand.accounts.entries.compactMap(\.detail)
            #expect(details == ["idleMinutes=15", "idleMinutes=720"])
        }
    }
}

@Suite("Searching and the audit log")
struct SearchAuditTests {
    @Test("Entries are found by author, action and time; other questions are refused")
    func areFound() async throws {
        try await TestGateway.run { gateway in
            let mira = try await gateway.brand.agent("mira", role: .administrator)
            let account = TestBrand.tulip
            for (at, by, what) in [
                (1, "dana", AuditAction.signedIn), (2, "dana", .historySearched), (3, "mira", .signedIn),
            ] {
                await gateway.brand.accounts.record(
                    AuditEntry(
                        account: account, at: Timestamp(milliseconds: Int64(at)), by: by, what: what,
                        address: "192.0.2.7"))
            }
            func found(_ query: String) async throws -> String {
                try await gateway.ask("GET", "/v1/audit?to=4&" + query, as: .agent(mira)).text
            }
            #expect(try await found("by=dana").matches(of: /"at":/).count == 2)
            #expect(try await found("by=dana&what=person.signedIn,history.read").matches(of: /"at":/).count == 1)
            #expect(try await found("from=2").matches(of: /"at":/).count == 2)
            #expect(try await found("by=mira").contains(#""address":"192.0.2.7""#))
            for wrong in ["what=person.fired", "what=person.signedIn,", "from=x", "to=-1", "limit=201"] {
                let answer = try await gateway.ask("GET", "/v1/audit?" + wrong, as: .agent(mira))
                #expect(answer.status == (wrong.hasSuffix(",") ? 200 : 400), "\(wrong)")
            }
        }
    }

    @Test("A search is noted once a day for each person")
    func isNotedOnce() async throws {
        try await TestGateway.run { gateway in
            let (dana, omar) = (try await gateway.brand.agent("dana"), try await gateway.brand.agent("omar"))
            for agent in [dana, dana, omar] {
                #expect(try await gateway.ask("GET", "/v1/search?q=boots", as: .agent(agent)).status == 200)
            }
            gateway.brand.clock.advance(milliseconds: 24 * 3_600_000)
            let again = try await gateway.brand.agent("dana")
            #expect(try await gateway.ask("GET", "/v1/search?q=boots", as: .agent(again)).status == 200)
            let entries = await gateway.brand.accounts.entries
            #expect(entries.map(\.what) == [.historySearched, .historySearched, .historySearched])
            #expect(entries.map(\.by) == [dana.id.rawValue, omar.id.rawValue, dana.id.rawValue])
            #expect(entries.allSatisfy { $0.detail == nil }, "what was searched for stays private")
        }
    }
}
