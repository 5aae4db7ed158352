import EarshotCore
import EarshotModel
import Testing

@testable import EarshotGateway

@Suite struct `Searching` {
    @Test func `accepts typed text as it is, and every filter`() async throws {
        try await TestGateway.run { gateway in
            let dana = try await gateway.brand.agent("dana")
            let query =
                "q=na%C3%AFve+caf%C3%A9&status=open&skill=orders&agent=dana&tag=very%20new"
                + "&csat=3&from=1&to=2&before=7&limit=5"
            #expect(try await gateway.ask("GET", "/v1/search?\(query)", as: .cookieOnly(dana)).status == 200)
            let (search, account) = try #require(await gateway.brand.rows.searched.last)
            var wanted = SearchQuery(limit: 6)
            (wanted.words, wanted.status, wanted.tag, wanted.csat, wanted.before) = (
                "naïve café", .open, "very new", 3, 7
            )
            (wanted.skill, wanted.agent) = (SkillID(trusted: "orders"), AgentID(trusted: "dana"))
            (wanted.from, wanted.to) = (Timestamp(milliseconds: 1), Timestamp(milliseconds: 2))
            wanted.includesNotes = true
            #expect(search == wanted)
            #expect(account == TestBrand.tulip)
        }
    }

    @Test(arguments: [
        "q=%ff", "q=%", "q=a%00b", "status=lost", "skill=a%20b", "csat=0", "csat=6", "csat=9", "limit=51", "from=-1",
        "limit=x", "before=1e3",
    ])
    func `refuses what it cannot read`(query: String) async throws {
        try await TestGateway.run { gateway in
            let reply = try await gateway.ask(
                "GET", "/v1/search?\(query)", as: .cookieOnly(try await gateway.brand.agent("dana")))
            #expect(reply.status == 400 && reply.code == "bad_request", "\(reply.text)")
            #expect(await gateway.brand.rows.searched.isEmpty)
        }
    }

    @Test func `answers with rows, where the words were found, and whether there are more`() async throws {
        try await TestGateway.run { gateway in
            let row = InboxRow.listed(at: 9)
            let match = SearchResult.Match(n: 2, at: Timestamp(milliseconds: 1), by: .consumer, text: "so")
            await gateway.brand.rows.find(
                .found([SearchResult(row: row, match: match), SearchResult(row: row, match: nil)]))
            let reply = try await gateway.ask(
                "GET", "/v1/search?limit=1", as: .cookieOnly(try await gateway.brand.agent("dana")))
            guard case .array(let rows)? = reply.json["rows"] else { return #expect(Bool(false), "\(reply.text)") }
            #expect(rows.count == 1 && reply.json["more"] == .bool(true))
            #expect(rows[0].member("p") == .integer(9) && rows[0].member("match", "text") == .string("so"))
        }
    }

    @Test func `offers the tags of the newest conversations again, at most fifty, in the person's scope`()
        async throws
    {
        try await TestGateway.run { gateway in
            let rows = (1...60).map { number in
                SearchResult(row: .listed(at: Int64(100 - number), tags: ["tag \(number)", "vip"]), match: nil)
            }
            await gateway.brand.rows.find(.found(rows))
            let dana = try await gateway.brand.agent("dana")
            let reply = try await gateway.ask("GET", "/v1/tags", as: .cookieOnly(dana))
            guard case .array(let tags)? = reply.json["tags"] else { return #expect(Bool(false), "\(reply.text)") }
            #expect(tags.count == SearchService.tags)
            #expect(tags.prefix(3) == [.string("tag 1"), .string("vip"), .string("tag 2")])
            let (search, account) = try #require(await gateway.brand.rows.searched.last)
            #expect(search.limit == 200 && search.words == nil && account == TestBrand.tulip)
            #expect(try await gateway.ask("GET", "/v1/tags").status == 401)
        }
    }

    @Test func `says what to do about a search that takes too long`() async throws {
        try await TestGateway.run { gateway in
            await gateway.brand.rows.find(.tooSlow)
            let reply = try await gateway.ask(
                "GET", "/v1/search?q=a", as: .cookieOnly(try await gateway.brand.agent("dana")))
            #expect(reply.status == 503 && reply.code == "search_too_slow", "\(reply.text)")
            #expect(reply.text.contains("Add a word or a filter"))
        }
    }

    @Test(arguments: [(Limits.listedConversations, 200), (Limits.listedConversations + 1, 413)])
    func `lists everything that is found, up to the limit, and notes it`(count: Int, status: Int) async throws {
        try await TestGateway.run { gateway in
            let rows = (1...count).reversed().map { SearchResult(row: .listed(at: Int64($0)), match: nil) }
            await gateway.brand.rows.find(.found(rows))
            let mona = try await gateway.brand.agent("mona", role: .administrator)
            let reply = try await gateway.ask("GET", "/v1/search.csv", as: .cookieOnly(mona))
            let entries = await gateway.brand.accounts.entries.filter { $0.what == .historyExported }
            #expect(reply.status == status)
            if status == 200 {
                #expect(reply.text.split(separator: "\r\n").count == count + 1)
                #expect(entries.map(\.detail) == ["conversations: \(count)"])
            } else {
                #expect(reply.code == "too_large" && reply.text.contains("Choose a shorter period") && entries.isEmpty)
            }
        }
    }

    @Test(arguments: [
        ("dana", Role.agent, "", 403), ("mona", .manager, "?zone=Nowhere", 400), ("mona", .manager, "?csat=9", 400),
    ])
    func `refuses a list to those who may not export, and what it cannot read`(
        name: String, role: Role, query: String, status: Int
    ) async throws {
        try await TestGateway.run { gateway in
            let agent = try await gateway.brand.agent(name, role: role)
            let reply = try await gateway.ask("GET", "/v1/search.csv\(query)", as: .cookieOnly(agent))
            #expect(reply.status == status, "\(reply.text)")
            #expect(await gateway.brand.accounts.entries.isEmpty)
        }
    }

    @Test func `knows the brand's people, with addresses for managers`() async throws {
        try await TestGateway.run { gateway in
            let (dana, mona) = (
                try await gateway.brand.agent("dana"), try await gateway.brand.agent("mona", role: .administrator)
            )
            _ = try await gateway.brand.agent("eve", of: TestBrand.rival)
            let some = try await gateway.ask("GET", "/v1/agents", as: .cookieOnly(dana)).text
            #expect(
                some.contains("\"dana\"") && some.contains("\"mona\"") && !some.contains("eve") && !some.contains("@"))
            #expect(
                try await gateway.ask("GET", "/v1/agents", as: .cookieOnly(mona)).text.contains("dana@tulip.example"))
        }
    }

    @Test func `marks only people who cannot sign in`() async throws {
        try await TestGateway.run { gateway in
            let (dana, mona) = (
                try await gateway.brand.agent("dana"), try await gateway.brand.agent("mona", role: .administrator)
            )
            #expect(try await !gateway.ask("GET", "/v1/agents", as: .cookieOnly(mona)).text.contains("disabled"))
            let off = try await gateway.send(
                "PATCH", "/v1/agents/agent-dana-tulip", as: .agent(mona), #"{"disabled":true}"#)
            #expect(off.status == 200, "\(off.text)")
            let people = try await gateway.ask("GET", "/v1/agents", as: .cookieOnly(mona))
            guard case .array(let agents)? = people.json["agents"] else {
                return #expect(Bool(false), "\(people.text)")
            }
            #expect(
                agents.map { $0.member("disabled") }
                    == agents.map { $0.member("name") == .string("dana") ? .bool(true) : nil })
            #expect(try await gateway.ask("GET", "/v1/agents", as: .cookieOnly(dana)).status == 401)
        }
    }
}

@Suite struct `Saved views` {
    @Test func `are the person's own and those that others share`() async throws {
        try await TestGateway.run { gateway in
            let (dana, mona) = (
                try await gateway.brand.agent("dana"), try await gateway.brand.agent("mona", role: .administrator)
            )
            let views =
                #"[{"id":"a","name":"Late","shared":true,"filter":{"tag":"vip","open":true,"n":3,"s":["x"]}},"#
                + #"{"id":"b","name":"Mine","shared":false,"filter":{}}]"#
            let saved = try await gateway.send("PUT", "/v1/views", #"{"views":\#(views)}"#, dana)
            let wanted = try StrictJSON.parse(Array("{\"views\":\(views)}".utf8))
            #expect(saved.status == 200 && JSONValue.object(saved.json) == wanted)
            #expect(try await gateway.ask("GET", "/v1/views", as: .cookieOnly(dana)).text == saved.text)
            let others = try await gateway.ask("GET", "/v1/views", as: .cookieOnly(mona)).text
            #expect(others.contains("Late") && others.contains("\"by\":\"\(dana.id)\"") && !others.contains("Mine"))
        }
    }

    @Test(arguments: [
        (#"{}"#, 400), (#"[{"id":"a b","name":"N","shared":true,"filter":{}}]"#, 400),
        (#"[{"id":"a","name":"","shared":true,"filter":{}}]"#, 422),
        (#"[{"id":"a","name":"N","shared":true,"filter":{"x":{"y":1}}}]"#, 400),
        (#"[{"id":"a","name":"N","shared":true,"filter":{}},{"id":"a","name":"N","shared":true,"filter":{}}]"#, 400),
        (
            "[" + (0...50).map { #"{"id":"\#($0)","name":"N","shared":false,"filter":{}}"# }.joined(separator: ",")
                + "]", 422
        ),
    ])
    func `that cannot be are refused`(views: String, status: Int) async throws {
        try await TestGateway.run { gateway in
            let dana = try await gateway.brand.agent("dana")
            #expect(try await gateway.send("PUT", "/v1/views", #"{"views":\#(views)}"#, dana).status == status)
            #expect(await gateway.brand.rows.views(of: TestBrand.tulip).isEmpty)
        }
    }
}

extension InboxRow {
    static func listed(
        at position: Int64, _ conversation: ConversationID = ConversationID(trusted: "c"), tags: [String]? = nil
    ) -> InboxRow {
        InboxRow(
            conversation: conversation, position: position, status: .closed, assignee: nil,
            assigneeName: nil, who: "V", channel: .web, app: TestBrand.shop, sequence: 3,
            at: Timestamp(milliseconds: 1), since: Timestamp(milliseconds: 1), last: nil, unread: 0,
            routing: tags.map { InboxRow.RoutingInfo(tags: $0) })
    }
}
