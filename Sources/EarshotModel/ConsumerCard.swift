/// What an agent may know of a consumer.
public struct ConsumerCard: Hashable, Codable, Sendable {
    public let name: String
    public let app: AppID
    /// When this consumer was first seen.
    public let since: Timestamp
    public let page: String?
    public let language: String?
    public let device: String?

    public init(name: String, app: AppID, since: Timestamp, page: String?, language: String?, device: String?) {
        self.name = name
        self.app = app
        self.since = since
        self.page = page
        self.language = language
        self.device = device
    }
}
