import EarshotCore
import EarshotModel
import HTTPTypes
import Testing

@testable import EarshotGateway

@Suite struct `A password link` {
    private static let password = "a long password"

    /// A manager, and the token of an invitation.
    private struct Invitation {
        let manager: SignedInAgent
        let agent: String
        let token: String
    }

    private static func token(_ reply: Reply) throws -> String {
        guard case .string(let path)? = reply.json["link"]?.member("path"), let slash = path.lastIndex(of: "/") else {
            throw Missing("no link: \(reply.text)")
        }
        #expect(path.hasPrefix("/workspace/#/join/"))
        return String(path[path.index(after: slash)...])
    }

    private static func invited(_ gateway: TestGateway, role: String = "agent") async throws -> Invitation {
        let manager = try await gateway.brand.agent("mira", role: .administrator)
        let reply = try await gateway.send(
            "POST", "/v1/agents", as: .agent(manager), #"{"email":"New@Tulip.example","name":"New","role":"\#(role)"}"#)
        #expect(reply.status == 200, "\(reply.text)")
        guard case .string(let agent)? = reply.json["agent"]?.member("id") else { throw Missing("no agent") }
        return Invitation(manager: manager, agent: agent, token: try token(reply))
    }

    private static func join(
        _ gateway: TestGateway, _ token: String, password: String = password, name: String? = nil
    ) async throws -> Reply {
        let name = name.map { #","name":"\#($0)""# } ?? ""
        return try await gateway.send("POST", "/v1/join", #"{"token":"\#(token)","password":"\#(password)"\#(name)}"#)
    }

    private static func purpose(_ gateway: TestGateway, _ token: String) async throws -> Reply {
        try await gateway.send("POST", "/v1/join/purpose", #"{"token":"\#(token)"}"#)
    }

    private static func signIn(_ gateway: TestGateway, _ password: String = password) async throws -> Int {
        try await gateway.send(
            "POST", "/v1/login", #"{"account":"tulip","email":"new@tulip.example","password":"\#(password)"}"#
        ).status
    }

    @Test func `lets an invited person in, once, under the name that they chose`() async throws {
        try await TestGateway.run { gateway in
            let invitation = try await Self.invited(gateway)
            for password in ["", Self.password] { #expect(try await Self.signIn(gateway, password) == 401) }
            let purpose = try await Self.purpose(gateway, invitation.token)
            #expect(purpose.json["brand"] == .string("Tulip & Thorn") && purpose.json["invited"] == .bool(true))
            #expect(purpose.json["email"] == .string("new@tulip.example"))
            let joined = try await Self.join(gateway, invitation.token, name: "Nele")
            #expect(joined.status == 200 && joined.json["agent"]?.member("name") == .string("Nele"))
            #expect(joined.headers.contains { $0.name == "set-cookie" && $0.value.hasPrefix("earshot=") })
            #expect(try await Self.signIn(gateway) == 200)
            for reply in [
                try await Self.join(gateway, invitation.token), try await Self.purpose(gateway, invitation.token),
            ] { #expect(reply.status == 404 && reply.code == "link_invalid") }
            let entries = await gateway.brand.accounts.entries.map(\.what)
            #expect(entries.prefix(1) == [.personInvited] && entries.contains(.passwordChanged))
        }
    }

    @Test func `replaces a forgotten password, ends the sessions, and keeps the name`() async throws {
        try await TestGateway.run { gateway in
            let manager = try await gateway.brand.agent("mira", role: .administrator)
            let dana = try await gateway.brand.agent("dana", password: "the old password")
            let reply = try await gateway.send("POST", "/v1/agents/\(dana.id)/link", as: .agent(manager), "{}")
            let token = try Self.token(reply)
            #expect(try await Self.purpose(gateway, token).json["invited"] == .bool(false))
            #expect(try await gateway.ask("GET", "/v1/session", as: .agent(dana)).status == 200)
            let joined = try await Self.join(gateway, token, name: "Other")
            #expect(joined.status == 200 && joined.json["agent"]?.member("name") == .string("dana"))
            #expect(try await gateway.ask("GET", "/v1/session", as: .agent(dana)).status == 401)
        }
    }

    @Test func `works until it ends, is replaced or revoked, or its person may not sign in`() async throws {
        let ways: [@Sendable (TestGateway, Invitation) async throws -> Void] = [
            { gateway, _ in gateway.brand.clock.advance(milliseconds: PasswordLinkService.invitationMs) },
            { gateway, one in
                _ = try await gateway.send("POST", "/v1/agents/\(one.agent)/link", as: .agent(one.manager), "{}")
            },
            { gateway, one in
                for _ in 1...2 {
                    let reply = try await gateway.send(
                        "DELETE", "/v1/agents/\(one.agent)/link", as: .agent(one.manager), "{}")
                    #expect(reply.status == 204)
                }
                #expect(await gateway.brand.accounts.entries.count { $0.what == .linkRevoked } == 1)
            },
            { gateway, one in
                for disabled in [true, false] {
                    _ = try await gateway.send(
                        "PATCH", "/v1/agents/\(one.agent)", as: .agent(one.manager), #"{"disabled":\#(disabled)}"#)
                }
            },
        ]
        for end in ways {
            try await TestGateway.run { gateway in
                let invitation = try await Self.invited(gateway)
                #expect(try await Self.purpose(gateway, invitation.token).status == 200)
                try await end(gateway, invitation)
                #expect(try await Self.join(gateway, invitation.token).code == "link_invalid")
            }
        }
    }

    @Test func `for a forgotten password works for a day`() async throws {
        try await TestGateway.run { gateway in
            let manager = try await gateway.brand.agent("mira", role: .administrator)
            let dana = try await gateway.brand.agent("dana", password: "the old password")
            let reply = try await gateway.send("POST", "/v1/agents/\(dana.id)/link", as: .agent(manager), "{}")
            gateway.brand.clock.advance(milliseconds: PasswordLinkService.forgottenMs - 1)
            #expect(try await Self.purpose(gateway, try Self.token(reply)).status == 200)
            gateway.brand.clock.advance(milliseconds: 1)
            #expect(try await Self.purpose(gateway, try Self.token(reply)).code == "link_invalid")
        }
    }

    @Test(arguments: ["", "x", String(repeating: "x", count: 64)])
    func `is refused alike when it was never issued`(token: String) async throws {
        try await TestGateway.run { gateway in
            _ = try await Self.invited(gateway)
            #expect(try await Self.purpose(gateway, token).code == "link_invalid")
            #expect(try await Self.join(gateway, token).code == "link_invalid")
        }
    }

    @Test func `stays good after a password or a name that is refused`() async throws {
        try await TestGateway.run { gateway in
            let invitation = try await Self.invited(gateway)
            for (password, name, code) in [
                ("short", nil, "out_of_range"), (String(repeating: "x", count: 257), nil, "out_of_range"),
                (Self.password, " ", "bad_request"), (Self.password, String(repeating: "x", count: 101), "bad_request"),
            ] {
                #expect(
                    try await Self.join(gateway, invitation.token, password: password, name: name).code == code)
            }
            #expect(try await Self.join(gateway, invitation.token).status == 200)
        }
    }

    @Test(arguments: [
        (#"{"email":"nobody","name":"New","role":"agent"}"#, "bad_request"),
        (#"{"email":"a@b@c","name":"New","role":"agent"}"#, "bad_request"),
        (#"{"email":"a@b","name":" ","role":"agent"}"#, "bad_request"),
        (#"{"email":"a@b","name":"New","role":"consumer"}"#, "bad_request"),
        (#"{"email":"a@b","name":"New","role":"owner"}"#, "bad_request"),
        (#"{"email":"MIRA@tulip.example","name":"New","role":"agent"}"#, "address_taken"),
    ]) func `is not made for impossible people`(body: String, code: String) async throws {
        try await TestGateway.run { gateway in
            let manager = try await gateway.brand.agent("mira", role: .administrator)
            #expect(try await gateway.send("POST", "/v1/agents", as: .agent(manager), body).code == code)
            #expect(await gateway.brand.accounts.entries.isEmpty)
        }
    }

    @Test func `is made and revoked by managers of the same brand only`() async throws {
        try await TestGateway.run { gateway in
            let dana = try await gateway.brand.agent("dana")
            let rival = try await gateway.brand.agent("eva", of: TestBrand.rival, role: .administrator)
            let body = #"{"email":"a@b","name":"New","role":"manager"}"#
            #expect(try await gateway.send("POST", "/v1/agents", as: .agent(dana), body).code == "forbidden")
            for method in ["POST", "DELETE"] {
                let path = "/v1/agents/\(dana.id)/link"
                #expect(try await gateway.send(method, path, as: .agent(dana), "{}").code == "forbidden")
                #expect(try await gateway.send(method, path, as: .agent(rival), "{}").code == "not_found")
            }
            #expect(await gateway.brand.accounts.entries.isEmpty)
        }
    }

    @Test func `is refused for a person who may not sign in, and while the brand is suspended`() async throws {
        try await TestGateway.run { gateway in
            let invitation = try await Self.invited(gateway)
            let dana = try await gateway.brand.agent("dana")
            _ = try await gateway.send(
                "PATCH", "/v1/agents/\(dana.id)", as: .agent(invitation.manager), #"{"disabled":true}"#)
            let refused = try await gateway.send(
                "POST", "/v1/agents/\(dana.id)/link", as: .agent(invitation.manager), "{}")
            #expect(refused.status == 400)
            await gateway.brand.accounts.suspend(
                TestBrand.tulip, true,
                audit: AuditEntry(
                    account: TestBrand.tulip, at: gateway.brand.clock.now, by: "operator", what: .brandSuspended))
            try await gateway.brand.identity.refreshSuspensions()
            #expect(try await Self.join(gateway, invitation.token).code == "suspended")
        }
    }

    @Test func `does not make its person an administrator who can be left alone before it is used`() async throws {
        try await TestGateway.run { gateway in
            let invitation = try await Self.invited(gateway, role: "administrator")
            let change = { (body: String) in
                try await gateway.send(
                    "PATCH", "/v1/agents/\(invitation.manager.id)", as: .agent(invitation.manager), body)
            }
            #expect(try await change(#"{"role":"agent"}"#).code == "last_administrator")
            #expect(try await Self.join(gateway, invitation.token).status == 200)
            #expect(try await change(#"{"role":"agent"}"#).status == 200)
        }
    }

    @Test func `shows who is invited to managers only`() async throws {
        try await TestGateway.run { gateway in
            let invitation = try await Self.invited(gateway)
            let dana = try await gateway.brand.agent("dana")
            let forManager = try await gateway.ask("GET", "/v1/agents", as: .cookieOnly(invitation.manager)).text
            #expect(forManager.contains(#""invited":true"#) && forManager.contains(#""linkEnds":"#))
            let forAgent = try await gateway.ask("GET", "/v1/agents", as: .cookieOnly(dana)).text
            #expect(!forAgent.contains("New") && !forAgent.contains("linkEnds"))
            #expect(!forManager.contains(invitation.token))
        }
    }
}
