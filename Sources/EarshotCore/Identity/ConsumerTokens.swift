import Crypto
public import EarshotModel

/// Anonymous consumer tokens: who a consumer is and which conversation is theirs, signed, so that no row is read to believe it.
///
/// `e1.<account>.<app>.<consumer>.<conversation>.<issued, seconds>.<MAC>`: HMAC-SHA256 over what stands before the last dot, its first 16 bytes.
public struct ConsumerTokens: Sendable {
    /// A token is good for as long as history is kept: 13 months.
    public static let lifetimeMs: Int64 = 400 * 24 * 3600 * 1000
    /// An older one is renewed when its owner comes back.
    public static let renewAfterMs: Int64 = 30 * 24 * 3600 * 1000
    private static let version: Substring = "e1"
    private static let macBytes = 16
    /// Longer text is refused before anything is computed.
    private static let maximumLength = 300

    private let key: SymmetricKey

    /// - Parameter secret: 32 random bytes that only this installation knows.
    public init(secret: [UInt8]) {
        precondition(secret.count >= 32, "the token secret has at least 32 bytes")
        key = SymmetricKey(data: secret)
    }

    public func make(
        consumer: ConsumerID, account: AccountID, app: AppID, conversation: ConversationID, at now: Timestamp
    ) -> String {
        let body = "\(Self.version).\(account).\(app).\(consumer).\(conversation).\(now.milliseconds / 1000)"
        return body + "." + mac(of: body)
    }

    /// - Throws: `Rejection.notSignedIn` for a token that is malformed, forged, from the future or too old: never says which.
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
        guard issued <= now.adding(milliseconds: Self.clockSkewMs), now < issued.adding(milliseconds: Self.lifetimeMs)
        else { throw .notSignedIn }
        return ConsumerCaller(id: consumer, account: account, app: app, conversation: conversation, tokenIssued: issued)
    }

    /// A clock may be set back by so much without anybody having to sign in again.
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
