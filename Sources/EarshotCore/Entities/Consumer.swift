public import EarshotModel

/// A consumer of one app: anonymous, or a person whom the brand's identity provider knows. The same person is a second
/// consumer while signed in, so that neither area shows the conversation of the other.
///
/// The id of the consumer's conversation is fixed from the start; the conversation begins with the first message.
public struct Consumer: Hashable, Codable, Sendable {
    /// The consumer's id.
    public let id: ConsumerID
    /// The brand.
    public let account: AccountID
    /// The site or app that the consumer came from.
    public let app: AppID
    /// The one conversation that the consumer has with the brand.
    public let conversation: ConversationID
    /// When the consumer first opened the widget.
    public let since: Timestamp
    /// The name that agents see.
    public var name: String
    /// The page on which the consumer opened the widget.
    public var page: String?
    /// The browser's language, BCP 47.
    public var language: String?
    /// The browser and the device, as a short text.
    public var device: String?
    /// The IANA time zone of the consumer's clock; `nil` if the client did not send it.
    public var zone: String?
    /// Who the consumer is to the brand's identity provider; `nil` if anonymous.
    public let subject: ProviderSubject?
    /// What the newest ID token says about the consumer.
    public var verified: VerifiedClaims?

    /// Creates a consumer.
    public init(
        id: ConsumerID, account: AccountID, app: AppID, conversation: ConversationID, since: Timestamp, name: String,
        page: String?, language: String?, device: String?, zone: String? = nil, subject: ProviderSubject? = nil,
        verified: VerifiedClaims? = nil
    ) {
        self.id = id
        self.account = account
        self.app = app
        self.conversation = conversation
        self.since = since
        self.name = name
        self.page = page
        self.language = language
        self.device = device
        self.zone = zone
        self.subject = subject
        self.verified = verified
    }

    /// This consumer, after signing in again with what the page and the newest ID token say.
    public func updated(by arrival: Consumer) -> Consumer {
        var updated = self
        (updated.verified, updated.page, updated.device) = (arrival.verified, arrival.page, arrival.device)
        (updated.language, updated.zone) = (arrival.language ?? language, arrival.zone ?? zone)
        if arrival.verified?.name != nil { updated.name = arrival.name }
        return updated
    }
}

extension Consumer {
    /// The name shown for a consumer who has not given one.
    public static func visitorName(of consumer: ConsumerID) -> String {
        "Visitor "
            + consumer.rawValue.lazy.filter { $0.isLetter || $0.isNumber }.prefix(4).map { $0.uppercased() }.joined()
    }
}
