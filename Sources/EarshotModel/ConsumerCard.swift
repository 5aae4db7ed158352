/// What agents see of a consumer.
public struct ConsumerCard: Hashable, Codable, Sendable {
    /// The consumer's name, or a label such as "Visitor 4F2A" for an anonymous consumer.
    public let name: String
    /// The app or site in which the consumer writes.
    public let app: AppID
    /// When the server first saw this consumer.
    public let since: Timestamp
    /// The address of the page that the consumer is on. `nil` if the client did not report it.
    public let page: String?
    /// The consumer's language as a BCP 47 tag, such as `de`. `nil` if unknown.
    public let language: String?
    /// The consumer's browser and system, such as "Chrome on Linux". `nil` if unknown.
    public let device: String?
    /// What the brand's identity provider says. `nil` for an anonymous consumer.
    public let verified: VerifiedClaims?
    /// The other conversations of the same person. `nil` if there are none.
    public let related: [RelatedConversation]?

    /// Makes a card; optional parts are `nil` if the client did not report them.
    public init(
        name: String, app: AppID, since: Timestamp, page: String?, language: String?, device: String?,
        verified: VerifiedClaims? = nil, related: [RelatedConversation]? = nil
    ) {
        self.name = name
        self.app = app
        self.since = since
        self.page = page
        self.language = language
        self.device = device
        self.verified = verified
        self.related = related
    }
}

/// Another conversation of a consumer's person.
public struct RelatedConversation: Hashable, Codable, Sendable {
    /// The conversation.
    public let conversation: ConversationID
    /// The name in that conversation.
    public let name: String
    /// The app or site.
    public let app: AppID
    /// Whether the person was signed in there.
    public let signedIn: Bool

    /// Makes a reference.
    public init(conversation: ConversationID, name: String, app: AppID, signedIn: Bool) {
        self.conversation = conversation
        self.name = name
        self.app = app
        self.signedIn = signedIn
    }
}
