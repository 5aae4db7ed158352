import EarshotCore
import EarshotModel
import HTTPTypes
import Hummingbird

/// A person's own password and sessions, when sessions end that nobody uses, and the blocking of consumers.
struct AccessRoutes: Sendable {
    private static let passwordBytes = 1024
    /// Numbers that a request may have; the service says which of them can be set.
    private static let numbers = -1_000_000...1_000_000

    let identity: IdentityService
    let access: ConversationAccess

    var routes: [Route] {
        [
            Route(
                .post, "/v1/password",
                body: .json([
                    .required("old", .text(bytes: Self.passwordBytes)),
                    .required("new", .text(bytes: Self.passwordBytes)),
                ]), .agent(nil, changePassword)),
            Route(.get, "/v1/sessions", .agent(nil, sessions)),
            Route(.delete, "/v1/sessions/{session}", body: .json([]), .agent(nil, end)),
            Route(.get, "/v1/sessions/rule", .agent(.changePeople, rule)),
            Route(
                .put, "/v1/sessions/rule", body: .json([.required("idleMinutes", .integer(Self.numbers))]),
                .agent(.changePeople, changeRule)),
            Route(
                .post, "/v1/conversations/{conversation}/sign-out", body: .json([]), .agent(.blockConsumers, signOut)),
            Route(.get, "/v1/conversations/{conversation}/block", .agent(.blockConsumers, readBlock)),
            Route(
                .put, "/v1/conversations/{conversation}/block", body: .json([.required("blocked", .boolean)]),
                .agent(.blockConsumers, block)),
        ]
    }

    @Sendable private func changePassword(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        try await identity.changePassword(
            from: request.fields.text("old"), to: request.fields.text("new"), as: signedIn.caller, cookie: cookie,
            address: request.peer.throttleName)
        return .nothing
    }

    @Sendable private func sessions(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        let sessions = try await identity.sessions.sessions(of: signedIn.caller)
        return try .json(["sessions": sessions.map { Answer($0, isCurrent: $0.isOf(cookie: cookie)) }]
        )
    }

    @Sendable private func end(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws -> Response
    {
        guard let id = request.parameters.get("session") else { throw Rejection.notFound }
        try await identity.sessions.end(id, of: signedIn.caller)
        return .nothing
    }

    @Sendable private func rule(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        try .json(Rule(idleMinutes: try await identity.idle.minutes(as: signedIn.caller)))
    }

    @Sendable private func changeRule(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        let minutes = request.fields.optionalInteger("idleMinutes") ?? 0
        try await identity.idle.set(minutes: minutes, as: signedIn.caller)
        return try .json(Rule(idleMinutes: minutes))
    }

    @Sendable private func signOut(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        let open = try await access.open(request.identifier("conversation"), as: .agent(signedIn.caller))
        try await identity.sessions.signOut(open, as: signedIn.caller)
        return .nothing
    }

    @Sendable private func readBlock(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        let open = try await access.open(request.identifier("conversation"), as: .agent(signedIn.caller))
        return try .json(["blocked": identity.sessions.isBlocked(open, as: signedIn.caller)])
    }

    @Sendable private func block(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        let isBlocked = request.fields.optionalFlag("blocked") ?? true
        let open = try await access.open(request.identifier("conversation"), as: .agent(signedIn.caller))
        try await identity.sessions.block(open, isBlocked, as: signedIn.caller)
        return try .json(["blocked": isBlocked])
    }

    private struct Rule: Encodable {
        let idleMinutes: Int
    }

    private struct Answer: Encodable {
        let id: String
        let since: Timestamp?
        let used: Timestamp
        let expires: Timestamp
        let device: String?
        let current: Bool

        init(_ session: Session, isCurrent: Bool) {
            (id, since, expires) = (session.id, session.since, session.expires)
            used = session.lastUse
            (device, current) = (session.device, isCurrent)
        }
    }
}
