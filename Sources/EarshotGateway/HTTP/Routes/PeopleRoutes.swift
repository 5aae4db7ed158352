import EarshotCore
import EarshotModel
import HTTPTypes
import Hummingbird

/// Changes to the brand's people.
struct PeopleRoutes: Sendable {
    private static let roleBytes = 16
    private static let nameBytes = 400

    let identity: IdentityService

    var routes: [Route] {
        [
            Route(
                .patch, "/v1/agents/{agent}",
                body: .json([
                    .optional("role", .text(bytes: Self.roleBytes)), .optional("disabled", .boolean),
                    .optional("name", .text(bytes: Self.nameBytes)),
                ]), .agent(change))
        ]
    }

    @Sendable private func change(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        let fields = request.fields
        // An unknown role is refused like the role of a consumer.
        let role = fields.optionalText("role").map { Role(rawValue: $0) ?? .consumer }
        let patch = PersonPatch(
            role: role, isDisabled: fields.optionalFlag("disabled"), name: fields.optionalText("name"))
        let person = try await identity.change(patch, of: request.identifier("agent"), as: signedIn.caller)
        return try .json(["agent": Answer(person)])
    }

    private struct Answer: Encodable {
        let id: AgentID
        let name: String
        let email: String
        let role: Role
        let disabled: Bool

        init(_ agent: Agent) {
            (id, name, email, role, disabled) = (agent.id, agent.name, agent.email, agent.role, agent.isDisabled)
        }
    }
}
