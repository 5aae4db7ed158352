import EarshotCore
import EarshotModel
import Foundation

/// The identity provider of the demo brand: it signs one demo consumer in, with a key pair that is made for the demo.
struct DemoIdentityProvider: Sendable {
    /// The `iss` and the `aud` of its ID tokens. No real provider has such a name.
    static let issuer = "earshot-demo"
    static let audience = "fernweh-outfitters-demo"
    static let subject = "demo-consumer"
    private static let lifetimeSeconds = 600

    let signer: DocumentSigner
    let now: @Sendable () -> Timestamp

    /// What the demo brand is set up with.
    var setting: IdentityProvider {
        IdentityProvider(
            issuer: Self.issuer, audience: Self.audience, keys: signer.verifier.pem,
            claims: [.init(claim: "tier", label: "Tier")])
    }

    /// An ID token of the demo consumer, which ends after ten minutes.
    func idToken() throws -> String {
        let seconds = Int(now().milliseconds / 1000)
        let header = JSONValue.object(["alg": .string("EdDSA"), "typ": .string("JWT")])
        let claims = JSONValue.object([
            "iss": .string(Self.issuer), "aud": .string(Self.audience), "sub": .string(Self.subject),
            "iat": .integer(seconds), "exp": .integer(seconds + Self.lifetimeSeconds),
            "name": .string("Carla Demo"), "email": .string("carla@demo.example"), "email_verified": .bool(true),
            "tier": .string("Gold"),
        ])
        let signed = [header, claims].map { Base64URL.encode($0.encoded) }.joined(separator: ".")
        return signed + "." + Base64URL.encode(try signer.signature(of: Array(signed.utf8)))
    }
}
