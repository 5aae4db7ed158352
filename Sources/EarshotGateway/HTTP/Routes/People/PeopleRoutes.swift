import EarshotCore
import EarshotModel
import HTTPTypes
import Hummingbird

/// Changes to the brand's people, invitations, and links for forgotten passwords.
struct PeopleRoutes: Sendable {
    private static let roleBytes = 16
    private static let nameBytes = 400
    private static let profileBytes = 64
    /// What a request names to give a person the built-in profile of the role.
    private static let builtIn = "built-in"

    let identity: IdentityService

    var routes: [Route] {
        [
            Route(
                .patch, "/v1/agents/{agent}",
                body: .json([
                    .optional("role", .text(bytes: Self.roleBytes)), .optional("disabled", .boolean),
                    .optional("name", .text(bytes: Self.nameBytes)),
                    .optional("profile", .text(bytes: Self.profileBytes)),
                ]), .agent(.changePeople, change)),
            Route(
                .post, "/v1/agents",
                body: .json([
                    .required("email", .text(bytes: PasswordLinkService.emailBytes)),
                    .required("name", .text(bytes: Self.nameBytes)), .required("role", .text(bytes: Self.roleBytes)),
                ]), .agent(.changePeople, invite)),
            Route(.post, "/v1/agents/{agent}/link", body: .json([]), .agent(.changePeople, renew)),
            Route(.delete, "/v1/agents/{agent}/link", body: .json([]), .agent(.changePeople, revoke)),
        ]
    }

    @Sendable private func invite(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        let fields = request.fields
        let (person, link) = try await identity.links.invite(
            .init(
                email: fields.text("email"), name: fields.text("name"),
                role: Role(rawValue: fields.text("role")) ?? .consumer),
            as: signedIn.caller)
        return try .json(Invited(agent: Answer(person), link: Link(link)))
    }

    @Sendable private func renew(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        let link = try await identity.links.renew(for: request.identifier("agent"), as: signedIn.caller)
        return try .json(["link": Link(link)])
    }

    @Sendable private func revoke(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        try await identity.links.revoke(of: request.identifier("agent"), as: signedIn.caller)
        return .nothing
    }

    @Sendable private func change(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        let fields = request.fields
        // An unknown role is refused like the role of a consumer.
        let role = fields.optionalText("role").map { Role(rawValue: $0) ?? .consumer }
        var patch = PersonPatch(
            role: role, isDisabled: fields.optionalFlag("disabled"), name: fields.optionalText("name"))
        patch.profile = try fields.optionalText("profile").map { name throws(Rejection) in
            guard name != Self.builtIn else { return .builtIn }
            guard let id = ProfileID(name) else { throw Rejection(.badRequest, "profile: must be an id.") }
            return .made(id)
        }
        let person = try await identity.change(patch, of: request.identifier("agent"), as: signedIn.caller)
        return try .json(["agent": Answer(person)])
    }

    private struct Invited: Encodable {
        let agent: Answer
        let link: Link
    }

    /// A new link. Nothing shows it a second time.
    private struct Link: Encodable {
        let path: String
        let expires: Timestamp

        init(_ link: NewPasswordLink) {
            (path, expires) = (link.path, link.expires)
        }
    }

    private struct Answer: Encodable {
        let id: AgentID
        let name: String
        let email: String
        let role: Role
        let disabled: Bool
        let profile: ProfileID?

        init(_ agent: Agent) {
            (id, name, email, role, disabled) = (agent.id, agent.name, agent.email, agent.role, agent.isDisabled)
            profile = agent.profile
        }
    }
}
