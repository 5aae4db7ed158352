import EarshotCore
import EarshotModel
import Testing

@testable import EarshotGateway

@Suite struct `A canned reply's clip` {
    @Test func `is uploaded by people who may change settings`() async throws {
        try await TestGateway.run { gateway in
            let (dana, mona) = (
                try await gateway.brand.agent("dana"), try await gateway.brand.agent("mona", role: .administrator)
            )
            let refused = try await gateway.send("POST", "/v1/clips", #"{"draft":"d"}"#, dana)
            #expect(refused.status == 403 && refused.code == "forbidden")
            let consumer = try await gateway.brand.consumer()
            #expect(
                try await gateway.send("POST", "/v1/clips", as: .consumer(consumer.token), #"{"draft":"d"}"#).status
                    == 401)
            #expect(try await gateway.send("POST", "/v1/clips", #"{"draft":"d"}"#, mona).status == 201)
            #expect(try await gateway.send("POST", "/v1/clips", #"{"draft":"d"}"#, mona).status == 200)
        }
    }

    @Test func `is in canned replies only if it is one of the brand's clips, with its own length`() async throws {
        try await TestGateway.run { gateway in
            let mona = try await gateway.brand.agent("mona", role: .administrator)
            for otherConsumer in ["nothing", "a.b"] {
                let refused = try await gateway.put(clip: otherConsumer, mona)
                #expect(
                    refused.status == 400 && refused.code == "bad_request" && refused.text.contains("canned[0].clip"),
                    "\(refused.text)")
            }
            let said = try await gateway.recordInOwnConversation(mona)
            #expect(try await gateway.put(clip: said, mona).status == 400, "a message is no clip")
            let clip = try await gateway.record(mona)
            let put = try await gateway.put(clip: clip, mona)
            #expect(put.status == 200 && put.text.contains(#""clip":{"media":"\#(clip)","ms":1000}"#), "\(put.text)")
            let rita = try await gateway.brand.agent("rita", of: TestBrand.rival, role: .administrator)
            #expect(try await gateway.put(clip: clip, rita).status == 400, "another brand's is none")
        }
    }

    @Test func `goes into a conversation as a recording of it, the same for the same draft`() async throws {
        try await TestGateway.run { gateway in
            let (dana, mona) = (
                try await gateway.brand.agent("dana"), try await gateway.brand.agent("mona", role: .administrator)
            )
            let (consumer, clip) = (try await gateway.brand.consumer(), try await gateway.record(mona))
            let body = #"{"conversation":"\#(consumer.conversation)","draft":"d"}"#
            let copy = try await gateway.send("POST", "/v1/clips/\(clip)/copies", body, dana)
            #expect(copy.status == 200 && copy.json["ms"] == .integer(1000) && copy.json.text("media") != clip)
            #expect(try await gateway.send("POST", "/v1/clips/\(clip)/copies", body, dana).json == copy.json)
            #expect(
                try await gateway.send("POST", "/v1/clips/\(clip)/copies", body, mona).json != copy.json,
                "each has their own")
        }
    }

    @Test func `goes nowhere where it, the conversation or the agent is another brand's, or audio is off`() async throws
    {
        try await TestGateway.run { gateway in
            let mona = try await gateway.brand.agent("mona", role: .administrator)
            let (consumer, clip) = (try await gateway.brand.consumer(), try await gateway.record(mona))
            let rita = try await gateway.brand.agent("rita", of: TestBrand.rival, role: .administrator)
            let here = #"{"conversation":"\#(consumer.conversation)","draft":"d"}"#
            #expect(try await gateway.send("POST", "/v1/clips/\(clip)/copies", here, rita).status == 404)
            #expect(try await gateway.send("POST", "/v1/clips/nothing/copies", here, mona).status == 404)
            #expect(
                try await gateway.send(
                    "POST", "/v1/clips/\(clip)/copies", #"{"conversation":"nothing","draft":"d"}"#, mona
                ).status == 404)
            #expect(
                try await gateway.send("POST", "/v1/clips/\(clip)/copies", as: .consumer(consumer.token), here).status
                    == 401)
            let said = try await gateway.recordInOwnConversation(mona)
            #expect(
                try await gateway.send("POST", "/v1/clips/\(said)/copies", here, mona).status == 404,
                "a message is no clip")
            #expect(
                try await gateway.send("PATCH", "/v1/settings", #"{"audio":{"enabled":false}}"#, mona).status == 200)
            for path in ["/v1/clips", "/v1/clips/\(clip)/copies"] {
                let off = try await gateway.send("POST", path, path == "/v1/clips" ? #"{"draft":"e"}"# : here, mona)
                #expect(off.status == 403 && off.code == "audio_off", "\(off.text)")
            }
        }
    }

    @Test func `is played by the brand's people alone`() async throws {
        try await TestGateway.run { gateway in
            let (dana, mona) = (
                try await gateway.brand.agent("dana"), try await gateway.brand.agent("mona", role: .administrator)
            )
            let clip = try await gateway.record(mona)
            #expect(try await gateway.ask("GET", "/v1/clips/\(clip).mp3", as: .cookieOnly(dana)).status == 200)
            let rita = try await gateway.brand.agent("rita", of: TestBrand.rival)
            #expect(try await gateway.ask("GET", "/v1/clips/\(clip).mp3", as: .cookieOnly(rita)).status == 404)
            #expect(try await gateway.ask("GET", "/v1/clips/\(clip).mp3", as: .none).status == 401)
            #expect(
                try await gateway.ask(
                    "GET", "/v1/media/\(ConversationID.clips(of: TestBrand.tulip))/\(clip).mp3", as: .cookieOnly(mona)
                ).status == 404, "the list of clips is not a conversation")
        }
    }
}

extension TestGateway {
    /// Records a clip, and answers its media id.
    fileprivate func record(_ agent: SignedInAgent) async throws -> String {
        let media = try await record("/v1/clips", #"{"draft":"clip"}"#, agent)
        await brand.cassette.keep(
            try SoundFile(bytes: [1, 2, 3]), as: MediaID(trusted: media), in: .clips(of: TestBrand.tulip))
        return media
    }

    /// A voice message that this agent recorded for a consumer.
    fileprivate func recordInOwnConversation(_ agent: SignedInAgent) async throws -> String {
        try await record(
            "/v1/uploads", #"{"conversation":"\#(try await brand.consumer().conversation)","draft":"message"}"#, agent)
    }

    private func record(_ path: String, _ body: String, _ agent: SignedInAgent) async throws -> String {
        guard let upload = try await send("POST", path, body, agent).json.text("upload") else {
            throw Missing("no upload")
        }
        _ = try await ask("PATCH", "/v1/uploads/\(upload)?offset=0", as: .agent(agent), body: [1, 2, 3])
        guard
            let media = try await send("POST", "/v1/uploads/\(upload)/finish", #"{"bytes":3}"#, agent).json.text(
                "media")
        else { throw Missing("no media") }
        return media
    }

    fileprivate func put(clip: String, _ agent: SignedInAgent) async throws -> Reply {
        let reply = #"{"id":"a","shortcut":"a","title":"A","text":"Hello","clip":{"media":"\#(clip)","ms":77}}"#
        return try await send("PUT", "/v1/centre/canned", #"{"v":1,"value":[\#(reply)]}"#, agent)
    }
}
