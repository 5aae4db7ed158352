import EarshotModel
import HTTPTypes
import Testing

@testable import EarshotCore
@testable import EarshotGateway

/// A person with a second factor, and the app that shows the codes.
private struct Secured: Sendable {
    static let password = "correct horse"

    let gateway: TestGateway
    let agent: SignedInAgent
    let name: String
    let secret: [UInt8]
    let recoveryCodes: [String]

    static func make(_ gateway: TestGateway, _ name: String = "dana", role: Role = .agent) async throws -> Secured {
        let agent = try await gateway.brand.agent(name, role: role, password: password)
        let begun = try await gateway.send("POST", "/v1/second-factor/set-up", as: .agent(agent), "{}")
        let (secret, token) = try setUp(begun)
        let code = OneTimeCode.code(of: secret, step: OneTimeCode.step(at: gateway.brand.clock.now))
        let reply = try await confirm(gateway, agent, token, code)
        guard reply.status == 200, case .array(let codes)? = reply.json["recoveryCodes"] else {
            throw Missing("no recovery codes: \(reply.text)")
        }
        let texts = codes.compactMap { if case .string(let text) = $0 { text } else { nil } }
        gateway.brand.clock.advance(milliseconds: OneTimeCode.stepMs)
        return Secured(gateway: gateway, agent: agent, name: name, secret: secret, recoveryCodes: texts)
    }

    static func setUp(_ reply: Reply) throws -> (secret: [UInt8], token: String) {
        guard case .string(let secret)? = reply.json["secret"], case .string(let token)? = reply.json["setUp"],
            case .string(let link)? = reply.json["link"]
        else { throw Missing("no set-up: \(reply.text)") }
        #expect(link.hasPrefix("otpauth://totp/") && link.contains("secret=\(secret)"))
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        let bits = secret.compactMap(alphabet.firstIndex).flatMap { digit in (0..<5).map { digit >> (4 - $0) & 1 } }
        #expect(bits.count == 160)
        return (
            stride(from: 0, to: bits.count, by: 8).map { bits[$0..<$0 + 8].reduce(0) { $0 << 1 | UInt8($1) } }, token
        )
    }

    static func confirm(_ gateway: TestGateway, _ agent: SignedInAgent, _ token: String, _ code: String)
        async throws -> Reply
    {
        try await gateway.send(
            "POST", "/v1/second-factor", as: .agent(agent), #"{"setUp":"\#(token)","code":"\#(code)"}"#)
    }

    /// The code that the app shows now, or some steps away from now.
    func code(_ offset: Int64 = 0) -> String {
        OneTimeCode.code(of: secret, step: OneTimeCode.step(at: gateway.brand.clock.now) + offset)
    }

    func login(_ code: String?, password: String = password) async throws -> Reply {
        let code = code.map { #","code":"\#($0)""# } ?? ""
        return try await gateway.send(
            "POST", "/v1/login",
            #"{"account":"tulip","email":"\#(name)@tulip.example","password":"\#(password)"\#(code)}"#)
    }

    func turnOff(_ code: String, password: String = password) async throws -> Reply {
        try await gateway.send(
            "POST", "/v1/second-factor/removal", as: .agent(agent),
            #"{"password":"\#(password)","code":"\#(code)"}"#)
    }

    /// Lets the allowances of attempts fill up again.
    func rest() { gateway.brand.clock.advance(milliseconds: 30 * 60_000) }

    func entries(_ what: AuditAction) async -> Int { await gateway.brand.accounts.entries.count { $0.what == what } }
}

extension Reply {
    fileprivate var setsSession: Bool {
        headers.contains { $0.name == "set-cookie" && $0.value.hasPrefix("earshot=") }
    }

    fileprivate var standing: JSONValue? { json["secondFactor"] }
}

@Suite struct `Signing in with a second factor` {
    @Test func `needs the password first and a code then, and only both begin a session`() async throws {
        try await TestGateway.run { gateway in
            let dana = try await Secured.make(gateway)
            for (code, password, expected) in [
                (nil, "wrong", "login_failed"), (dana.code(), "wrong", "login_failed"),
                (nil, Secured.password, "second_factor_required"),
            ] {
                let reply = try await dana.login(code, password: password)
                #expect(reply.status == 401 && reply.code == expected && !reply.setsSession)
            }
            let right = try await dana.login(dana.code())
            #expect(right.status == 200 && right.setsSession)
            #expect(right.standing?.member("on") == .bool(true) && right.standing?.member("recoveryCodesLeft") == nil)
            #expect(await dana.entries(.signedIn) == 1)
            #expect(await dana.entries(.secondFactorAdded) == 1)
        }
    }

    @Test func `refuses what is no code of now, and notes it like a wrong password`() async throws {
        try await TestGateway.run { gateway in
            let dana = try await Secured.make(gateway)
            let wrong: [@Sendable () -> String] = [
                { dana.code() == "000000" ? "000001" : "000000" }, { dana.code(-2) }, { dana.code(2) },
                { " \(dana.code())" }, { dana.code() + "0" }, { "zzzz-zzzz-zzzz-zzzz" }, { "zzzz" },
            ]
            for code in wrong {
                dana.rest()
                let reply = try await dana.login(code())
                #expect(reply.status == 401 && reply.code == "second_factor_wrong" && !reply.setsSession)
            }
            let failures = await gateway.brand.accounts.entries.filter { $0.what == .signInFailed }
            #expect(failures.count == 4, "one for each hour")
            #expect(failures.allSatisfy { $0.detail == "second factor" && $0.by == dana.agent.id.rawValue })
        }
    }

    @Test func `accepts each code once, and none that is older than the last`() async throws {
        try await TestGateway.run { gateway in
            let dana = try await Secured.make(gateway)
            let (earlier, now) = (dana.code(-1), dana.code())
            #expect(try await dana.login(earlier).code == "second_factor_wrong", "the set-up used it")
            #expect(try await dana.login(now).status == 200)
            #expect(try await dana.login(now).code == "second_factor_wrong")
            dana.rest()
            #expect(try await dana.login(dana.code()).status == 200)
        }
    }

    @Test func `lets one of two requests in that send the same code at once`() async throws {
        try await TestGateway.run { gateway in
            let dana = try await Secured.make(gateway)
            let code = dana.code()
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<4 { group.addTask { try await dana.login(code).status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.sorted() == [200, 401, 401, 401])
        }
    }

    @Test func `limits the codes that are tried for a person`() async throws {
        try await TestGateway.run { gateway in
            let dana = try await Secured.make(gateway)
            for _ in 1...5 {
                #expect(try await dana.login("zzzz-zzzz-zzzz-zzzz").code == "second_factor_wrong")
                gateway.brand.clock.advance(milliseconds: 12_000)
            }
            let refused = try await dana.login(dana.code())
            #expect(refused.status == 429 && refused.code == "rate_limited" && refused["retry-after"] != nil)
            #expect(try await dana.login(nil).code == "second_factor_required", "that is no try")
            dana.rest()
            #expect(try await dana.login(dana.code()).status == 200)
        }
    }

    @Test func `takes each recovery code once, says how many are left, and notes it`() async throws {
        try await TestGateway.run { gateway in
            let dana = try await Secured.make(gateway)
            #expect(Set(dana.recoveryCodes).count == 10)
            let first = try await dana.login(dana.recoveryCodes[3].uppercased().replacing("-", with: " "))
            #expect(first.status == 200 && first.standing?.member("recoveryCodesLeft") == .integer(9))
            #expect(try await dana.login(dana.recoveryCodes[3]).code == "second_factor_wrong")
            dana.rest()
            #expect(try await dana.login(dana.recoveryCodes[0]).standing?.member("recoveryCodesLeft") == .integer(8))
            let overview = try await gateway.ask("GET", "/v1/second-factor", as: .agent(dana.agent))
            #expect(overview.json["recoveryCodes"] == .integer(8) && overview.json["on"] == .bool(true))
            #expect(await dana.entries(.recoveryCodeUsed) == 2)
            let omar = try await Secured.make(gateway, "omar")
            #expect(try await omar.login(dana.recoveryCodes[5]).code == "second_factor_wrong")
        }
    }

    @Test func `is not replaced by a one-click link, which stays`() async throws {
        let link = SignInLink(account: TestBrand.tulip, email: "dana@tulip.example") {
            Issue.record("the link was used")
            return true
        }
        try await TestGateway.run(signInLink: { _ in link }) { gateway in
            _ = try await Secured.make(gateway)
            let reply = try await gateway.send("POST", "/v1/login/link", #"{"token":"any"}"#)
            #expect(reply.status == 401 && reply.code == "second_factor_required" && reply["set-cookie"] == nil)
        }
    }

    @Test func `is not replaced by a password link: without a code nothing changes`() async throws {
        try await TestGateway.run { gateway in
            let dana = try await Secured.make(gateway)
            let mira = try await gateway.brand.agent("mira", role: .administrator)
            let made = try await gateway.send("POST", "/v1/agents/\(dana.agent.id)/link", as: .agent(mira), "{}")
            guard case .string(let path)? = made.json["link"]?.member("path") else { throw Missing("no link") }
            let token = String(path.split(separator: "/").last ?? "")
            func join(_ code: String?, _ password: String = "a new password") async throws -> Reply {
                let code = code.map { #","code":"\#($0)""# } ?? ""
                return try await gateway.send(
                    "POST", "/v1/join", #"{"token":"\#(token)","password":"\#(password)"\#(code)}"#)
            }
            #expect(try await join(nil).code == "second_factor_required")
            #expect(try await join("zzzz-zzzz-zzzz-zzzz").code == "second_factor_wrong")
            #expect(try await join(dana.code(), "short").code == "out_of_range", "the code is not used up")
            #expect(try await dana.login(nil).code == "second_factor_required", "the old password is still right")
            let joined = try await join(dana.code())
            #expect(joined.status == 200 && joined.setsSession)
            #expect(try await dana.login(nil, password: "a new password").code == "second_factor_required")
        }
    }
}

@Suite struct `Setting up a second factor` {
    @Test func `needs a code of the new secret, and is done once`() async throws {
        try await TestGateway.run { gateway in
            let dana = try await gateway.brand.agent("dana", password: Secured.password)
            let begun = try await gateway.send("POST", "/v1/second-factor/set-up", as: .agent(dana), "{}")
            #expect(begun["cache-control"] == "no-store")
            let (secret, token) = try Secured.setUp(begun)
            let step = OneTimeCode.step(at: gateway.brand.clock.now)
            let right = OneTimeCode.code(of: secret, step: step)
            let wrong = OneTimeCode.code(of: secret, step: step + 2)
            #expect(try await Secured.confirm(gateway, dana, token, wrong).code == "second_factor_wrong")
            let other = try await gateway.brand.agent("omar", password: Secured.password)
            for (who, token) in [(other, token), (dana, "x" + token), (dana, ""), (dana, "AAAA")] {
                let reply = try await Secured.confirm(gateway, who, token, right)
                #expect(reply.status == 400 && reply.code == "bad_request")
            }
            #expect(try await gateway.ask("GET", "/v1/second-factor", as: .agent(dana)).json["on"] == .bool(false))
            #expect(try await Secured.confirm(gateway, dana, token, right).status == 200)
            #expect(try await Secured.confirm(gateway, dana, token, right).code == "bad_request")
            let again = try await gateway.send("POST", "/v1/second-factor/set-up", as: .agent(dana), "{}")
            #expect(again.code == "bad_request")
        }
    }

    @Test(arguments: [(-1, 200), (0, 400)]) func `must be done within 15 minutes`(offset: Int64, status: Int)
        async throws
    {
        try await TestGateway.run { gateway in
            let dana = try await gateway.brand.agent("dana")
            let begun = try await gateway.send("POST", "/v1/second-factor/set-up", as: .agent(dana), "{}")
            let (secret, token) = try Secured.setUp(begun)
            gateway.brand.clock.advance(milliseconds: SecondFactorService.setUpMs + offset)
            let code = OneTimeCode.code(of: secret, step: OneTimeCode.step(at: gateway.brand.clock.now))
            #expect(try await Secured.confirm(gateway, dana, token, code).status == status)
        }
    }

    @Test func `stores nothing that shows the secret or a recovery code`() async throws {
        try await TestGateway.run { gateway in
            let dana = try await Secured.make(gateway)
            let stored = try #require(await gateway.brand.accounts.secondFactor(of: dana.agent.id))
            #expect(stored.sealed.count > dana.secret.count)
            let found = stored.sealed.indices.contains { stored.sealed[$0...].starts(with: dana.secret) }
            #expect(!found)
        }
    }

    @Test func `is undone with the password and a code, and with nothing less`() async throws {
        try await TestGateway.run { gateway in
            let dana = try await Secured.make(gateway)
            #expect(try await dana.turnOff(dana.code(), password: "wrong").code == "login_failed")
            #expect(try await dana.turnOff("zzzz-zzzz-zzzz-zzzz").code == "second_factor_wrong")
            #expect(try await dana.login(nil).code == "second_factor_required")
            #expect(try await dana.turnOff(dana.recoveryCodes[0]).status == 204)
            dana.rest()
            #expect(try await dana.login(nil).status == 200)
            #expect(await dana.entries(.secondFactorRemoved) == 1)
            let again = try await gateway.send("POST", "/v1/second-factor/set-up", as: .agent(dana.agent), "{}")
            #expect(again.status == 200)
        }
    }

    @Test func `is undone by a manager, who ends the person's sessions, but not for the own`() async throws {
        try await TestGateway.run { gateway in
            let dana = try await Secured.make(gateway)
            let mira = try await Secured.make(gateway, "mira", role: .administrator)
            let rival = try await gateway.brand.agent("rival", of: TestBrand.rival, role: .administrator)
            let path = "/v1/agents/\(dana.agent.id)/second-factor"
            for (who, code) in [(dana.agent, "forbidden"), (rival, "not_found")] {
                #expect(try await gateway.send("DELETE", path, as: .agent(who), "{}").code == code)
            }
            let own = "/v1/agents/\(mira.agent.id)/second-factor"
            #expect(try await gateway.send("DELETE", own, as: .agent(mira.agent), "{}").code == "forbidden")
            #expect(
                try await gateway.ask("GET", "/v1/agents", as: .agent(mira.agent)).text.contains(
                    #""secondFactor":true"#))
            #expect(try await !gateway.ask("GET", "/v1/agents", as: .agent(dana.agent)).text.contains("secondFactor"))
            for _ in 1...2 {
                #expect(try await gateway.send("DELETE", path, as: .agent(mira.agent), "{}").status == 204)
            }
            #expect(try await gateway.ask("GET", "/v1/session", as: .agent(dana.agent)).status == 401)
            #expect(try await dana.login(nil).status == 200)
            #expect(await dana.entries(.secondFactorRemoved) == 1)
        }
    }
}

@Suite struct `A brand that requires a second factor` {
    private static func require(_ gateway: TestGateway, _ manager: SignedInAgent, _ isRequired: Bool = true)
        async throws -> Reply
    {
        try await gateway.send(
            "PUT", "/v1/second-factor/rule", as: .agent(manager), #"{"required":\#(isRequired)}"#)
    }

    /// What people of such a brand may use before they have one. A reviewer sees here what is added.
    private static let openBeforeSetUp: Set = [
        "GET /v1/session", "POST /v1/logout", "GET /v1/second-factor", "POST /v1/second-factor/set-up",
        "POST /v1/second-factor",
    ]

    @Test func `opens nothing else to people without one, whatever the route`() async throws {
        try await TestGateway.run { gateway in
            let mira = try await Secured.make(gateway, "mira", role: .administrator)
            let dana = try await gateway.brand.agent("dana", role: .administrator, password: Secured.password)
            #expect(try await Self.require(gateway, mira.agent).status == 200)
            let open = gateway.parts.router.routes.filter(\.opensBeforeSetUp).map(\.title)
            #expect(Set(open) == Self.openBeforeSetUp)
            for route in gateway.parts.router.routes where route.handler.takesAgents && !route.opensBeforeSetUp {
                let reply = try await gateway.ask(
                    route.method.rawValue, route.samplePath(), as: .agent(dana), headers: route.contentType,
                    body: route.sampleBody())
                #expect(reply.status == 403 && reply.code == "second_factor_setup_required", "\(route.title)")
            }
            let session = try await gateway.ask("GET", "/v1/session", as: .agent(dana))
            #expect(
                session.standing?.member("required") == .bool(true) && session.standing?.member("on") == .bool(false))
            let secured = try await Secured.make(gateway, "dana", role: .administrator)
            #expect(try await gateway.ask("GET", "/v1/agents", as: .agent(secured.agent)).status == 200)
            #expect(try await gateway.ask("GET", "/v1/agents", as: .agent(mira.agent)).status == 200)
        }
    }

    @Test func `is made so by a manager who has one, and other brands are not concerned`() async throws {
        try await TestGateway.run { gateway in
            let dana = try await gateway.brand.agent("dana")
            let plain = try await gateway.brand.agent("paula", role: .administrator)
            let rival = try await gateway.brand.agent("rival", of: TestBrand.rival)
            #expect(try await Self.require(gateway, dana).code == "forbidden")
            #expect(try await gateway.ask("GET", "/v1/second-factor/rule", as: .agent(dana)).code == "forbidden")
            #expect(try await Self.require(gateway, plain).code == "second_factor_setup_required")
            #expect(try await gateway.ask("GET", "/v1/agents", as: .agent(dana)).status == 200)
            let mira = try await Secured.make(gateway, "mira", role: .administrator)
            for isRequired in [true, true, false, false] {
                #expect(try await Self.require(gateway, mira.agent, isRequired).status == 200)
                let rule = try await gateway.ask("GET", "/v1/second-factor/rule", as: .agent(mira.agent))
                #expect(rule.json["required"] == .bool(isRequired))
                #expect(try await gateway.ask("GET", "/v1/agents", as: .agent(rival)).status == 200)
                #expect(try await gateway.ask("GET", "/v1/agents", as: .agent(dana)).status == (isRequired ? 403 : 200))
            }
            #expect(await mira.entries(.secondFactorRuleChanged) == 2)
            #expect(try await Self.require(gateway, plain, false).status == 200, "anyone who may can lift it")
        }
    }

    @Test func `takes tickets back that were issued before`() async throws {
        try await TestGateway.run { gateway in
            let mira = try await Secured.make(gateway, "mira", role: .administrator)
            let dana = try await gateway.brand.agent("dana")
            let issued = try await gateway.send("POST", "/v1/tickets", as: .agent(dana), "{}")
            guard case .string(let ticket)? = issued.json["ticket"] else { throw Missing("no ticket") }
            #expect(try await Self.require(gateway, mira.agent).status == 200)
            #expect(throws: Rejection.self) { try gateway.brand.identity.redeem(ticket: ticket) }
            let caller = try await gateway.brand.identity.session(cookie: dana.cookie).caller
            let late = RedeemedTicket(caller: caller, session: nil)
            await #expect(throws: Rejection.self) { try await gateway.brand.identity.confirm(late) }
        }
    }
}
