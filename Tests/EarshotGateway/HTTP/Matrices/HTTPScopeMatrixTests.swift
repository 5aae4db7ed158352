import EarshotCore
import EarshotDomain
import EarshotModel
import HTTPTypes
import Testing

@testable import EarshotGateway

/// An agent who does not see everything, with a conversation of another skill, on every route that names one: the
/// answer is the one for what does not exist. Generated from the table that the server runs on.
@Suite struct `A conversation outside the scope of an agent` {
    private static let nothing = "AAAAAAAAAAAAAAAAAAAAAA"

    @Test func `does not exist on any route, and one inside does`() async throws {
        try await TestGateway.run { gateway in
            let dana = try await Self.scopedAgent(gateway)
            let (inside, outside) = (
                try await Self.conversation(gateway, of: "orders"), try await Self.conversation(gateway, of: "general")
            )
            // What needs to see everything, Dana cannot have: those routes refuse her by her permissions.
            let routes = gateway.parts.router.routes.filter { route in
                let needs = route.handler.permission?.declaration.needs ?? []
                return route.handler.takesAgents && route.namesConversation && !needs.contains(.seeAllConversations)
            }
            #expect(routes.count >= 9, "\(routes.map(\.title))")
            for route in routes {
                let unknown = try await Self.ask(gateway, route, dana, Self.nothing)
                let hidden = try await Self.ask(gateway, route, dana, outside)
                #expect(hidden.status == 404 && hidden.code == unknown.code, "\(route.title): \(hidden.status)")
                #expect(hidden.json["error"]?["text"]?.text == unknown.json["error"]?["text"]?.text, "\(route.title)")
                // A recording does not exist in either; what cannot be done there is refused for another reason.
                let seen = try await Self.ask(gateway, route, dana, inside)
                let isMedia = route.path.contains("{media}")
                #expect(isMedia || seen.status != 404, "\(route.title): \(seen.status)")
            }
        }
    }

    @Test func `has no recording for the agent, and one inside has`() async throws {
        try await TestGateway.run { gateway in
            let dana = try await Self.scopedAgent(gateway)
            for (skill, status) in [("orders", 200), ("general", 404)] {
                let owner = try await gateway.brand.consumer()
                try await Self.show(gateway, owner, skill)
                _ = await gateway.brand.accounts.keep(.sound(of: owner))
                await gateway.brand.cassette.keep(
                    try SoundFile(bytes: Array("mp3".utf8)), as: MediaID(trusted: "sound"), in: owner.conversation)
                let reply = try await gateway.ask("GET", "/v1/media/\(owner.conversation)/sound.mp3", as: .agent(dana))
                #expect(reply.status == status, "\(skill)")
            }
        }
    }

    private static func ask(_ gateway: TestGateway, _ route: Route, _ agent: SignedInAgent, _ id: String) async throws
        -> Reply
    {
        let values = ["conversation": id]
        return try await gateway.ask(
            route.method.rawValue, route.samplePath(values), as: .agent(agent), headers: route.contentType,
            body: route.sampleBody(values))
    }

    private static func conversation(_ gateway: TestGateway, of skill: String) async throws -> String {
        let owner = try await gateway.brand.consumer()
        try await show(gateway, owner, skill)
        return owner.conversation.rawValue
    }

    private static func show(_ gateway: TestGateway, _ owner: ConsumerWelcome, _ skill: String) async throws {
        var state = ConversationState(
            ConversationIdentity(
                id: owner.conversation, account: TestBrand.tulip, app: TestBrand.shop, consumer: owner.consumer,
                channel: .web))
        state.status = .waiting
        state.routing.skill = SkillID(trusted: skill)
        gateway.brand.log.show(state)
    }

    /// An agent of the skill `orders` whose profile has every permission but to see everything.
    private static func scopedAgent(_ gateway: TestGateway) async throws -> SignedInAgent {
        let brand = gateway.brand
        let dana = try await brand.agent("dana")
        let settings = [
            (ContactCentreSettings.Section.skills, #"[SKILL("general",true),SKILL("orders",false)]"#),
            (.people, #"[{"agent":"agent-dana-tulip","skills":["orders"],"capacity":3}]"#),
        ]
        for (section, value) in settings {
            let value = value.replacing(/SKILL\("(.+?)",(.+?)\)/) { skill in
                #"{"id":"\#(skill.1)","name":"\#(skill.1)","default":\#(skill.2),"accept":"offer","offerSeconds":30,"#
                    + #""sla":{"usual":900,"urgent":300,"first":600},"velocity":100,"#
                    + #""disposition":"off","survey":false}"#
            }
            _ = try await brand.centre.put(section, Array(value.utf8), of: TestBrand.tulip)
        }
        let mona = try await brand.agent("mona", role: .administrator)
        let all = Permission.allowed(of: Set(Permission.allCases).subtracting([.seeAllConversations, .readHistory]))
        let names = all.map { "\"\($0.rawValue)\"" }.joined(separator: ",")
        let made = try await gateway.send(
            "POST", "/v1/profiles", as: .agent(mona), #"{"name":"Temps","permissions":[\#(names)]}"#)
        let id = try #require(made.json["profile"]?["id"]?.text, "\(made.text)")
        let given = try await gateway.send(
            "PATCH", "/v1/agents/\(dana.id)", as: .agent(mona), #"{"profile":"\#(id)"}"#)
        #expect(made.status == 200 && given.status == 200)
        return dana
    }
}

extension Route {
    fileprivate var namesConversation: Bool {
        path.contains("{conversation}") || body.fields.contains { $0.name == "conversation" }
    }
}
