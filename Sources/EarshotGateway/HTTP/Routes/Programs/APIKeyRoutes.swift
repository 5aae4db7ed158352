import EarshotCore
import EarshotModel
import HTTPTypes
import Hummingbird

/// Where managers make, list and revoke the API keys of their brand.
struct APIKeyRoutes: Sendable {
    private static let nameBytes = 400
    private static let scopeBytes = 400
    /// Later than any key may end.
    private static let latestMs = 1 << 50

    let keys: APIKeyService

    var routes: [Route] {
        [
            Route(.get, "/v1/keys", .agent(.manageKeys, list)),
            Route(
                .post, "/v1/keys",
                body: .json([
                    .required("name", .text(bytes: Self.nameBytes)),
                    .required("scopes", .textList(bytes: Self.scopeBytes)),
                    .optional("expires", .integer(0...Self.latestMs)),
                ]), .agent(.manageKeys, make)),
            Route(.delete, "/v1/keys/{key}", body: .json([]), .agent(.manageKeys, revoke)),
        ]
    }

    @Sendable private func list(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        let all = try await keys.keys(as: signedIn.caller)
        return try .json(["keys": all.map(Answer.init)])
    }

    @Sendable private func make(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        let fields = request.fields
        let scopes = try (fields.optionalTextList("scopes") ?? []).map { name throws(Rejection) in
            guard let scope = ProgramScope(rawValue: name) else {
                let known = ProgramScope.allCases.map(\.rawValue).joined(separator: ", ")
                throw Rejection(.badRequest, "A scope must be one of \(known).")
            }
            return scope
        }
        let expires = fields.optionalInteger("expires").map { Timestamp(milliseconds: Int64($0)) }
        let made = try await keys.make(
            APIKeyWish(name: fields.text("name"), scopes: Set(scopes), expires: expires), as: signedIn.caller)
        return try .json(Made(key: Answer(made.key), text: made.text))
    }

    @Sendable private func revoke(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        try await keys.revoke(request.identifier("key"), as: signedIn.caller)
        return .nothing
    }

    private struct Made: Encodable {
        let key: Answer
        /// What the program sends. Nothing shows it a second time.
        let text: String
    }

    private struct Answer: Encodable {
        let id: APIKeyID
        let name: String
        let scopes: [String]
        let by: String
        let made: Timestamp
        let expires: Timestamp
        let used: Timestamp?

        init(_ key: APIKey) {
            (id, name, by) = (key.id, key.name, key.by)
            scopes = key.scopes.map(\.rawValue).sorted()
            (made, expires, used) = (key.made, key.expires, key.used)
        }
    }
}
