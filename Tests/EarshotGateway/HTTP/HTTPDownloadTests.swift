import EarshotCore
import EarshotModel
import Testing

@testable import EarshotGateway

@Suite struct `A recording that is kept` {
    private static func run(
        _ recording: @escaping @Sendable (ConsumerWelcome) -> RecordedMedia,
        allowances: GatewayConfiguration.Allowances = TestGateway.generous,
        _ body: @escaping @Sendable (TestGateway, ConsumerWelcome, String) async throws -> Void
    ) async throws {
        try await TestGateway.run(allowances: allowances) { gateway in
            let consumer = try await gateway.brand.consumer()
            await gateway.brand.cassette.keep(
                try SoundFile(bytes: Array("<script>".utf8)), as: MediaID(trusted: "sound"), in: consumer.conversation)
            _ = await gateway.brand.accounts.keep(recording(consumer))
            try await body(gateway, consumer, "/v1/media/\(consumer.conversation)/sound")
        }
    }

    @Test(arguments: [
        (".mp3?download=1", "audio/mpeg", "mp3"), (".ogg?download=1", "audio/ogg", "ogg"),
        (".m4a?download=1", "audio/mp4", "m4a"),
        ("/original", "application/octet-stream", "webm"),
    ])
    func `is an attachment with a name for people, and one audit entry`(ending: String, type: String, name: String)
        async throws
    {
        try await Self.run {
            .sound(of: $0)
        } _: { gateway, consumer, path in
            let agent = try await gateway.brand.agent("dana")
            let reply = try await gateway.ask(
                "GET", path + ending, as: .cookieOnly(agent), headers: [("range", "bytes=1-2")])
            #expect(reply.status == 200)
            #expect(reply.text == "<script>", "whole, whatever part was asked for: a part would be no entry")
            #expect(reply["content-disposition"] == "attachment; filename=\"voice-message-2025-11-21-2040.\(name)\"")
            #expect(reply["content-type"] == type)
            #expect(reply["x-content-type-options"] == "nosniff")
            #expect(reply["content-security-policy"] == "sandbox; default-src 'none'")
            let entries = await gateway.brand.accounts.entries
            #expect(entries.map(\.what) == [.audioDownloaded])
            #expect(entries.first?.by == agent.id.rawValue)
            #expect(entries.first?.media == MediaID(trusted: "sound"))
            #expect(entries.first?.detail == (ending.hasPrefix(".") ? name : "original"))
        }
    }

    @Test func `leaves no entry where it is played, measured or refused`() async throws {
        try await Self.run {
            .sound(of: $0)
        } _: { gateway, consumer, path in
            let otherConsumer = try await gateway.brand.consumer()
            _ = try await gateway.ask("GET", path + ".mp3", as: .consumer(consumer.token))
            _ = try await gateway.ask("HEAD", path + ".mp3?download=1", as: .consumer(consumer.token))
            _ = try await gateway.ask("HEAD", path + "/original", as: .consumer(consumer.token))
            #expect(
                try await gateway.ask("GET", path + ".mp3?download=1", as: .consumer(otherConsumer.token)).status == 404
            )
            #expect(try await gateway.ask("GET", path + "/original", as: .consumer(otherConsumer.token)).status == 404)
            #expect(await gateway.brand.accounts.entries.isEmpty)
        }
    }

    @Test func `is one entry per consumer, recording, format and day, and one each time for the brand's people`()
        async throws
    {
        try await Self.run {
            .sound(of: $0)
        } _: { gateway, consumer, path in
            for ending in [".mp3?download=1", ".mp3?download=1", ".ogg?download=1", "/original"] {
                #expect(try await gateway.ask("GET", path + ending, as: .consumer(consumer.token)).status == 200)
            }
            let own = await gateway.brand.accounts.entries
            #expect(own.map(\.detail) == ["mp3", "ogg", "original"])
            gateway.brand.clock.advance(milliseconds: 86_400_000)
            #expect(try await gateway.ask("GET", path + "/original", as: .consumer(consumer.token)).status == 200)
            #expect(await gateway.brand.accounts.entries.count == 4)
            let signedIn = try await gateway.brand.agent("mona")
            for _ in 0..<3 { _ = try await gateway.ask("GET", path + ".mp3?download=1", as: .cookieOnly(signedIn)) }
            #expect(await gateway.brand.accounts.entries.count == 7)
        }
    }

    @Test func `is limited per person, and played without that limit`() async throws {
        try await Self.run({ .sound(of: $0) }, allowances: .init()) { gateway, consumer, path in
            var statuses: [Int] = []
            for place in 0..<21 {
                let ending = place % 2 == 0 ? ".mp3?download=1" : "/original"
                statuses.append(try await gateway.ask("GET", path + ending, as: .consumer(consumer.token)).status)
            }
            #expect(statuses == Array(repeating: 200, count: 20) + [429])
            #expect(try await gateway.ask("GET", path + ".mp3", as: .consumer(consumer.token)).status == 200)
        }
    }

    @Test(arguments: ["download=0", "download=2", "download=", "download=true", "download=1&download=1", "download"])
    func `is asked for by one word only`(query: String) async throws {
        try await Self.run {
            .sound(of: $0)
        } _: { gateway, consumer, path in
            let reply = try await gateway.ask("GET", path + ".mp3?" + query, as: .consumer(consumer.token))
            #expect(reply.status == 400 && reply.code == "bad_request")
        }
    }

    @Test func `never repeats what was said of its container`() async throws {
        try await Self.run {
            .sound(of: $0, container: "x\"; filename=\"a.html")
        } _: { gateway, consumer, path in
            let reply = try await gateway.ask("GET", path + "/original", as: .consumer(consumer.token))
            #expect(reply["content-disposition"] == "attachment; filename=\"voice-message-2025-11-21-2040.bin\"")
        }
    }

    @Test func `as it was uploaded is handed out unscanned only where the brand says so`() async throws {
        try await Self.run {
            .sound(of: $0, scan: .unscanned)
        } _: { gateway, consumer, path in
            let refused = try await gateway.ask("GET", path + "/original", as: .consumer(consumer.token))
            #expect(refused.status == 403)
            #expect(refused.code == "original_refused")
            var patch = AudioSettingsPatch()
            patch.originals = true
            _ = try await gateway.brand.settings.change(SettingsPatch(audio: patch), of: TestBrand.tulip, by: "test")
            #expect(try await gateway.ask("GET", path + "/original", as: .consumer(consumer.token)).status == 200)
        }
    }

    @Test(arguments: [
        (ScanState.pending, 200, 409, "audio_pending"), (.failed, 200, 409, "audio_pending"),
        (.blocked, 422, 422, "audio_blocked"),
        (.clean, 200, 200, ""), (.unscanned, 200, 200, ""),
    ])
    func `is for those whom the scanner lets`(scan: ScanState, own: Int, others: Int, code: String) async throws {
        try await Self.run {
            .sound(of: $0, scan: scan)
        } _: { gateway, consumer, path in
            let agent = try await gateway.brand.agent("dana")
            for ending in [".mp3", ".mp3?download=1", ".ogg", ".m4a"] {
                #expect(
                    try await gateway.ask("GET", path + ending, as: .consumer(consumer.token)).status == own,
                    "\(ending)")
                let reply = try await gateway.ask("GET", path + ending, as: .cookieOnly(agent))
                #expect(reply.status == others, "\(ending)")
                if others != 200 { #expect(reply.code == code, "\(ending)") }
            }
            let original = try await gateway.ask("GET", path + "/original", as: .cookieOnly(agent))
            #expect(original.status == [.clean: 200, .unscanned: 403][scan] ?? others)
        }
    }
}
