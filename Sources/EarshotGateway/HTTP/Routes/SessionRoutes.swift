import EarshotCore
import EarshotModel
import HTTPTypes
import Hummingbird

/// Sign-in and sign-out of the brand's people, and tickets for their sockets.
struct SessionRoutes: Sendable {
    private static let emailBytes = 254
    private static let passwordBytes = 1024
    private static let tokenBytes = 64
    private static let nameBytes = 400
    private static let code = Field.optional("code", .text(bytes: SecondFactorService.codeBytes))

    let identity: IdentityService
    let settings: SettingsService
    let cookie: SessionCookie
    let deviceCookie: SessionCookie

    var routes: [Route] {
        [
            Route(
                .post, "/v1/login",
                body: .json([
                    .required("account", .identifier), .required("email", .text(bytes: Self.emailBytes)),
                    .required("password", .text(bytes: Self.passwordBytes)), Self.code,
                ]), .anyone(login)),
            Route(
                .post, "/v1/join/purpose", body: .json([.required("token", .text(bytes: Self.tokenBytes))]),
                .anyone(purpose)),
            Route(
                .post, "/v1/join",
                body: .json([
                    .required("token", .text(bytes: Self.tokenBytes)),
                    .required("password", .text(bytes: Self.passwordBytes)),
                    .optional("name", .text(bytes: Self.nameBytes)), Self.code,
                ]), .anyone(join)),
            Route(.get, "/v1/session", opensBeforeSetUp: true, .agent(nil, session)),
            Route(.post, "/v1/logout", body: .json([]), opensBeforeSetUp: true, .agent(nil, logout)),
            Route(.post, "/v1/tickets", body: .json([]), .agent(nil, ticket)),
        ]
    }

    @Sendable private func login(_ request: CheckedRequest) async throws -> Response {
        let fields = request.fields
        let headers = request.head.headerFields
        let session = try await identity.login(
            SignInAttempt(
                account: fields.identifier("account"), email: fields.text("email"), password: fields.text("password"),
                address: request.peer.throttleName, deviceMark: deviceCookie.value(in: headers),
                device: Device.describe(userAgent: headers[.userAgent]), code: fields.optionalText("code")))
        return try await begin(session, headers)
    }

    @Sendable private func purpose(_ request: CheckedRequest) async throws -> Response {
        try .json(Purpose(try await identity.links.purpose(of: request.fields.text("token"))))
    }

    @Sendable private func join(_ request: CheckedRequest) async throws -> Response {
        let (fields, headers) = (request.fields, request.head.headerFields)
        let session = try await identity.join(
            fields.text("token"),
            JoinRequest(password: fields.text("password"), name: fields.optionalText("name")),
            code: fields.optionalText("code"), from: request.peer.throttleName,
            device: Device.describe(userAgent: headers[.userAgent]))
        return try await begin(session, headers)
    }

    /// Answers with a new session. It ends the session that this browser had before.
    func begin(_ session: NewSession, _ headers: HTTPFields) async throws -> Response {
        if let old = cookie.value(in: headers) { try await identity.logout(cookie: old) }
        var response = try Response.json(
            try await answer(session.signedIn, recoveryCodesLeft: session.recoveryCodesLeft))
        response.headers[.setCookie] = cookie.set(session.cookie, lifetimeMs: IdentityService.sessionLifetimeMs)
        if let mark = session.deviceMark {
            response.headers[values: .setCookie].append(
                deviceCookie.set(mark, lifetimeMs: IdentityService.deviceLifetimeMs))
        }
        return response
    }

    @Sendable private func session(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        try .json(try await answer(signedIn))
    }

    private func answer(_ signedIn: SignedIn, recoveryCodesLeft: Int? = nil) async throws -> Answer {
        let settings = try await settings.view(for: .agent(signedIn.caller))
        return Answer(signedIn, settings, SecondFactor(signedIn.secondFactor, recoveryCodesLeft))
    }

    @Sendable private func logout(_ request: CheckedRequest, _ signedIn: SignedIn, value: String) async throws
        -> Response
    {
        try await identity.logout(cookie: value, by: signedIn.caller)
        var response = Response.nothing
        response.headers[.setCookie] = cookie.remove
        return response
    }

    @Sendable private func ticket(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        try .json(["ticket": try identity.ticket(for: signedIn.caller, cookie: cookie)])
    }
}

extension SessionRoutes {
    private struct Answer: Encodable {
        let agent: Person
        let account: Brand
        let csrf: String
        let limits: LimitsAnswer
        let settings: SettingsView
        let secondFactor: SecondFactor

        init(_ signedIn: SignedIn, _ settings: SettingsView, _ secondFactor: SecondFactor) {
            let caller = signedIn.caller
            agent = Person(
                id: caller.id, name: caller.name, role: caller.role,
                permissions: caller.permissions.map(\.rawValue).sorted())
            account = Brand(id: signedIn.account.id, name: signedIn.account.name)
            csrf = signedIn.csrf
            limits = LimitsAnswer(settings)
            self.settings = settings
            self.secondFactor = secondFactor
        }
    }

    private struct SecondFactor: Encodable {
        let on: Bool
        let required: Bool
        /// Only in the answer to a sign-in with a recovery code.
        let recoveryCodesLeft: Int?

        init(_ standing: SecondFactorStanding, _ recoveryCodesLeft: Int?) {
            (on, required) = (standing.isOn, standing.isRequired)
            self.recoveryCodesLeft = recoveryCodesLeft
        }
    }

    private struct Purpose: Encodable {
        let account: AccountID
        let brand: String
        let name: String
        let email: String
        let invited: Bool
        let expires: Timestamp

        init(_ purpose: PasswordLinkPurpose) {
            let person = purpose.person
            (account, brand, name, email) = (person.account, purpose.brand, person.name, person.email)
            (invited, expires) = (person.isInvited, purpose.expires)
        }
    }

    private struct Person: Encodable {
        let id: AgentID
        let name: String
        let role: Role
        let permissions: [String]
    }

    private struct Brand: Encodable {
        let id: AccountID
        let name: String
    }
}
