import EarshotCore
import EarshotModel
import HTTPTypes
import Testing

@testable import EarshotGateway

@Suite struct `Profiles and groups` {
    private static let observer = #"{"name":"Observer","permissions":["conversations.all","history.search"]}"#

    private static func make(_ gateway: TestGateway, as manager: SignedInAgent, _ body: String = observer)
        async throws -> String
    {
        let reply = try await gateway.send("POST", "/v1/profiles", as: .agent(manager), body)
        return try #require(reply.json["profile"]?["id"]?.text, "\(reply.text)")
    }

    @Test func `are made, listed after the built-in ones, changed and removed by managers, each with an entry`()
        async throws
    {
        try await TestGateway.run { gateway in
            let mona = try await gateway.brand.agent("mona", role: .administrator)
            let id = try await Self.make(gateway, as: mona)
            let list = try await gateway.ask("GET", "/v1/profiles", as: .agent(mona)).text
            for part in [#""id":"agent""#, #""id":"manager""#, #""builtIn":true"#, "Observer", "conversations.read"] {
                #expect(list.contains(part), "\(list)")
            }
            let changed = try await gateway.send(
                "PUT", "/v1/profiles/\(id)", as: .agent(mona), #"{"name":"Night","permissions":[]}"#)
            #expect(changed.status == 200)
            let stored = try #require(await gateway.brand.accounts.profiles(of: TestBrand.tulip).first)
            #expect(stored.name == "Night" && stored.permissions == [.readConversations])
            #expect(try await gateway.send("DELETE", "/v1/profiles/\(id)", as: .agent(mona), "{}").status == 204)
            #expect(try await gateway.send("DELETE", "/v1/profiles/\(id)", as: .agent(mona), "{}").status == 404)
            for builtIn in ["agent", "manager"] {
                for (method, body) in [("PUT", Self.observer), ("DELETE", "{}")] {
                    let reply = try await gateway.send(method, "/v1/profiles/\(builtIn)", as: .agent(mona), body)
                    #expect(reply.status == 404, "\(method) \(builtIn)")
                }
            }
            let details = await gateway.brand.accounts.entries.filter { $0.what == .profileChanged }.map(\.detail)
            #expect(details.map { $0?.prefix { $0 != " " } } == ["made", "changed", "removed"])
        }
    }

    @Test(arguments: [
        (#"{"name":"","permissions":[]}"#, 400), (#"{"name":" ","permissions":[]}"#, 400),
        (#"{"name":"NAME59","permissions":[]}"#, 200), (#"{"name":"NAME60","permissions":[]}"#, 200),
        (#"{"name":"NAME61","permissions":[]}"#, 400), (#"{"name":"a\nb","permissions":[]}"#, 400),
        (#"{"name":"a","permissions":["unknown"]}"#, 400), (#"{"name":"a","permissions":["people.change"]}"#, 400),
        (#"{"name":"a","permissions":["keys.manage"]}"#, 400), (#"{"name":"a","permissions":["audit.read"]}"#, 400),
        (#"{"name":"a","permissions":["audit.read","conversations.all"]}"#, 200),
    ])
    func `need a name of one line, and permissions that a made profile may have`(body: String, status: Int)
        async throws
    {
        try await TestGateway.run { gateway in
            let mona = try await gateway.brand.agent("mona", role: .administrator)
            let body = [59, 60, 61].reduce(body) {
                $0.replacing("NAME\($1)", with: String(repeating: "ü", count: $1))
            }
            let reply = try await gateway.send("POST", "/v1/profiles", as: .agent(mona), body)
            #expect(reply.status == status, "\(body): \(reply.text)")
        }
    }

    @Test func `are at most fifty of each for a brand`() async throws {
        try await TestGateway.run { gateway in
            let mona = try await gateway.brand.agent("mona", role: .administrator)
            for (path, body) in [
                ("/v1/profiles", Self.observer), ("/v1/groups", #"{"name":"G","skills":[],"people":[]}"#),
            ] {
                var statuses: [Int] = []
                for _ in 0..<51 {
                    statuses.append(try await gateway.send("POST", path, as: .agent(mona), body).status)
                }
                #expect(statuses.dropLast().allSatisfy { $0 == 200 } && statuses.last == 422, "\(path)")
            }
        }
    }

    @Test func `are for those who may change people, and of another brand they do not exist`() async throws {
        try await TestGateway.run { gateway in
            let (dana, mona) = (
                try await gateway.brand.agent("dana"), try await gateway.brand.agent("mona", role: .administrator)
            )
            let rival = try await gateway.brand.agent("rita", of: TestBrand.rival, role: .administrator)
            let id = try await Self.make(gateway, as: mona)
            for (method, path, body) in [
                ("POST", "/v1/profiles", Self.observer), ("PUT", "/v1/profiles/\(id)", Self.observer),
                ("DELETE", "/v1/profiles/\(id)", "{}"),
                ("POST", "/v1/groups", #"{"name":"G","skills":[],"people":[]}"#),
            ] {
                let refused = try await gateway.send(method, path, as: .agent(dana), body)
                #expect(refused.status == 403 && refused.code == "forbidden", "\(method) \(path)")
                guard path.contains(id) else { continue }
                #expect(try await gateway.send(method, path, as: .agent(rival), body).status == 404, "\(method)")
            }
            for path in ["/v1/profiles", "/v1/groups"] {
                #expect(try await gateway.ask("GET", path, as: .agent(dana)).status == 403)
            }
            let given = try await gateway.send(
                "PATCH", "/v1/agents/\(rival.id)", as: .agent(rival), #"{"profile":"\#(id)"}"#)
            #expect(given.status == 400, "a profile of another brand is none")
        }
    }

    @Test func `decide at once what their people may do`() async throws {
        try await TestGateway.run { gateway in
            let (dana, mona) = (
                try await gateway.brand.agent("dana"), try await gateway.brand.agent("mona", role: .administrator)
            )
            func mayBlock() async throws -> Int {
                let visitor = try await gateway.brand.consumer()
                let path = "/v1/conversations/\(visitor.conversation)/block"
                return try await gateway.send("PUT", path, as: .agent(dana), #"{"blocked":true}"#).status
            }
            func permissions() async throws -> String {
                try await gateway.ask("GET", "/v1/session", as: .agent(dana)).text
            }
            #expect(try await mayBlock() < 300)
            let id = try await Self.make(gateway, as: mona)
            let give = #"{"profile":"\#(id)"}"#
            #expect(
                try await gateway.send("PATCH", "/v1/agents/\(dana.id)", as: .agent(mona), give).status == 200)
            #expect(try await mayBlock() == 403)
            #expect(try await !permissions().contains("consumers.block"))
            let wider = Self.observer.replacing("[", with: #"["consumers.block","#)
            #expect(try await gateway.send("PUT", "/v1/profiles/\(id)", as: .agent(mona), wider).status == 200)
            #expect(try await mayBlock() < 300)
            let inUse = try await gateway.send("DELETE", "/v1/profiles/\(id)", as: .agent(mona), "{}")
            #expect(inUse.status == 400, "someone has it")
            for (path, profile) in [(dana.id, "built-in"), (dana.id, "unknown"), (mona.id, id)] {
                let reply = try await gateway.send(
                    "PATCH", "/v1/agents/\(path)", as: .agent(mona), #"{"profile":"\#(profile)"}"#)
                let expected = ["built-in": 200, "unknown": 400, id: 409][profile]
                #expect(reply.status == expected, "\(profile): \(reply.text)")
            }
            #expect(try await permissions().contains("conversations.all"))
            #expect(try await gateway.send("DELETE", "/v1/profiles/\(id)", as: .agent(mona), "{}").status == 204)
        }
    }

    @Test func `allow nothing to somebody whose profile is gone`() async throws {
        try await TestGateway.run { gateway in
            let dana = try await gateway.brand.agent("dana")
            var row = try #require(try await gateway.brand.accounts.agent(dana.id))
            row.profile = ProfileID(trusted: "gone")
            await gateway.brand.accounts.save(row)
            #expect(try await gateway.ask("GET", "/v1/search", as: .agent(dana)).status == 403)
            #expect(try await gateway.ask("GET", "/v1/views", as: .agent(dana)).status == 403)
        }
    }

    @Test(arguments: [
        (#"{"name":"North","skills":["general"],"people":["agent-dana-tulip"]}"#, 200, ""),
        (#"{"name":"","skills":[],"people":[]}"#, 400, "bad_request"),
        (#"{"name":"NAME60","skills":[],"people":[]}"#, 200, ""),
        (#"{"name":"NAME61","skills":[],"people":[]}"#, 400, "bad_request"),
        (#"{"name":"a","skills":["nowhere"],"people":[]}"#, 422, "unknown_skill"),
        (#"{"name":"a","skills":[],"people":["agent-rita-rival"]}"#, 422, "unknown_agent"),
        (#"{"name":"a","skills":["no id"],"people":[]}"#, 400, "bad_request"),
        (#"{"name":"a","skills":[],"people":PEOPLE99}"#, 422, "unknown_agent"),
        (#"{"name":"a","skills":[],"people":PEOPLE100}"#, 422, "unknown_agent"),
        (#"{"name":"a","skills":[],"people":PEOPLE101}"#, 422, "out_of_range"),
        (#"{"name":"a","skills":PEOPLE50,"people":[]}"#, 422, "unknown_skill"),
        (#"{"name":"a","skills":PEOPLE51,"people":[]}"#, 422, "out_of_range"),
    ])
    func `of people have a name, known skills and known people`(body: String, status: Int, code: String) async throws {
        try await TestGateway.run { gateway in
            let mona = try await gateway.brand.agent("mona", role: .administrator)
            _ = try await gateway.brand.agent("dana")
            _ = try await gateway.brand.agent("rita", of: TestBrand.rival)
            var body = body
            for count in [60, 61] {
                body = body.replacing("NAME\(count)", with: String(repeating: "ü", count: count))
            }
            for count in [100, 101, 99, 50, 51] {
                let list = (0..<count).map { "\"p\($0)\"" }.joined(separator: ",")
                body = body.replacing("PEOPLE\(count)", with: "[\(list)]")
            }
            let reply = try await gateway.send("POST", "/v1/groups", as: .agent(mona), body)
            #expect(reply.status == status && (reply.code ?? "") == code, "\(reply.text)")
            guard status == 200, let id = reply.json["group"]?["id"]?.text else { return }
            #expect(try await gateway.send("PUT", "/v1/groups/\(id)", as: .agent(mona), body).status == 200)
            #expect(try await gateway.ask("GET", "/v1/groups", as: .agent(mona)).text.contains(id))
            #expect(try await gateway.send("DELETE", "/v1/groups/\(id)", as: .agent(mona), "{}").status == 204)
            #expect(try await gateway.send("PUT", "/v1/groups/\(id)", as: .agent(mona), body).status == 404)
        }
    }
}
