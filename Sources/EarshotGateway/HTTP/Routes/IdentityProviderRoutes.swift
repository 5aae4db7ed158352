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
            Route(.delete, Self.path, body: .json([]), .agent(.changeIdentityProvider, remove)),
        ]
    }

    @Sendable private func read(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        try .json(Answer(provider: try await signIn.provider(as: signedIn.caller).map(Provider.init)))
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
        return try .json(Answer(provider: Provider(overview)))
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
    }

    private struct Provider: Encodable {
        let issuer: String
        let audience: String
        let keys: String
        let claims: [IdentityProvider.ShownClaim]
        let verifiesContacts: Bool
        let usable: [Key]
        let ignored: [Ignored]
        let encryptionKey: EncryptionKey

        struct Key: Encodable {
            let id: String?
            let algorithm: String
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
            (issuer, audience) = (provider.issuer, provider.audience)
            (keys, claims, verifiesContacts) = (provider.keys, provider.claims, provider.verifiesContacts)
            usable = overview.keys.map { Key(id: $0.id, algorithm: $0.algorithm) }
            ignored = overview.ignored.map { Ignored(position: $0.position, reason: $0.reason) }
            let point = overview.encryptionKey
            encryptionKey = EncryptionKey(x: Base64URL.encode(point.x), y: Base64URL.encode(point.y))
        }
    }
}
