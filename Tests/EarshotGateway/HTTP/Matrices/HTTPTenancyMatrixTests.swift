import EarshotCore
import EarshotModel
import HTTPTypes
import Testing

@testable import EarshotGateway

/// Everybody with everybody else's ids, on every route that takes an id: the answer is the one for what does not exist,
/// byte for byte but for the request's own id.
@Suite struct `Things of another brand or person` {
    private static let nothing = "AAAAAAAAAAAAAAAAAAAAAA"

    @Test func `do not exist, for consumers and for agents of another brand`() async throws {
        try await TestGateway.run { gateway in
            let things = try await Self.things(gateway)
            let otherCallers = [
                Credentials.consumer(try await gateway.brand.consumer().token),
                .consumer(try await gateway.brand.consumer(of: TestBrand.rival).token),
                .agent(try await gateway.brand.agent("eve", of: TestBrand.rival)),
                .agent(try await gateway.brand.agent("eva", of: TestBrand.rival, role: .administrator)),
            ]
            // A route that anyone may ask (the doctor's) has no caller: its token is tested with the route.
            let routes = gateway.parts.router.routes.filter {
                $0.takesIdentifier && ($0.handler.takesConsumers || $0.handler.takesAgents)
            }
            for route in routes { #expect(otherCallers.contains(where: route.takes), "\(route.title) is tried") }
            #expect(routes.count >= 6)
            for route in routes {
                for otherCaller in otherCallers where route.takes(otherCaller) {
                    let real = try await Self.ask(gateway, route, otherCaller, things)
                    let made = try await Self.ask(gateway, route, otherCaller, things.mapValues { _ in Self.nothing })
                    // Who lacks the permission learns only that.
                    #expect(real.status == 404 || real.code == "forbidden", "\(route.title)")
                    #expect(Self.shape(real) == Self.shape(made), "\(route.title)")
                }
            }
            let upload = UploadID(trusted: try #require(things["upload"]))
            #expect(await gateway.brand.cassette.bytes(of: upload) == Array("voice".utf8))
        }
    }

    @Test func `are there for their owner: the matrix above tried real ids`() async throws {
        try await TestGateway.run { gateway in
            let owner = try await gateway.brand.consumer()
            let things = try await Self.things(gateway, owner: owner)
            for route in gateway.parts.router.routes
            where route.takesIdentifier && route.handler.takesConsumers && route.method != .delete {
                let reply = try await Self.ask(gateway, route, .consumer(owner.token), things)
                #expect((200..<300).contains(reply.status) || reply.status == 409, "\(route.title): \(reply.status)")
            }
        }
    }

    @Test func `of an upload do not exist even for another agent of the same brand`() async throws {
        try await TestGateway.run { gateway in
            let things = try await Self.things(gateway)
            let agent = try await gateway.brand.agent("dana")
            for route in gateway.parts.router.routes where route.path.contains("{upload}") {
                #expect(try await Self.ask(gateway, route, .agent(agent), things).status == 404, "\(route.title)")
            }
        }
    }

    /// A consumer's conversation, upload and recording.
    private static func things(_ gateway: TestGateway, owner: ConsumerWelcome? = nil) async throws -> [String: String] {
        let owner = if let owner { owner } else { try await gateway.brand.consumer() }
        let caller = Caller.consumer(try gateway.brand.identity.consumer(token: owner.token))
        let begun = try await gateway.brand.media.begin(
            DraftID(trusted: "draft"), in: owner.conversation, as: caller, from: nil)
        _ = try await gateway.brand.media.append(
            UploadChunk(Array("voice".utf8), at: 0, from: nil), to: begun.upload, as: caller)
        _ = await gateway.brand.accounts.keep(.sound(of: owner))
        await gateway.brand.cassette.keep(
            try SoundFile(bytes: Array("mp3".utf8)), as: MediaID(trusted: "sound"), in: owner.conversation)
        _ = try await gateway.brand.agent("paul")
        return [
            "agent": "agent-paul-tulip", "conversation": owner.conversation.rawValue, "upload": begun.upload.rawValue,
            "media": "sound", "bytes": "5",
        ]
    }

    private static func ask(
        _ gateway: TestGateway, _ route: Route, _ credentials: Credentials, _ things: [String: String]
    ) async throws -> Reply {
        try await gateway.ask(
            route.method.rawValue, route.samplePath(things), as: credentials, headers: route.contentType,
            body: route.sampleBody(things.filter { $0.key != "bytes" }))
    }

    /// What an answer shows, without what is different each time.
    private static func shape(_ reply: Reply) -> [String] {
        let headers = reply.headers.filter { $0.name != "date" && $0.name != "content-length" }.map {
            "\($0.name): \($0.value)"
        }
        guard case .object(var error)? = reply.json["error"] else { return headers + [reply.text] }
        error["request"] = nil
        return headers + ["\(reply.status)", "\(error.sorted { $0.key < $1.key })"]
    }
}

extension Route {
    /// Whether its handler takes such credentials at all: others are refused before any id is looked at.
    fileprivate func takes(_ credentials: Credentials) -> Bool {
        if case .consumer = credentials { handler.takesConsumers } else { handler.takesAgents }
    }

    /// Whether its path or body names a thing that has an owner.
    fileprivate var takesIdentifier: Bool {
        path.contains("{")
            || body.fields.contains { $0.name == "conversation" }
    }
}
