public import EarshotCore
import EarshotModel

extension Account {
    /// A brand.
    public static let sample = Account(
        id: AccountID(trusted: "brand"), name: "The Brand", color: "#336699", welcome: "Hello!", audioLimitMs: 60_000)
}

extension App {
    /// An app of the sample brand.
    public static let sample = App(
        id: AppID(trusted: "shop"), account: Account.sample.id, name: "The shop",
        allowedOrigins: ["https://shop.example"])
}

extension Agent {
    /// An agent of the sample brand.
    public static let sample = Agent(
        id: AgentID(trusted: "agent-dana"), account: Account.sample.id, email: "dana@brand.example", name: "Dana",
        role: .agent,
        password: PasswordHash(encoded: "scrypt$none"))
}

extension Consumer {
    /// A consumer of the sample brand.
    public static let sample = Consumer(
        id: ConsumerID(trusted: "brand-consumer-1"), account: Account.sample.id, app: App.sample.id,
        conversation: ConversationID(trusted: "brand-conversation-1"),
        since: Timestamp(milliseconds: 1_763_798_400_000), name: "Visitor 4f2a", page: nil, language: "de", device: nil)
}

extension RecordedMedia {
    /// A recording in the sample conversation that no scanner has to check.
    public static let sample = RecordedMedia(
        content: .sample(), conversation: ConversationID(trusted: "brand-conversation-1"), author: "brand-consumer-1",
        sha256: [1, 2, 3], container: "webm")
}
