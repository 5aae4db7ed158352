import EarshotCore
import EarshotModel
import HTTPTypes
import Testing

@testable import EarshotGateway

/// Generated from the table that the server runs on and from the declaration of the permissions: a route or a
/// permission that is added is tried here without anyone thinking of it.
@Suite struct `The permission of a route` {
    @Test func `is declared by every route that the brand's people use, except what is everyone's own`() async throws {
        try await TestGateway.run { gateway in
            let free = gateway.parts.router.routes.filter { $0.handler.takesAgents && $0.handler.permission == nil }
            // A new route without a permission must be added here, where a reviewer sees it.
            #expect(
                Set(free.map(\.title)) == [
                    "GET /v1/session", "POST /v1/logout", "POST /v1/tickets", "POST /v1/password", "GET /v1/sessions",
                    "DELETE /v1/sessions/{session}", "GET /v1/second-factor", "POST /v1/second-factor/set-up",
                    "POST /v1/second-factor", "POST /v1/second-factor/removal", "GET /v1/settings", "GET /v1/centre",
                    "PATCH /v1/uploads/{upload}", "GET /v1/uploads", "GET /v1/uploads/{upload}",
                    "POST /v1/uploads/{upload}/finish", "DELETE /v1/uploads/{upload}",
                ])
        }
    }

    @Test func `is missing: everything else does not help, the answer names it, and nothing changes`() async throws {
        try await TestGateway.run { gateway in
            for (permission, routes) in Self.routes(gateway) where permission != .readConversations {
                let person = try await gateway.brand.agent("most", permissions: permission.allOthers)
                let before = await gateway.brand.accounts.rows
                for route in routes {
                    let reply = try await Self.ask(gateway, route, person)
                    #expect(reply.status == 403 && reply.code == "forbidden", "\(route.title): \(reply.text)")
                    let text = reply.json["error"]?["text"]?.text ?? ""
                    #expect(text.contains("“\(permission.declaration.name)”"), "\(route.title): \(text)")
                    #expect(text.contains("administrator"), "\(route.title): \(text)")
                }
                #expect(await gateway.brand.accounts.rows == before, "\(permission)")
            }
        }
    }

    @Test func `is enough, with what it needs`() async throws {
        try await TestGateway.run { gateway in
            var tried = 0
            for (permission, routes) in Self.routes(gateway) {
                let person = try await gateway.brand.agent("single", permissions: permission.withNeeds)
                for route in routes {
                    let reply = try await Self.ask(gateway, route, person)
                    #expect(reply.status != 401 && reply.code != "forbidden", "\(route.title): \(reply.text)")
                    tried += 1
                }
            }
            #expect(tried >= 50)
        }
    }

    @Test func `for a section of the settings is that of the section`() async throws {
        try await TestGateway.run { gateway in
            let route = try #require(gateway.parts.router.routes.first { $0.title == "PUT /v1/centre/{section}" })
            for section in ContactCentreSettings.Section.allCases {
                let values = ["section": section.rawValue]
                for (permissions, isServed) in [
                    (section.permission.withNeeds, true), (section.permission.allOthers, false),
                    (Permission.changeSettings.withNeeds, section != .people),
                ] {
                    let person = try await gateway.brand.agent("settler", permissions: permissions)
                    let reply = try await gateway.ask(
                        "PUT", route.samplePath(values), as: .agent(person), headers: route.contentType,
                        body: route.sampleBody())
                    #expect((reply.status != 403) == isServed, "\(section): \(reply.text)")
                }
            }
        }
    }

    private static func routes(_ gateway: TestGateway) -> [(Permission, [Route])] {
        let routes = gateway.parts.router.routes
        return Permission.allCases.compactMap { permission in
            let own = routes.filter { $0.handler.permission == permission }
            return own.isEmpty ? nil : (permission, own)
        }
    }

    private static func ask(_ gateway: TestGateway, _ route: Route, _ person: SignedInAgent) async throws -> Reply {
        try await gateway.ask(
            route.method.rawValue, route.samplePath(), as: .agent(person), headers: route.contentType,
            body: route.sampleBody())
    }
}

extension Permission {
    /// It and what it needs: the least with which it can be held.
    var withNeeds: Set<Permission> { Set([self, .readConversations] + declaration.needs) }

    /// The most that a profile can have without it.
    var allOthers: Set<Permission> {
        Permission.allowed(of: Set(Self.allCases).subtracting([self]))
    }
}
