public import EarshotModel

/// Makes and verifies the signed tokens of consumers. Verifying needs no database.
///
/// Format: `e2.<key>.<account>.<app>.<consumer>.<conversation>.<issued, seconds>.<signature>`. The signature covers
/// everything before the last dot. Tokens of the first format, `e1`, name no key: the first key signed them. Those of
/// signed-in consumers, `e3`, have `<expires, seconds>` before the signature; those of signed-in consumers who were
/// signed out everywhere before, `e4`, have `<expires, seconds>.<generation>` there.
public struct ConsumerTokens: Sendable {
    /// How long a token is valid: 13 months, as long as history is kept.
    public static let lifetimeMs: Int64 = 400 * 24 * 3600 * 1000
    /// The age after which a token is replaced when its owner returns.
    public static let renewAfterMs: Int64 = 30 * 24 * 3600 * 1000
    private static let version: Substring = "e2"
    private static let firstVersion: Substring = "e1"
    private static let signedInVersion: Substring = "e3"
    private static let signedInAgainVersion: Substring = "e4"
    /// Longer input is refused before anything is computed.
    private static let maximumLength = 360

    private let keys: KeyRing

    /// Creates the signer.
    public init(keys: KeyRing) {
        self.keys = keys
    }

    /// Makes a token.
    /// - Parameter caller: whom it names. A signed-in consumer's token ends when they have to show a fresh ID token.
    public func make(for caller: ConsumerCaller) -> String {
        let issued = caller.tokenIssued.milliseconds / 1000
        var body = ".\(keys.newest).\(caller.account).\(caller.app).\(caller.id).\(caller.conversation).\(issued)"
        if let until = caller.signedInUntil {
            let isAgain = caller.generation > 0
            body = (isAgain ? Self.signedInAgainVersion : Self.signedInVersion) + body
            body += ".\(until.milliseconds / 1000)" + (isAgain ? ".\(caller.generation)" : "")
        } else {
            body = Self.version + body
        }
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
        guard let layout = Layout(parts), let signature = parts.last,
            keys.isGenuine(signature, of: String(token.dropLast(signature.count + 1)), key: layout.key, at: now)
        else { throw .notSignedIn }
        let body = layout.body.map(String.init)
        guard let account = AccountID(body[0]), let app = AppID(body[1]), let consumer = ConsumerID(body[2]),
            let conversation = ConversationID(body[3]), let issued = Self.time(body[4])
        else { throw .notSignedIn }
        let until = body.count > 5 ? Self.time(body[5]) : nil
        let generation = body.count > 6 ? Int(body[6]) : 0
        guard until != nil || body.count == 5, let generation else { throw .notSignedIn }
        let caller = ConsumerCaller(
            id: consumer, account: account, app: app, conversation: conversation, tokenIssued: issued,
            signedInUntil: until, generation: generation)
        guard issued <= now.adding(milliseconds: Self.clockSkewMs) else { throw .notYetValid }
        guard now < caller.expires else { throw .notSignedIn }
        return caller
    }

    /// What a token's parts are, by its version.
    private struct Layout {
        /// The id of the key that signed it.
        let key: Substring
        /// The parts between key and signature.
        let body: ArraySlice<Substring>

        /// `nil` if it has not the parts of a token.
        init?(_ parts: [Substring]) {
            switch parts.first {
            case signedInVersion where parts.count == 9: (key, body) = (parts[1], parts[2..<8])
            case signedInAgainVersion where parts.count == 10: (key, body) = (parts[1], parts[2..<9])
            case version where parts.count == 8: (key, body) = (parts[1], parts[2..<7])
            case firstVersion where parts.count == 7: (key, body) = (Substring(SigningKey.firstID), parts[1..<6])
            default: return nil
            }
        }
    }

    private static func time(_ text: String) -> Timestamp? {
        guard let seconds = Int64(text), seconds < Int64.max / 2000 else { return nil }
        return Timestamp(milliseconds: seconds * 1000)
    }

    /// How far the clock may be set back without signing anyone out.
    static let clockSkewMs: Int64 = 5 * 60 * 1000
}
