import EarshotCore
import EarshotModel
import Testing

@testable import EarshotGateway

@Suite struct `Settings` {
    private static func change(_ gateway: TestGateway, _ agent: SignedInAgent, _ audio: String) async throws -> Reply {
        try await gateway.ask(
            "PATCH", "/v1/settings", as: .agent(agent), headers: [("content-type", "application/json")],
            body: Array(#"{"audio":\#(audio)}"#.utf8))
    }

    @Test(arguments: [
        (#"{"cardNumbers":"kept"}"#, 200), (#"{"cardNumbers":"hidden"}"#, 400), (#"{"cardNumbers":true}"#, 400),
        ("{}", 400), (#"{"cardNumbers":null}"#, 400), (#"{"audio":{"keep":3},"cardNumbers":"kept"}"#, 200),
    ])
    func `say what happens to card numbers`(body: String, status: Int) async throws {
        try await TestGateway.run { gateway in
            let mona = try await gateway.brand.agent("mona", role: .administrator)
            let reply = try await gateway.ask(
                "PATCH", "/v1/settings", as: .agent(mona), headers: [("content-type", "application/json")],
                body: Array(body.utf8))
            #expect(reply.status == status)
            let settings = try await gateway.ask("GET", "/v1/settings", as: .cookieOnly(mona))
            #expect(settings.json["cardNumbers"] == .string(status == 200 ? "kept" : "masked"))
        }
    }

    @Test(
        arguments: [
            (#"{"days":-1}"#, 422), (#"{"days":0}"#, 200), (#"{"days":400}"#, 200), (#"{"days":401}"#, 422),
            (#"{"days":"30"}"#, 400), (#"{"closed":false}"#, 200), (#"{"days":30,"closed":false}"#, 200),
            (#"{"months":1}"#, 400),
        ])
    func `say what consumers see of their history`(history: String, status: Int) async throws {
        try await TestGateway.run { gateway in
            let mona = try await gateway.brand.agent("mona", role: .administrator)
            let reply = try await gateway.ask(
                "PATCH", "/v1/settings", as: .agent(mona), headers: [("content-type", "application/json")],
                body: Array(#"{"history":\#(history)}"#.utf8))
            #expect(reply.status == status, "\(reply.text)")
            let stored = try await gateway.brand.settings.settings(of: TestBrand.tulip).history
            #expect((stored == AccountSettings.History()) == (status != 200 || history == #"{"days":0}"#))
        }
    }

    @Test func `are read by everyone of the brand, and changed by those who may`() async throws {
        try await TestGateway.run { gateway in
            let (dana, mona) = (
                try await gateway.brand.agent("dana"), try await gateway.brand.agent("mona", role: .administrator)
            )
            let before = try await gateway.ask("GET", "/v1/settings", as: .cookieOnly(dana))
            #expect(
                before.text.sortedJSON
                    == #"""
                    {"v":1,"audio":{"enabled":true,"consumers":true,"agents":true,"managers":true,\#
                    "channels":{"web":true},"maxSeconds":120,"keep":20,"originals":false},\#
                    "cardNumbers":"masked","history":{"days":0,"closed":true},\#
                    "calls":{"voice":false,"video":false,"requests":false}}
                    """#
                    .sortedJSON)
            let refused = try await Self.change(gateway, dana, #"{"enabled":false}"#)
            #expect(refused.status == 403)
            #expect(refused.code == "forbidden")
            let changed = try await Self.change(
                gateway, mona, #"{"maxSeconds":15,"keep":0,"channels":{"web":false},"originals":true}"#)
            #expect(changed.status == 200)
            #expect(changed.json["v"] == .integer(2))
            #expect(
                try await gateway.ask("GET", "/v1/settings", as: .cookieOnly(dana)).text.sortedJSON
                    == changed.text.sortedJSON)
            let entries = await gateway.brand.accounts.entries
            #expect(entries.map(\.what) == [.settingsChanged], "a refused change leaves no entry")
            #expect(entries.first?.by == mona.id.rawValue)
            #expect(entries.first?.detail == "channels.web=false maxSeconds=15 keep=0 originals=true")
        }
    }

    @Test(
        arguments: [
            (#"{"maxSeconds":14}"#, 15), (#"{"maxSeconds":15}"#, nil), (#"{"maxSeconds":120}"#, nil),
            (#"{"maxSeconds":121}"#, 120),
            (#"{"keep":-1}"#, 0), (#"{"keep":0}"#, nil), (#"{"keep":100}"#, nil), (#"{"keep":101}"#, 100),
            (#"{"maxSeconds":-1,"keep":5}"#, 15),
        ] as [(String, Int?)])
    func `outside of what is possible are refused with the bound, and logged`(audio: String, bound: Int?) async throws {
        let log = TestLog()
        try await TestGateway.run(logger: log.logger) { gateway in
            let mona = try await gateway.brand.agent("mona", role: .administrator)
            let reply = try await Self.change(gateway, mona, audio)
            #expect(reply.status == (bound == nil ? 200 : 422))
            guard let bound else { return }
            #expect(reply.code == "setting_out_of_range")
            guard case .object(let error)? = reply.json["error"] else { return #expect(Bool(false)) }
            #expect(error["limit"] == .integer(bound))
            #expect(error["at"] == .string(audio.contains("maxSeconds") ? "audio.maxSeconds" : "audio.keep"))
            #expect(log.text.contains("out of range") && log.text.contains("tulip"))
            #expect(try await gateway.brand.settings.settings(of: TestBrand.tulip).version == 1)
        }
    }

    @Test func `know no other channel`() async throws {
        try await TestGateway.run { gateway in
            let mona = try await gateway.brand.agent("mona", role: .administrator)
            for name in ["smoke", "unknown", ""] {
                #expect(try await Self.change(gateway, mona, #"{"channels":{"\#(name)":true}}"#).status == 400)
            }
        }
    }

    @Test(arguments: [
        ("enabled", [true, true, true]), ("consumers", [true, false, false]), ("agents", [false, true, false]),
        ("managers", [false, false, true]),
    ])
    func `switch voice messages off for whom they say, at once`(name: String, isOff: [Bool]) async throws {
        try await TestGateway.run { gateway in
            let consumer = try await gateway.brand.consumer()
            let (dana, mona) = (
                try await gateway.brand.agent("dana"), try await gateway.brand.agent("mona", role: .administrator)
            )
            let callers = [Credentials.consumer(consumer.token), .agent(dana), .agent(mona)]
            var uploads: [String] = []
            for (index, caller) in callers.enumerated() {
                let reply = try await gateway.begin("draft\(index)", in: consumer.conversation, as: caller)
                #expect(reply.status == 201)
                uploads.append(reply.json.text("upload") ?? "")
            }
            #expect(try await Self.change(gateway, mona, #"{"\#(name)":false}"#).status == 200)
            for (index, caller) in callers.enumerated() {
                let wanted = isOff[index] ? 403 : 200
                let begun = try await gateway.begin("draft\(index)", in: consumer.conversation, as: caller)
                #expect(begun.status == wanted)
                if isOff[index] { #expect(begun.code == "audio_off") }
                let appended = try await gateway.ask(
                    "PATCH", "/v1/uploads/\(uploads[index])?offset=0", as: caller,
                    headers: [("content-type", "application/octet-stream")], body: [1])
                #expect(appended.status == wanted)
                let finished = try await gateway.ask(
                    "POST", "/v1/uploads/\(uploads[index])/finish", as: caller,
                    headers: [("content-type", "application/json")],
                    body: Array(#"{"bytes":1}"#.utf8))
                #expect(finished.status == wanted)
            }
        }
    }

    @Test func `come with the sign-in, as they apply`() async throws {
        try await TestGateway.run { gateway in
            let (dana, mona) = (
                try await gateway.brand.agent("dana"), try await gateway.brand.agent("mona", role: .administrator)
            )
            let consumer = try await gateway.brand.consumer()
            _ = try await Self.change(gateway, mona, #"{"maxSeconds":30,"agents":false}"#)
            let back = try await gateway.ask(
                "POST", "/v1/consumers/me", as: .consumer(consumer.token),
                headers: [("content-type", "application/json")])
            #expect(
                back.json["settings"]
                    == .object([
                        "v": .integer(2),
                        "audio": .object(["on": .bool(true), "ms": .integer(30_000), "keep": .integer(20)]),
                    ]))
            let session = try await gateway.ask("GET", "/v1/session", as: .cookieOnly(dana))
            #expect(
                session.json["settings"]
                    == .object([
                        "v": .integer(2),
                        "audio": .object([
                            "on": .bool(false), "why": .string("role"), "ms": .integer(120_000), "keep": .integer(20),
                        ]),
                    ]))
        }
    }
}

@Suite struct `The audit log` {
    @Test func `is read by those who may, newest first, page by page, of their own brand`() async throws {
        try await TestGateway.run { gateway in
            let (dana, mona) = (
                try await gateway.brand.agent("dana"), try await gateway.brand.agent("mona", role: .administrator)
            )
            let eva = try await gateway.brand.agent("eva", of: TestBrand.rival, role: .administrator)
            for seconds in 20..<25 {
                var patch = AudioSettingsPatch()
                patch.maxSeconds = seconds
                _ = try await gateway.brand.settings.change(
                    SettingsPatch(audio: patch), of: TestBrand.tulip, by: "test")
            }
            #expect(try await gateway.ask("GET", "/v1/audit", as: .cookieOnly(dana)).status == 403)
            #expect(
                try await gateway.ask("GET", "/v1/audit", as: .cookieOnly(eva)).json == [
                    "entries": .array([]), "more": .bool(false),
                ])
            let first = try await gateway.ask("GET", "/v1/audit?limit=2", as: .cookieOnly(mona))
            #expect(
                first.text.contains("maxSeconds=24") && first.text.contains("maxSeconds=23")
                    && !first.text.contains("maxSeconds=22"))
            #expect(first.json["more"] == .bool(true))
            let rest = try await gateway.ask("GET", "/v1/audit?before=2&limit=200", as: .cookieOnly(mona))
            #expect(rest.text.contains("maxSeconds=20") && !rest.text.contains("maxSeconds=21"))
            #expect(rest.json["more"] == .bool(false))
            for query in [
                "before=0", "before=-1", "before=x", "limit=0", "limit=201", "limit=1e3", "before=99999999999999999999",
            ] {
                #expect(
                    try await gateway.ask("GET", "/v1/audit?\(query)", as: .cookieOnly(mona)).status == 400, "\(query)")
            }
        }
    }
}

extension TestGateway {
    fileprivate func begin(_ draft: String, in conversation: ConversationID, as caller: Credentials) async throws
        -> Reply
    {
        try await ask(
            "POST", "/v1/uploads", as: caller, headers: [("content-type", "application/json")],
            body: Array(#"{"conversation":"\#(conversation)","draft":"\#(draft)"}"#.utf8))
    }
}

extension String {
    /// The same JSON with its members in one order.
    fileprivate var sortedJSON: String {
        guard case .object(let members)? = try? StrictJSON.parse(Array(utf8)) else { return self }
        return "\(members.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.sorted)" })"
    }
}

extension JSONValue {
    fileprivate var sorted: String {
        guard case .object(let members) = self else { return "\(self)" }
        return "\(members.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.sorted)" })"
    }
}
