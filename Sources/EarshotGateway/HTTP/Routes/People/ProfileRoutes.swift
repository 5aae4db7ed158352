import EarshotCore
import EarshotModel
import HTTPTypes
import Hummingbird

/// Where managers make, change and remove the profiles and groups of their brand.
struct ProfileRoutes: Sendable {
    private static let nameBytes = 400
    private static let permissionBytes = 1_024
    private static let idsBytes = 8_192

    let profiles: ProfileService

    var routes: [Route] {
        let profile: [Field] = [
            .required("name", .text(bytes: Self.nameBytes)),
            .required("permissions", .textList(bytes: Self.permissionBytes)),
        ]
        let group: [Field] = [
            .required("name", .text(bytes: Self.nameBytes)), .required("skills", .textList(bytes: Self.idsBytes)),
            .required("people", .textList(bytes: Self.idsBytes)),
        ]
        return [
            Route(.get, "/v1/profiles", .agent(.changePeople, list)),
            Route(.post, "/v1/profiles", body: .json(profile), .agent(.changePeople, make)),
            Route(.put, "/v1/profiles/{profile}", body: .json(profile), .agent(.changePeople, change)),
            Route(.delete, "/v1/profiles/{profile}", body: .json([]), .agent(.changePeople, remove)),
            Route(.get, "/v1/groups", .agent(.changePeople, listGroups)),
            Route(.post, "/v1/groups", body: .document(group), .agent(.changePeople, makeGroup)),
            Route(.put, "/v1/groups/{group}", body: .document(group), .agent(.changePeople, changeGroup)),
            Route(.delete, "/v1/groups/{group}", body: .json([]), .agent(.changePeople, removeGroup)),
        ]
    }

    @Sendable private func list(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        let made = try await profiles.profiles(as: signedIn.caller)
        let builtIn = Permission.builtInProfiles.map { ProfileAnswer(builtIn: $0) }
        return try .json(["profiles": builtIn + made.map(ProfileAnswer.init)])
    }

    @Sendable private func make(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        let made = try await profiles.make(
            request.fields.text("name"), Self.permissions(request), as: signedIn.caller)
        return try .json(["profile": ProfileAnswer(made)])
    }

    @Sendable private func change(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        let changed = try await profiles.change(
            request.identifier("profile"), to: request.fields.text("name"), Self.permissions(request),
            as: signedIn.caller)
        return try .json(["profile": ProfileAnswer(changed)])
    }

    @Sendable private func remove(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        try await profiles.remove(request.identifier("profile") as ProfileID, as: signedIn.caller)
        return .nothing
    }

    @Sendable private func listGroups(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        try .json(["groups": try await profiles.groups(as: signedIn.caller).map(GroupAnswer.init)])
    }

    @Sendable private func makeGroup(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        try .json(["group": GroupAnswer(try await profiles.make(Self.wish(request), as: signedIn.caller))])
    }

    @Sendable private func changeGroup(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        let changed = try await profiles.change(
            request.identifier("group"), to: Self.wish(request), as: signedIn.caller)
        return try .json(["group": GroupAnswer(changed)])
    }

    @Sendable private func removeGroup(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        try await profiles.remove(request.identifier("group") as GroupID, as: signedIn.caller)
        return .nothing
    }

    private static func permissions(_ request: CheckedRequest) throws(Rejection) -> Set<Permission> {
        Set(
            try (request.fields.optionalTextList("permissions") ?? []).map { name throws(Rejection) in
                guard let permission = Permission(rawValue: name) else {
                    throw Rejection(.badRequest, "permissions: one of them is unknown.")
                }
                return permission
            })
    }

    private static func wish(_ request: CheckedRequest) throws(Rejection) -> GroupWish {
        let fields = request.fields
        return GroupWish(
            name: fields.text("name"), skills: try ids(fields.optionalTextList("skills"), "skills"),
            people: try ids(fields.optionalTextList("people"), "people"))
    }

    private static func ids<Tag>(_ texts: [String]?, _ field: String) throws(Rejection) -> Set<Identifier<Tag>> {
        Set(
            try (texts ?? []).map { text throws(Rejection) in
                guard let id = Identifier<Tag>(text) else {
                    throw Rejection(.badRequest, "\(field): must be a list of ids.")
                }
                return id
            })
    }

    private struct ProfileAnswer: Encodable {
        let id: String
        let name: String
        let permissions: [String]
        /// Whether it is the profile of a role, which cannot be changed.
        let builtIn: Bool

        init(_ profile: Profile) {
            (id, name, builtIn) = (profile.id.rawValue, profile.name, false)
            permissions = profile.permissions.map(\.rawValue).sorted()
        }

        init(builtIn role: Role) {
            (id, name, builtIn) = (role.rawValue, role.rawValue, true)
            permissions = Permission.of(role).map(\.rawValue).sorted()
        }
    }

    private struct GroupAnswer: Encodable {
        let id: GroupID
        let name: String
        let skills: [SkillID]
        let people: [AgentID]

        init(_ group: PeopleGroup) {
            (id, name) = (group.id, group.name)
            (skills, people) = (group.skills.sorted(), group.people.sorted())
        }
    }
}
