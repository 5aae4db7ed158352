import EarshotCore
import EarshotDomain
import EarshotModel
import Testing

@testable import EarshotGateway

/// What the pages hold is tested with a real log, in Tests/EndToEnd/http/test_history_api.py.
@Suite struct `The history for programs` {
    private static let path = "/v1/history/conversations"

    @Test func `takes every filter, and times in both forms`() async throws {
        try await TestGateway.run { gateway in
            let (_, key) = try await gateway.key([.readHistory])
            for (from, to) in [
                ("1763757600000", "1763757600001"),
                ("2025-11-21T20:40:00Z", "2025-11-21T21:40:00.001+01:00"),
                ("2025-11-21T20:40:00.000%2B00:00", "2025-11-21T20:40:00.001Z"),
            ] {
                let query =
                    "from=\(from)&to=\(to)&agent=dana&skill=orders&consumer=ann&status=closed&text=na%C3%AFve&limit=7"
                let reply = try await gateway.ask("GET", "\(Self.path)?\(query)", as: .program(key))
                #expect(reply.status == 200, "\(reply.text)")
                let (search, account) = try #require(await gateway.brand.rows.searched.last)
                var wanted = SearchQuery(limit: 8)
                (wanted.words, wanted.isClosed) = ("naïve", true)
                (wanted.consumer, wanted.agent) = (ConsumerID(trusted: "ann"), AgentID(trusted: "dana"))
                wanted.skill = SkillID(trusted: "orders")
                wanted.from = Timestamp(milliseconds: 1_763_757_600_000)
                wanted.to = Timestamp(milliseconds: 1_763_757_600_001)
                #expect(search == wanted && account == TestBrand.tulip, "\(from)")
            }
        }
    }

    @Test(arguments: [
        ("limit=0", 400), ("limit=1", 200), ("limit=100", 200), ("limit=101", 400), ("limit=x", 400),
        ("status=new", 400), ("status=open", 200), ("from=yesterday", 400), ("from=2025-11-21T20:40:00", 400),
        ("to=-1", 400), ("consumer=a%20b", 400), ("text=%ff", 400), ("cursor=x", 400), ("cursor=%ff", 400),
        ("cursor=AAAAAAAAAAAAAAAAAAAAAAAAAAA", 400),
    ])
    func `refuses what it cannot read`(query: String, status: Int) async throws {
        try await TestGateway.run { gateway in
            let (_, key) = try await gateway.key([.readHistory])
            let reply = try await gateway.ask("GET", "\(Self.path)?\(query)", as: .program(key))
            #expect(reply.status == status && (status == 200 || reply.code == "bad_request"), "\(reply.text)")
        }
    }

    @Test(arguments: [(400, 200), (401, 400)])
    func `takes words up to a length`(bytes: Int, status: Int) async throws {
        try await TestGateway.run { gateway in
            let (_, key) = try await gateway.key([.readHistory])
            let words = String(repeating: "a", count: bytes)
            #expect(try await gateway.ask("GET", "\(Self.path)?text=\(words)", as: .program(key)).status == status)
        }
    }

    @Test func `continues with a cursor, for the same query and brand only`() async throws {
        try await TestGateway.run { gateway in
            await gateway.brand.rows.find(
                .found([9, 7, 5].map { SearchResult(row: .listed(at: $0), match: nil) }))
            let (_, key) = try await gateway.key([.readHistory])
            let (_, rival) = try await gateway.key([.readHistory], of: TestBrand.rival)
            let first = try await gateway.ask("GET", "\(Self.path)?limit=2&status=open", as: .program(key))
            let cursor = try #require(first.json["next"]?.text)
            let second = try await gateway.ask(
                "GET", "\(Self.path)?limit=3&status=open&cursor=\(cursor)", as: .program(key))
            #expect(second.status == 200 && second.json["next"] == nil, "\(second.text)")
            #expect(await gateway.brand.rows.searched.last?.0.before == 7)
            for (query, key) in [("status=closed&", key), ("", key), ("status=open&", rival)] {
                let reply = try await gateway.ask("GET", "\(Self.path)?\(query)cursor=\(cursor)", as: .program(key))
                #expect(reply.status == 400 && reply.code == "bad_request", "\(query)")
            }
        }
    }

    /// Whether a note is found is tested with a real index, in the storage contract.
    @Test(arguments: [([.readHistory], false), ([.readHistory, .readNotes], true)] as [(Set<ProgramScope>, Bool)])
    func `looks for words in private notes only with the scope for them`(scopes: Set<ProgramScope>, includesNotes: Bool)
        async throws
    {
        try await TestGateway.run { gateway in
            let (_, key) = try await gateway.key(scopes)
            #expect(try await gateway.ask("GET", "\(Self.path)?text=secret", as: .program(key)).status == 200)
            #expect(await gateway.brand.rows.searched.last?.0.includesNotes == includesNotes)
        }
    }

    @Test func `reads the conversations of a page at once, and no list of suspended brands`() async throws {
        try await TestGateway.run { gateway in
            let welcomes = [
                try await gateway.brand.consumer(), try await gateway.brand.consumer(),
                try await gateway.brand.consumer(of: TestBrand.rival),
            ]
            for welcome in welcomes {
                let identity = try #require(try await gateway.brand.log.identity(of: welcome.conversation))
                gateway.brand.log.show(ConversationState(identity))
            }
            await gateway.brand.rows.find(
                .found(
                    welcomes.enumerated().map { index, welcome in
                        SearchResult(row: .listed(at: Int64(9 - index), welcome.conversation), match: nil)
                    }))
            let (_, key) = try await gateway.key([.readHistory])
            let before = await gateway.brand.accounts.suspendedReads
            let reply = try await gateway.ask("GET", Self.path, as: .program(key))
            guard case .array(let rows)? = reply.json["rows"] else { return #expect(Bool(false), "\(reply.text)") }
            #expect(rows.map { $0.member("id") } == welcomes.prefix(2).map { .string($0.conversation.rawValue) })
            #expect(gateway.brand.log.statesRead == [welcomes.map(\.conversation)])
            #expect(await gateway.brand.accounts.suspendedReads == before)
        }
    }

    @Test func `notes a search once for each key and day`() async throws {
        try await TestGateway.run { gateway in
            let (first, key) = try await gateway.key([.readHistory], forMs: 172_800_000)
            let (second, other) = try await gateway.key([.readHistory])
            for key in [key, key, other] { _ = try await gateway.ask("GET", Self.path, as: .program(key)) }
            gateway.brand.clock.advance(milliseconds: 86_400_000)
            _ = try await gateway.ask("GET", Self.path, as: .program(key))
            let entries = await gateway.brand.accounts.entries.filter { $0.what == .historySearched }
            #expect(entries.map(\.by) == [first.id, second.id, first.id].map(\.rawValue))
        }
    }

    @Test(arguments: [
        ("/v1/history/conversations", ProgramScope.readNotes), ("/v1/history/conversations/a", .readRecordings),
        ("/v1/history/recordings/sound", .readHistory),
    ])
    func `requires the scope of each route`(path: String, scope: ProgramScope) async throws {
        try await TestGateway.run { gateway in
            let (_, key) = try await gateway.key([scope])
            let reply = try await gateway.ask("GET", path, as: .program(key))
            #expect(reply.status == 403 && reply.code == "forbidden", "\(reply.text)")
        }
    }

    @Test func `hands out a sent recording of the own brand, and notes that once a day`() async throws {
        try await TestGateway.run { gateway in
            let owner = try await gateway.brand.consumer()
            var sound = RecordedMedia.sound(of: owner, scan: .unscanned, sent: nil)
            let media = sound.content.media
            let path = "/v1/history/recordings/\(media)"
            await gateway.brand.cassette.keep(
                try SoundFile(bytes: Array("mp3".utf8)), as: media, in: owner.conversation)
            let (key, text) = try await gateway.key([.readRecordings])
            let (_, rival) = try await gateway.key([.readRecordings], of: TestBrand.rival)
            await gateway.brand.accounts.replace(sound)
            #expect(try await gateway.ask("GET", path, as: .program(text)).status == 404, "not sent")
            sound.sent = 2
            await gateway.brand.accounts.replace(sound)
            for _ in 1...2 {
                let reply = try await gateway.ask("GET", path, as: .program(text))
                #expect(reply.status == 200 && reply.text == "mp3", "\(reply.text)")
            }
            #expect(try await gateway.ask("GET", path, as: .program(rival)).status == 404)
            #expect(try await gateway.ask("GET", path + "?format=wav", as: .program(text)).status == 400)
            let original = try await gateway.ask("GET", path + "?format=original", as: .program(text))
            #expect(original.code == "original_refused", "\(original.text)")
            let entries = await gateway.brand.accounts.entries.filter { $0.what == .audioDownloaded }
            #expect(entries.map(\.by) == [key.id.rawValue] && entries.map(\.media) == [media])
            sound.isPrivate = true
            await gateway.brand.accounts.replace(sound)
            #expect(try await gateway.ask("GET", path, as: .program(text)).status == 404, "of a note")
            sound.isPrivate = false
            sound.scan = .pending
            await gateway.brand.accounts.replace(sound)
            #expect(try await gateway.ask("GET", path, as: .program(text)).code == "audio_pending")
        }
    }
}
