public import EarshotModel

/// Makes and verifies the signed tokens of anonymous consumers. Verifying needs no database.
///
/// Format: `e2.<key>.<account>.<app>.<consumer>.<conversation>.<issued, seconds>.<signature>`. The signature covers
/// everything before the last dot. Tokens of the first format, `e1`, name no key: the first key signed them.
public struct ConsumerTokens: Sendable {
    /// How long a token is valid: 13 months, as long as history is kept.
    public static let lifetimeMs: Int64 = 400 * 24 * 3600 * 1000
    /// The age after which a token is replaced when its owner returns.
    public static let renewAfterMs: Int64 = 30 * 24 * 3600 * 1000
    private static let version: Substring = "e2"
    private static let firstVersion: Substring = "e1"
    /// The parts of a token without version and key.
    private static let bodyParts = 6
    /// Longer input is refused before anything is computed.
    private static let maximumLength = 340

    private let keys: KeyRing

    /// Creates the signer.
    public init(keys: KeyRing) {
        self.keys = keys
    }

    /// Makes a token for a consumer.
    public func make(
        consumer: ConsumerID, account: AccountID, app: AppID, conversation: ConversationID, at now: Timestamp
    ) -> String {
        let body =
            "\(Self.version).\(keys.newest).\(account).\(app).\(consumer).\(conversation).\(now.milliseconds / 1000)"
        return body + "." + keys.sign(body)
    }

    /// Whether a verified token should be replaced when its owner returns: it is old, or an old key signed it.
    public func isOld(_ token: String, of caller: ConsumerCaller, at now: Timestamp) -> Bool {
        now.milliseconds - caller.tokenIssued.milliseconds > Self.renewAfterMs
            || !token.hasPrefix("\(Self.version).\(keys.newest).")
    }

    /// Verifies a token.
    /// - Throws: `not_signed_in` if the token is malformed, forged or expired, without saying which; `not_yet_valid` if
    ///   it is genuine but from the future, so that its owner keeps it until the clock is right again.
    public func verify(_ token: String, at now: Timestamp) throws(Rejection) -> ConsumerCaller {
        guard token.utf8.count <= Self.maximumLength else { throw .notSignedIn }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        let body = parts.suffix(Self.bodyParts).map(String.init)
        guard let key = Self.key(of: parts), let signature = parts.last,
            keys.isGenuine(signature, of: String(token.dropLast(signature.count + 1)), key: key, at: now)
        else { throw .notSignedIn }
        guard let account = AccountID(body[0]), let app = AppID(body[1]), let consumer = ConsumerID(body[2]),
            let conversation = ConversationID(body[3]), let seconds = Int64(body[4]), seconds < Int64.max / 2000
        else { throw .notSignedIn }
        let issued = Timestamp(milliseconds: seconds * 1000)
        guard issued <= now.adding(milliseconds: Self.clockSkewMs) else { throw .notYetValid }
        guard now < issued.adding(milliseconds: Self.lifetimeMs) else { throw .notSignedIn }
        return ConsumerCaller(id: consumer, account: account, app: app, conversation: conversation, tokenIssued: issued)
    }

    /// The id of the key that signed a token; `nil` if it has not the parts of one.
    private static func key(of parts: [Substring]) -> Substring? {
        switch parts.first {
        case version where parts.count == bodyParts + 2: parts[1]
        case firstVersion where parts.count == bodyParts + 1: Substring(SigningKey.firstID)
        default: nil
        }
    }

    /// How far the clock may be set back without signing anyone out.
    static let clockSkewMs: Int64 = 5 * 60 * 1000
}
