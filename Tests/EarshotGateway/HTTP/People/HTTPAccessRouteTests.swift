import EarshotCore
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
