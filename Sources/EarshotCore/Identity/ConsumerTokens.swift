import Crypto
public import EarshotModel

/// Makes and verifies the signed tokens of anonymous consumers. Verifying needs no database.
///
/// Format: `e1.<account>.<app>.<consumer>.<conversation>.<issued, seconds>.<MAC>`. The MAC is the first 16 bytes of an
/// HMAC-SHA256 over everything before the last dot.
public struct ConsumerTokens: Sendable {
    /// How long a token is valid: 13 months, as long as history is kept.
    public static let lifetimeMs: Int64 = 400 * 24 * 3600 * 1000
    /// The age after which a token is replaced when its owner returns.
    public static let renewAfterMs: Int64 = 30 * 24 * 3600 * 1000
    private static let version: Substring = "e1"
    private static let macBytes = 16
    /// Longer input is refused before anything is computed.
    private static let maximumLength = 300

    private let key: SymmetricKey

    /// Creates the signer.
    /// - Parameter secret: at least 32 random bytes that only this installation knows.
    public init(secret: [UInt8]) {
        precondition(secret.count >= 32, "the token secret must have at least 32 bytes")
        key = SymmetricKey(data: secret)
    }

    /// Makes a token for a consumer.
    public func make(
        consumer: ConsumerID, account: AccountID, app: AppID, conversation: ConversationID, at now: Timestamp
    ) -> String {
        let body = "\(Self.version).\(account).\(app).\(consumer).\(conversation).\(now.milliseconds / 1000)"
        return body + "." + mac(of: body)
    }

    /// Verifies a token.
    /// - Throws: `not_signed_in` if the token is malformed, forged or expired, without saying which; `not_yet_valid` if
    ///   it is genuine but from the future, so that its owner keeps it until the clock is right again.
    public func verify(_ token: String, at now: Timestamp) throws(Rejection) -> ConsumerCaller {
        guard token.utf8.count <= Self.maximumLength else { throw .notSignedIn }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 7, parts[0] == Self.version, isGenuine(token, mac: parts[6]) else { throw .notSignedIn }
        guard let account = AccountID(String(parts[1])), let app = AppID(String(parts[2])),
            let consumer = ConsumerID(String(parts[3])),
            let conversation = ConversationID(String(parts[4])), let seconds = Int64(parts[5]),
            seconds < Int64.max / 2000
        else { throw .notSignedIn }
        let issued = Timestamp(milliseconds: seconds * 1000)
        guard issued <= now.adding(milliseconds: Self.clockSkewMs) else { throw .notYetValid }
        guard now < issued.adding(milliseconds: Self.lifetimeMs) else { throw .notSignedIn }
        return ConsumerCaller(id: consumer, account: account, app: app, conversation: conversation, tokenIssued: issued)
    }

    /// How far the clock may be set back without signing anyone out.
    static let clockSkewMs: Int64 = 5 * 60 * 1000

    private func mac(of body: some StringProtocol) -> String {
        Base64URL.encode(Array(authentication(of: body).prefix(Self.macBytes)))
    }

    private func authentication(of body: some StringProtocol) -> HMAC<SHA256>.MAC {
        HMAC<SHA256>.authenticationCode(for: Array(body.utf8), using: key)
    }

    private func isGenuine(_ token: String, mac given: Substring) -> Bool {
        guard let given = Base64URL.decode(given), given.count == Self.macBytes else { return false }
        let expected = authentication(
            of: token.dropLast(token.distance(from: token.lastIndex(of: ".") ?? token.startIndex, to: token.endIndex)))
        return zip(expected, given).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
