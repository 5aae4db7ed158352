import EarshotCore
import EarshotDomain
import EarshotModel
import EarshotStorage
import Testing

@testable import EarshotGateway

/// The owner of a stolen key of tokens could name any consumer and any conversation.
@Suite struct `A token whose consumer and conversation do not belong together` {
    private static let tokens = ConsumerTokens(
        keys: KeyRing([SigningKey(id: SigningKey.firstID, secret: [UInt8](repeating: 7, count: 32))]))

    /// A genuinely signed token of one consumer for the conversation of another.
    private static func token(
        _ consumer: ConsumerWelcome, for conversation: ConversationID, of account: AccountID, at now: Timestamp
    ) -> String {
        tokens.make(
            for: ConsumerCaller(
                id: consumer.consumer, account: account, app: TestBrand.shop, conversation: conversation,
                tokenIssued: now))
    }

    private static func first(_ rig: SocketRig, _ hello: String) async throws -> ServerFrame {
        let (frames, note) = AsyncStream.makeStream(of: ServerFrame.self)
        try await rig.socket { socket in
            try await socket.send("{\"hello\":{\(hello)}}")
            note.yield(try await socket.nextFrame())
        }
        guard let frame = await frames.first(where: { _ in true }) else { throw GatewayFault("no frame") }
        return frame
    }

    @Test func `opens no socket, whether the conversation is in memory, stored, or has not begun`() async throws {
        try await SocketRig.run { rig in
            let (ann, bob) = (try await rig.consumer(), try await rig.consumer())
            try await rig.socket { socket in
                try await socket.send("{\"hello\":{\"token\":\"\(ann.token)\"}}")
                guard case .ready = try await socket.nextFrame() else { return #expect(Bool(false), "no ready") }
                try await socket.send(#"{"send":"AAAAAAAAAAAAAAAAAAAAAA","text":"mine"}"#)
                while true { if case .ok = try await socket.nextFrame() { return } }
            }
            let cursor = "\"after\":0,\"epoch\":\"\(rig.store.log.epoch)\","
            let rival = AccountID(trusted: "rival")
            for (name, hello, token) in [
                ("stored", "", Self.token(bob, for: ann.conversation, of: SocketRig.brand, at: rig.clock.now)),
                ("in memory", cursor, Self.token(bob, for: ann.conversation, of: SocketRig.brand, at: rig.clock.now)),
                ("another brand", "", Self.token(ann, for: ann.conversation, of: rival, at: rig.clock.now)),
                ("not begun", "", Self.token(ann, for: bob.conversation, of: SocketRig.brand, at: rig.clock.now)),
            ] {
                guard case .bye(let bye) = try await Self.first(rig, hello + "\"token\":\"\(token)\"") else {
                    #expect(Bool(false), "\(name): it opens")
                    continue
                }
                #expect(bye.code == "not_signed_in", "\(name)")
            }
            for own in [ann, bob] {
                let token = Self.token(own, for: own.conversation, of: SocketRig.brand, at: rig.clock.now)
                guard case .ready = try await Self.first(rig, cursor + "\"token\":\"\(token)\"") else {
                    return #expect(Bool(false), "the same key signs what the server accepts")
                }
            }
        }
    }

    @Test func `opens nothing over HTTP`() async throws {
        try await TestGateway.run { gateway in
            let brand = gateway.brand
            let (ann, bob) = (try await brand.consumer(), try await brand.consumer())
            let forged = Self.token(bob, for: ann.conversation, of: TestBrand.tulip, at: brand.clock.now)
            let back = try await gateway.send("POST", "/v1/consumers/me", as: .consumer(forged), "{}")
            #expect(back.status == 401 && back.code == "not_signed_in")
            let path = "/v1/media/\(ann.conversation)/AAAAAAAAAAAAAAAAAAAAAA.mp3"
            let media = try await gateway.ask("GET", path, as: .consumer(forged))
            #expect(media.status == 404 && media.code == "not_found")
            let access = ConversationAccess(conversations: brand.log)
            let caller = try brand.identity.consumer(token: forged)
            await #expect(throws: Rejection.notFound) {
                try await access.open(ann.conversation, as: .consumer(caller))
            }
            let own = try brand.identity.consumer(token: ann.token)
            #expect(try await access.open(ann.conversation, as: .consumer(own)).id == ann.conversation)
        }
    }
}
