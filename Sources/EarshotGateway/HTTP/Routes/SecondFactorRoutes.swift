import EarshotCore
import EarshotModel
import HTTPTypes
import Hummingbird

/// The second factor of the person who is signed in, and what managers do about those of others.
struct SecondFactorRoutes: Sendable {
    private static let passwordBytes = 1024

    let secondFactors: SecondFactorService

    var routes: [Route] {
        let code = Field.required("code", .text(bytes: SecondFactorService.codeBytes))
        return [
            Route(.get, "/v1/second-factor", opensBeforeSetUp: true, .agent(nil, read)),
            Route(.post, "/v1/second-factor/set-up", body: .json([]), opensBeforeSetUp: true, .agent(nil, begin)),
            Route(
                .post, "/v1/second-factor",
                body: .json([.required("setUp", .text(bytes: SecondFactorService.setUpBytes)), code]),
                opensBeforeSetUp: true, .agent(nil, confirm)),
            Route(
                .post, "/v1/second-factor/removal",
                body: .json([.required("password", .text(bytes: Self.passwordBytes)), code]), .agent(nil, turnOff)),
            Route(.delete, "/v1/agents/{agent}/second-factor", body: .json([]), .agent(.changePeople, remove)),
            Route(.get, "/v1/second-factor/rule", .agent(.changePeople, rule)),
            Route(
                .put, "/v1/second-factor/rule", body: .json([.required("required", .boolean)]),
                .agent(.changePeople, changeRule)),
        ]
    }

    @Sendable private func read(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        try .json(Answer(try await secondFactors.overview(as: signedIn.caller)))
    }

    @Sendable private func begin(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        try .json(SetUp(try await secondFactors.begin(as: signedIn.caller)))
    }

    @Sendable private func confirm(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        let fields = request.fields
        return try .json([
            "recoveryCodes": try await secondFactors.confirm(
                fields.text("setUp"), code: fields.text("code"), as: signedIn.caller)
        ])
    }

    @Sendable private func turnOff(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        try await secondFactors.turnOff(
            password: request.fields.text("password"), code: request.fields.text("code"), as: signedIn.caller,
            address: request.peer.throttleName)
        return .nothing
    }

    @Sendable private func remove(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        try await secondFactors.remove(of: request.identifier("agent"), as: signedIn.caller)
        return .nothing
    }

    @Sendable private func rule(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        try .json(["required": try await secondFactors.isRequired(as: signedIn.caller)])
    }

    @Sendable private func changeRule(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        let isRequired = request.fields.optionalFlag("required") ?? false
        try await secondFactors.require(isRequired, as: signedIn.caller)
        return try .json(["required": isRequired])
    }
}

extension SecondFactorRoutes {
    private struct Answer: Encodable {
        let on: Bool
        let required: Bool
        let since: Timestamp?
        let recoveryCodes: Int

        init(_ overview: SecondFactorService.Overview) {
            (on, required) = (overview.standing.isOn, overview.standing.isRequired)
            (since, recoveryCodes) = (overview.since, overview.recoveryCodes)
        }
    }

    private struct SetUp: Encodable {
        let secret: String
        let link: String
        let setUp: String
        /// Omitted for a link that is too long for a QR code.
        let qr: Picture?

        init(_ begun: SecondFactorSetUp) {
            (secret, link, setUp) = (begun.secret, begun.link, begun.token)
            qr = QRCode(begun.link).map { Picture(size: $0.size, path: $0.path) }
        }
    }

    /// A QR code: the modules on each side, and the dark ones as an SVG path.
    private struct Picture: Encodable {
        let size: Int
        let path: String
    }
}
