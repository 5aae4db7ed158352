import EarshotCore
import EarshotModel
import Testing

@testable import EarshotGateway

@Suite struct `The contact centre's settings` {
    private static func put(
        _ gateway: TestGateway, _ agent: SignedInAgent, _ section: String, _ value: String, v: Int = 1
    ) async throws -> Reply {
        try await gateway.send("PUT", "/v1/centre/\(section)", #"{"v":\#(v),"value":\#(value)}"#, agent)
    }

    private static let survey =
        #"{"on":true,"csat":true,"nps":false,"words":true,"question":"How was it?","openSeconds":3600}"#
    private static let otherSurvey =
        #"{"on":false,"csat":true,"nps":true,"words":true,"question":"And?","openSeconds":60}"#

    @Test func `are read by everyone of the brand, and changed and traced by managers only`() async throws {
        try await TestGateway.run { gateway in
            let (dana, mona) = (
                try await gateway.brand.agent("dana"), try await gateway.brand.agent("mona", role: .administrator)
            )
            let before = try await gateway.ask("GET", "/v1/centre", as: .cookieOnly(dana))
            #expect(before.status == 200 && before.json["v"] == .integer(1))
            let refused = [
                try await Self.put(gateway, dana, "survey", Self.survey),
                try await gateway.send("POST", "/v1/centre/undo", #"{"v":2}"#, dana),
                try await gateway.send("POST", "/v1/centre/try", "{}", dana),
                try await gateway.ask("GET", "/v1/centre/history", as: .cookieOnly(dana)),
                try await gateway.ask("GET", "/v1/centre/history/2", as: .cookieOnly(dana)),
            ]
            #expect(refused.map(\.status) == [403, 403, 403, 403, 403])
            #expect(refused.allSatisfy { $0.code == "forbidden" })
            #expect(await gateway.brand.accounts.entries.isEmpty, "what was refused leaves no entry")
            let changed = try await Self.put(gateway, mona, "survey", Self.survey)
            #expect(changed.status == 200 && changed.json["v"] == .integer(2))
            #expect(JSONValue.object(changed.json).member("survey", "question") == .string("How was it?"))
            #expect(try await gateway.ask("GET", "/v1/centre", as: .cookieOnly(dana)).json == changed.json)
            #expect(await gateway.brand.accounts.entries.map(\.what) == [.centreChanged])
        }
    }

    @Test func `are stale where the same section changed since, but not where another did`() async throws {
        try await TestGateway.run { gateway in
            let mona = try await gateway.brand.agent("mona", role: .administrator)
            #expect(try await Self.put(gateway, mona, "survey", Self.survey).status == 200)
            let stale = try await Self.put(gateway, mona, "survey", Self.otherSurvey)
            #expect(stale.status == 409 && stale.code == "stale")
            #expect(
                try await Self.put(gateway, mona, "wrapUp", #"{"dispositions":[],"tags":["vip"],"attributes":[]}"#)
                    .status == 200)
            #expect(try await Self.put(gateway, mona, "survey", Self.otherSurvey, v: 3).status == 200)
        }
    }

    @Test func `have a history, and a change can be undone unless a later one depends on it`() async throws {
        try await TestGateway.run { gateway in
            let mona = try await gateway.brand.agent("mona", role: .administrator)
            _ = try await Self.put(gateway, mona, "survey", Self.survey)
            _ = try await Self.put(gateway, mona, "survey", Self.otherSurvey, v: 2)
            let tooLate = try await gateway.send("POST", "/v1/centre/undo", #"{"v":2}"#, mona)
            #expect(tooLate.status == 409 && tooLate.code == "stale")
            let undone = try await gateway.send("POST", "/v1/centre/undo", #"{"v":3}"#, mona)
            #expect(
                undone.json["v"] == .integer(4)
                    && JSONValue.object(undone.json).member("survey", "question") == .string("How was it?"))
            let tooMany = try await gateway.ask("GET", "/v1/centre/history?limit=201", as: .cookieOnly(mona))
            #expect(tooMany.status == 400 && tooMany.code == "bad_request")
            let history = try await gateway.ask("GET", "/v1/centre/history?limit=2", as: .cookieOnly(mona))
            guard case .array(let lines)? = history.json["revisions"], lines.count == 2 else {
                return #expect(Bool(false), "\(history.text)")
            }
            #expect(history.json["more"] == .bool(true))
            #expect(
                lines[0].member("v") == .integer(4) && lines[0].member("undoes") == .integer(3)
                    && lines[0].member("byName") == .string("mona"))
            let one = try await gateway.ask("GET", "/v1/centre/history/3", as: .cookieOnly(mona))
            #expect(
                JSONValue.object(one.json).member("before", "question") == .string("How was it?")
                    && JSONValue.object(one.json).member("after", "question") == .string("And?"))
            #expect(try await gateway.send("POST", "/v1/centre/undo", #"{"v":99}"#, mona).status == 404)
            #expect(try await gateway.ask("GET", "/v1/centre/history/99", as: .cookieOnly(mona)).status == 404)
            #expect(try await gateway.ask("GET", "/v1/centre/history?before=x", as: .cookieOnly(mona)).status == 400)
        }
    }

    @Test(arguments: [
        ("nonsense", "{}", 404, "not_found", ""), ("survey", "{}", 400, "bad_request", "survey."),
        ("survey", "[]", 400, "bad_request", "survey"),
        ("survey", survey.replacing("3600", with: "59"), 422, "out_of_range", "survey.openSeconds"),
        (
            "survey", survey.replacing("\"nps\":false", with: "\"nps\":false,\"extra\":1"), 400, "unknown_field",
            "survey.extra"
        ),
        ("people", #"[{"agent":"nobody","skills":[],"capacity":3}]"#, 422, "unknown_agent", "people[0].agent"),
        (
            "people", #"[{"agent":"agent-mona-tulip","skills":["general"],"capacity":51}]"#, 422, "out_of_range",
            "people[0].capacity"
        ),
        (
            "rules", #"[{"id":"a","name":"A","on":true,"conditions":[],"skill":"gone","urgent":false}]"#, 422,
            "unknown_skill", "rules[0].skill"
        ),
        (
            "hours", #"[{"id":"h","name":"H","zone":"Mars/Base","week":[],"holidays":[]}]"#, 400, "bad_request",
            "hours[0].zone"
        ),
        (
            "hours",
            #"[{"id":"h","name":"H","zone":"Europe/Berlin","week":[{"day":1,"from":600,"to":600}],"holidays":[]}]"#,
            400, "bad_request",
            "hours[0].week[0]"
        ),
        (
            "hours",
            #"""
            [{"id":"h","name":"H","zone":"Europe/Berlin","week":[],\#
            "holidays":[{"date":"2026-02-30","name":"N","open":[]}]}]
            """#,
            400,
            "bad_request", "hours[0].holidays[0].date"
        ),
        (
            "automatic", #"[{"id":"a","on":"welcome","enabled":true,"text":"Hi {nobody}"}]"#, 400, "bad_request",
            "automatic[0].text"
        ),
        (
            "automatic", #"[{"id":"a","on":"queued","enabled":true,"text":"Hi","afterSeconds":14}]"#, 422,
            "out_of_range", "automatic[0].afterSeconds"
        ),
        (
            "automatic", #"[{"id":"a","on":"queued","enabled":true,"text":"Hi"}]"#, 400, "bad_request",
            "automatic[0].afterSeconds"
        ),
        (
            "canned", #"[{"id":"a","shortcut":"two words","title":"T","text":"x"}]"#, 400, "bad_request",
            "canned[0].shortcut"
        ),
        ("skills", "[]", 422, "out_of_range", "skills"),
    ])
    func `that cannot be are refused with the field's name`(
        section: String, value: String, status: Int, code: String, field: String
    ) async throws {
        try await TestGateway.run { gateway in
            let mona = try await gateway.brand.agent("mona", role: .administrator)
            let reply = try await Self.put(gateway, mona, section, value)
            #expect(reply.status == status && reply.code == code, "\(reply.text)")
            let checked = try await Self.put(gateway, mona, section + "?validate=1", value)
            #expect(checked.status == status && checked.code == code, "\(checked.text)")
            #expect(checked.text.contains(field), "\(checked.text)")
            #expect(reply.text.contains(field), "\(reply.text)")
            for answer in [reply, checked] {
                let named = JSONValue.object(answer.json).member("error", "at")
                if case .string(let path)? = named { #expect(path.hasPrefix(field), "\(answer.text)") }
                #expect(
                    (named == nil) == field.isEmpty, "a program needs no sentence to find the field: \(answer.text)")
            }
            #expect(try await gateway.ask("GET", "/v1/centre", as: .cookieOnly(mona)).json["v"] == .integer(1))
        }
    }

    @Test func `can be checked without being stored`() async throws {
        try await TestGateway.run { gateway in
            let (dana, mona) = (
                try await gateway.brand.agent("dana"), try await gateway.brand.agent("mona", role: .administrator)
            )
            #expect(try await Self.put(gateway, dana, "survey?validate=1", Self.survey).code == "forbidden")
            #expect(try await Self.put(gateway, mona, "survey?validate=1", Self.survey).status == 204)
            #expect(try await gateway.ask("GET", "/v1/centre", as: .cookieOnly(mona)).json["v"] == .integer(1))
            #expect(await gateway.brand.accounts.entries.isEmpty, "a check leaves no entry")
            #expect(try await Self.put(gateway, mona, "survey", Self.survey).status == 200)
            let stale = try await Self.put(gateway, mona, "survey?validate=1", Self.otherSurvey)
            #expect(stale.status == 409 && stale.code == "stale")
            #expect(try await Self.put(gateway, mona, "survey?validate=1", Self.otherSurvey, v: 2).status == 204)
            let other = #"{"dispositions":[],"tags":["vip"],"attributes":[]}"#
            #expect(try await Self.put(gateway, mona, "wrapUp?validate=1", other).status == 204)
        }
    }

    @Test func `take a document of 256 KB and not one byte more`() async throws {
        try await TestGateway.run { gateway in
            let mona = try await gateway.brand.agent("mona", role: .administrator)
            let body = #"{"v":1,"value":\#(Self.survey)}"#
            let padding = String(repeating: " ", count: Limits.centreBodyBytes - body.utf8.count)
            #expect(try await gateway.send("PUT", "/v1/centre/survey", body + padding, mona).status == 200)
            let more = try await gateway.send("PUT", "/v1/centre/survey", body + padding + " ", mona)
            #expect(more.status == 413 && more.code == "too_large")
        }
    }

    @Test func `say which rule would win, and why the others do not`() async throws {
        try await TestGateway.run { gateway in
            let mona = try await gateway.brand.agent("mona", role: .administrator)
            let rules = #"""
                [{"id":"de","name":"German","on":true,"conditions":[{"of":"language","test":"starts","value":"de"}],\#
                "skill":"general","urgent":true},
                {"id":"all","name":"All","on":true,"conditions":[],"skill":"general","urgent":false}]
                """#
            #expect(try await Self.put(gateway, mona, "rules", rules).status == 200)
            let german = try await gateway.send(
                "POST", "/v1/centre/try", #"{"language":"de-AT","attributes":{"tier":"gold"}}"#, mona)
            #expect(german.json["urgent"] == .bool(true) && german.json["skill"] == .string("general"))
            let french = try await gateway.send("POST", "/v1/centre/try", #"{"language":"fr"}"#, mona)
            #expect(french.json["urgent"] == .bool(false))
            #expect(french.text.contains("language starts \\\"de\\\": found \\\"fr\\\"."), "\(french.text)")
            let draft = rules.replacing("\"de\"", with: "\"fr\"").replacing("German", with: "French")
            let drafted = try await gateway.send(
                "POST", "/v1/centre/try", "{\"language\":\"fr\",\"rules\":\(draft)}", mona)
            #expect(drafted.json["urgent"] == .bool(true) && drafted.text.contains("French"), "\(drafted.text)")
            let gone = rules.replacing("general", with: "nowhere")
            let wrong = try await gateway.send("POST", "/v1/centre/try", "{\"rules\":\(gone)}", mona)
            #expect(wrong.status == 422 && wrong.code == "unknown_skill", "\(wrong.text)")
            let saved = try await gateway.send("POST", "/v1/centre/try", #"{"language":"fr"}"#, mona)
            #expect(saved.json == french.json, "a draft that was tested is not saved")
        }
    }
}

extension TestGateway {
    /// A request with a JSON body, as this agent.
    func send(_ method: String, _ path: String, _ body: String, _ agent: SignedInAgent) async throws -> Reply {
        try await ask(
            method, path, as: .agent(agent), headers: [("content-type", "application/json")], body: Array(body.utf8))
    }
}

extension JSONValue {
    /// The value at this path, level by level.
    func member(_ names: String...) -> JSONValue? {
        names.reduce(JSONValue?.some(self)) { value, name in
            guard case .object(let members)? = value else { return nil }
            return members[name]
        }
    }
}
