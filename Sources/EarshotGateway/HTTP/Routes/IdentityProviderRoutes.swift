import EarshotCore
import EarshotModel
import Foundation
import HTTPTypes
import Hummingbird

/// The identity provider that signs a brand's consumers in. For managers.
struct IdentityProviderRoutes: Sendable {
    private static let path = "/v1/identity-provider"
    /// Wider than what can be saved, so that a text that is too long is refused with its bound.
    private static let nameBytes = 4096
    /// Four times what a token may have, so that a longer one is reported as too large.
    private static let tokenBytes = 64 * 1024

    let signIn: ConsumerSignInService

    var routes: [Route] {
        [
            Route(.get, Self.path, .agent(.changeIdentityProvider, read)),
            Route(
                .put, Self.path,
                body: .document([
                    .required("issuer", .text(bytes: Self.nameBytes)),
                    .required("audience", .text(bytes: Self.nameBytes)),
                    .required("keys", .text(bytes: IdentityProvider.keysBytes)), .optional("claims", .anything),
                    .optional("verifiesContacts", .boolean),
                ]), .agent(.changeIdentityProvider, save)),
            Route(
                .post, Self.path + "/check", body: .document([.required("idToken", .text(bytes: Self.tokenBytes))]),
                .agent(.changeIdentityProvider, check)),
            Route(.delete, Self.path, body: .json([]), .agent(.changeIdentityProvider, remove)),
        ]
    }

    @Sendable private func read(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        try await answer(try await signIn.provider(as: signedIn.caller), signedIn)
    }

    private func answer(_ overview: ConsumerSignInService.Overview?, _ signedIn: SignedIn) async throws -> Response {
        let refusals = try signIn.refusals(as: signedIn.caller)
        return try .json(Answer(provider: overview.map(Provider.init), refusals: refusals.map(Refusals.init)))
    }

    /// Tells what a token says and whether it would be accepted. It signs no one in.
    @Sendable private func check(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        let token = request.fields.text("idToken").trimmingCharacters(in: .whitespacesAndNewlines)
        return try .json(Report(try await signIn.report(on: token, as: signedIn.caller)))
    }

    @Sendable private func save(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        let fields = request.fields
        let overview = try await signIn.save(
            IdentityProvider(
                issuer: fields.text("issuer"), audience: fields.text("audience"), keys: fields.text("keys"),
                claims: try Self.claims(fields), verifiesContacts: fields.optionalFlag("verifiesContacts") ?? false),
            as: signedIn.caller)
        return try await answer(overview, signedIn)
    }

    @Sendable private func remove(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        try await signIn.removeProvider(as: signedIn.caller)
        return .nothing
    }

    private static func claims(_ fields: Fields) throws(Rejection) -> [IdentityProvider.ShownClaim] {
        guard let bytes = fields.optionalAnything("claims") else { return [] }
        do {
            return try JSONDecoder().decode([IdentityProvider.ShownClaim].self, from: Data(bytes))
        } catch {
            throw Rejection(.badRequest, "The field \"claims\" must be a list of objects with \"claim\" and \"label\".")
        }
    }

    private struct Answer: Encodable {
        let provider: Provider?
        let refusals: [Refusals]
    }

    private struct Refusals: Encodable {
        let reason: String
        let count: Int
        let last: Timestamp

        init(_ refusals: ConsumerSignInService.Refusals) {
            (reason, count, last) = (refusals.reason, refusals.count, refusals.last)
        }
    }

    private struct Report: Encodable {
        let accepted: Bool
        let reason: String?
        let encrypted: Bool
        let algorithm: String?
        let key: String?
        let keyKnown: Bool
        let issuer: String?
        let audiences: [String]
        let subject: String?
        let issued: Timestamp?
        let notBefore: Timestamp?
        let expires: Timestamp?
        let claims: VerifiedClaims?

        init(_ report: IDTokenReport) {
            (accepted, reason, encrypted) = (report.failure == nil, report.failure, report.isEncrypted)
            (algorithm, key, keyKnown) = (report.algorithm, report.keyID, report.isKeyKnown)
            (issuer, audiences, subject) = (report.issuer, report.audiences, report.subject)
            (issued, notBefore, expires) = (report.issued, report.notBefore, report.expires)
            claims = report.claims
        }
    }

    private struct Provider: Encodable {
        let issuer: String
        let audience: String
        let keys: String
        let keysSince: Timestamp?
        let claims: [IdentityProvider.ShownClaim]
        let verifiesContacts: Bool
        let usable: [Key]
        let ignored: [Ignored]
        let encryptionKey: EncryptionKey

        struct Key: Encodable {
            let id: String?
            let algorithm: String
            let used: Timestamp?
        }

        struct Ignored: Encodable {
            let position: Int
            let reason: String
        }

        /// A JSON Web Key (RFC 7517).
        struct EncryptionKey: Encodable {
            let kty = "EC"
            let crv = "P-256"
            let use = "enc"
            let alg = "ECDH-ES"
            let x: String
            let y: String
        }

        init(_ overview: ConsumerSignInService.Overview) {
            let provider = overview.provider
            (issuer, audience, keysSince) = (provider.issuer, provider.audience, provider.keysSince)
            (keys, claims, verifiesContacts) = (provider.keys, provider.claims, provider.verifiesContacts)
            usable = overview.keys.map { Key(id: $0.id, algorithm: $0.algorithm, used: $0.used) }
            ignored = overview.ignored.map { Ignored(position: $0.position, reason: $0.reason) }
            let point = overview.encryptionKey
            encryptionKey = EncryptionKey(x: Base64URL.encode(point.x), y: Base64URL.encode(point.y))
        }
    }
}
