import EarshotCore
import EarshotModel
import Testing

@testable import EarshotGateway

@Suite struct `A recording that is played` {
    private static let sound = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }

    private static func run(_ body: @escaping @Sendable (TestGateway, ConsumerWelcome, String) async throws -> Void)
        async throws
    {
        try await TestGateway.run { gateway in
            let consumer = try await gateway.brand.consumer()
            await gateway.brand.cassette.keep(
                try SoundFile(bytes: sound), as: MediaID(trusted: "sound"), in: consumer.conversation)
            _ = await gateway.brand.accounts.keep(.sound(of: consumer))
            try await body(gateway, consumer, "/v1/media/\(consumer.conversation)/sound.mp3")
        }
    }

    @Test func `is served whole, as nothing but audio`() async throws {
        try await Self.run { gateway, consumer, path in
            let agent = try await gateway.brand.agent("dana")
            for credentials in [Credentials.consumer(consumer.token), .cookieOnly(agent)] {
                let reply = try await gateway.ask("GET", path, as: credentials)
                #expect(reply.status == 200)
                #expect(reply.body == Self.sound)
                #expect(reply["content-length"] == "200000")
                #expect(reply["content-type"] == "audio/mpeg")
                #expect(reply["x-content-type-options"] == "nosniff")
                #expect(reply["content-disposition"] == "inline; filename=\"voice-message.mp3\"")
                #expect(reply["content-security-policy"] == "sandbox; default-src 'none'")
                #expect(reply["cross-origin-resource-policy"] == "same-origin")
                #expect(reply["cache-control"] == "private, no-cache")
                #expect(reply["accept-ranges"] == "bytes")
                #expect(reply["etag"] == "\"tag-200000\"")
            }
        }
    }

    /// Whole, in part, and what a cache asks before it serves what it has.
    private static let readings = [[], [("range", "bytes=0-99")], [("if-none-match", "\"tag-200000\"")]]

    private static func statuses(_ gateway: TestGateway, _ path: String, _ who: Credentials) async throws -> Set<Int> {
        var statuses: Set<Int> = []
        for headers in readings {
            statuses.insert(try await gateway.ask("GET", path, as: who, headers: headers).status)
        }
        return statuses
    }

    @Test func `has an address that is worth nothing without the reader's own credentials`() async throws {
        try await Self.run { gateway, consumer, path in
            let (dana, rival) = (
                try await gateway.brand.agent("dana"), try await gateway.brand.agent("rival", of: TestBrand.rival)
            )
            let other = try await gateway.brand.consumer()
            for who in [Credentials.cookieOnly(dana), .consumer(consumer.token)] {
                #expect(try await Self.statuses(gateway, path, who) == [200, 206, 304])
            }
            for query in ["", "?token=\(consumer.token)", "?ticket=\(dana.cookie)"] {
                for headers in Self.readings {
                    let reply = try await gateway.ask("GET", path + query, headers: headers)
                    #expect(reply.status == 401 || reply.status == 400, "\(query)")
                }
            }
            #expect(try await Self.statuses(gateway, path, .consumer(other.token)) == [404])
            #expect(try await Self.statuses(gateway, path, .cookieOnly(rival)) == [404])
        }
    }

    @Test func `is refused from the moment the reader's session or token ends, also out of a cache`() async throws {
        try await Self.run { gateway, consumer, path in
            let (dana, omar) = (try await gateway.brand.agent("dana"), try await gateway.brand.agent("omar"))
            #expect(try await Self.statuses(gateway, path, .cookieOnly(dana)) == [200, 206, 304])
            #expect(try await gateway.send("POST", "/v1/logout", as: .agent(dana), "{}").status == 204)
            #expect(try await Self.statuses(gateway, path, .cookieOnly(dana)) == [401])
            #expect(try await Self.statuses(gateway, path, .cookieOnly(omar)) == [200, 206, 304])
            let signOut = "/v1/conversations/\(consumer.conversation)/sign-out"
            #expect(try await gateway.send("POST", signOut, as: .agent(omar), "{}").status == 204)
            #expect(try await Self.statuses(gateway, path, .consumer(consumer.token)) == [401])
            gateway.brand.clock.advance(milliseconds: 3_600_000)
            #expect(try await Self.statuses(gateway, path, .cookieOnly(omar)) == [401])
        }
    }

    /// A note's recording, and one that an agent has not sent.
    @Test(arguments: [(1, true), (nil, false), (nil, true)] as [(Int?, Bool)])
    func `among the brand's people does not exist for the consumer`(sent: Int?, isPrivate: Bool) async throws {
        try await TestGateway.run { gateway in
            let (consumer, dana) = (try await gateway.brand.consumer(), try await gateway.brand.agent("dana"))
            await gateway.brand.cassette.keep(
                try SoundFile(bytes: Self.sound), as: MediaID(trusted: "sound"), in: consumer.conversation)
            var recording = RecordedMedia(
                content: RecordedMedia.sound(of: consumer).content, conversation: consumer.conversation,
                author: dana.id.rawValue, sha256: [],
                container: "webm", account: TestBrand.tulip, at: Timestamp(milliseconds: 1), scan: .clean, sent: sent)
            recording.isPrivate = isPrivate
            _ = await gateway.brand.accounts.keep(recording)
            for form in ["sound.mp3", "sound.ogg", "sound.m4a", "sound.mp3?download=1", "sound/original"] {
                let path = "/v1/media/\(consumer.conversation)/\(form)"
                let reply = try await gateway.ask("GET", path, as: .consumer(consumer.token))
                #expect(reply.status == 404 && reply.code == "not_found", "\(form)")
                #expect(
                    try await gateway.ask("GET", path, as: .cookieOnly(dana)).status == 200,
                    "and for the brand it does: \(form)")
            }
        }
    }

    /// The author may be a consumer or one of the brand's people.
    @Test(arguments: [true, false])
    func `that was never sent exists for its author only`(isConsumers: Bool) async throws {
        try await TestGateway.run { gateway in
            let (consumer, dana) = (try await gateway.brand.consumer(), try await gateway.brand.agent("dana"))
            let mona = try await gateway.brand.agent("mona", role: .administrator)
            await gateway.brand.cassette.keep(
                try SoundFile(bytes: Self.sound), as: MediaID(trusted: "sound"), in: consumer.conversation)
            func recording(sent: Int?) -> RecordedMedia {
                RecordedMedia(
                    content: RecordedMedia.sound(of: consumer).content, conversation: consumer.conversation,
                    author: isConsumers ? consumer.consumer.rawValue : dana.id.rawValue, sha256: [],
                    container: "webm", account: TestBrand.tulip, at: Timestamp(milliseconds: 1), scan: .clean,
                    sent: sent)
            }
            let author = isConsumers ? Credentials.consumer(consumer.token) : .cookieOnly(dana)
            let others = [
                isConsumers ? Credentials.cookieOnly(dana) : .consumer(consumer.token), .cookieOnly(mona),
            ]
            let paths = ["sound.mp3", "sound.ogg", "sound.m4a", "sound.mp3?download=1", "sound/original"].map {
                "/v1/media/\(consumer.conversation)/\($0)"
            }
            await gateway.brand.accounts.replace(recording(sent: nil))
            for path in paths {
                for method in ["GET", "HEAD"] {
                    #expect(try await gateway.ask(method, path, as: author).status == 200, "\(method) \(path)")
                    for other in others {
                        let reply = try await gateway.ask(method, path, as: other)
                        #expect(reply.status == 404, "\(method) \(path)")
                        #expect(method == "HEAD" || reply.code == "not_found")
                    }
                }
            }
            let entries = await gateway.brand.accounts.entries.filter { $0.what == .audioDownloaded }
            #expect(!entries.isEmpty && Set(entries.map(\.by)) == [recording(sent: nil).author])
            await gateway.brand.accounts.replace(recording(sent: 1))
            for path in paths {
                for caller in others + [author] {
                    #expect(try await gateway.ask("GET", path, as: caller).status == 200, "sent: \(path)")
                }
            }
        }
    }

    @Test(arguments: [
        ("bytes=0-0", 0..<1), ("bytes=0-99", 0..<100), ("bytes=199999-", 199_999..<200_000),
        ("bytes=100-", 100..<200_000),
        ("bytes=-1", 199_999..<200_000), ("bytes=-999999", 0..<200_000), ("bytes=199000-999999", 199_000..<200_000),
        ("bytes=1-99999999999999999999", 1..<200_000),
    ]) func `comes in part`(_ header: String, _ range: Range<Int>) async throws {
        try await Self.run { gateway, consumer, path in
            let reply = try await gateway.ask("GET", path, as: .consumer(consumer.token), headers: [("range", header)])
            #expect(reply.status == 206)
            #expect(reply["content-range"] == "bytes \(range.lowerBound)-\(range.upperBound - 1)/200000")
            #expect(reply["content-length"] == "\(range.count)")
            #expect(reply.body == Array(Self.sound[range]))
        }
    }

    @Test(arguments: ["bytes=200000-", "bytes=200001-200002", "bytes=-0", "bytes=99999999999999999999-"])
    func `has nothing beyond its end`(_ header: String) async throws {
        try await Self.run { gateway, consumer, path in
            let reply = try await gateway.ask("GET", path, as: .consumer(consumer.token), headers: [("range", header)])
            #expect(reply.status == 416)
            #expect(reply["content-range"] == "bytes */200000")
            #expect(reply.body.isEmpty)
        }
    }

    @Test(arguments: ["bytes=5-4", "bytes=-", "bytes=a-b", "bytes=0-1,3-4", "lines=0-1", "bytes=--1", "bytes=0-1-2"])
    func `comes whole where the range is none that we know`(_ header: String) async throws {
        try await Self.run { gateway, consumer, path in
            let reply = try await gateway.ask("GET", path, as: .consumer(consumer.token), headers: [("range", header)])
            #expect(reply.status == 200)
            #expect(reply.body.count == 200_000)
        }
    }

    @Test func `is not sent again to a client that has it, nor in part to one that has parts of another version`()
        async throws
    {
        try await Self.run { gateway, consumer, path in
            for tags in ["\"tag-200000\"", "\"x\", W/\"tag-200000\"", "*"] {
                let reply = try await gateway.ask(
                    "GET", path, as: .consumer(consumer.token), headers: [("if-none-match", tags)])
                #expect(reply.status == 304)
                #expect(reply.body.isEmpty)
                #expect(reply["etag"] == "\"tag-200000\"")
            }
            let stale = [("range", "bytes=0-9"), ("if-range", "\"tag-1\"")]
            #expect(try await gateway.ask("GET", path, as: .consumer(consumer.token), headers: stale).status == 200)
            let same = [("range", "bytes=0-9"), ("if-range", "\"tag-200000\"")]
            #expect(try await gateway.ask("GET", path, as: .consumer(consumer.token), headers: same).status == 206)
        }
    }

    @Test func `is measured by HEAD without being sent`() async throws {
        try await Self.run { gateway, consumer, path in
            let reply = try await gateway.ask("HEAD", path, as: .consumer(consumer.token))
            #expect(reply.status == 200)
            #expect(reply["content-length"] == "200000")
            #expect(reply["content-type"] == "audio/mpeg")
            #expect(reply.body.isEmpty)
        }
    }

    @Test func `whose file is lost is unavailable, not an empty sound`() async throws {
        try await TestGateway.run { gateway in
            let consumer = try await gateway.brand.consumer()
            _ = await gateway.brand.accounts.keep(.sound(of: consumer))
            await gateway.brand.cassette.lose(
                MediaFile(path: "/nowhere.mp3", size: 5, etag: "x"), as: MediaID(trusted: "sound"),
                in: consumer.conversation)
            let reply = try await gateway.ask(
                "GET", "/v1/media/\(consumer.conversation)/sound.mp3", as: .consumer(consumer.token))
            #expect(reply.status == 503)
            #expect(!reply.text.contains("nowhere"))
        }
    }
}
