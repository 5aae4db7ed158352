import EarshotDomain
import EarshotModel

/// The ports that routing uses.
struct RoutingDependencies: Sendable {
    let store: any ConversationStore
    let source: any RoutingSource
    let accounts: any AccountStore & AgentStore & ConsumerStore
    let centres: any ContactCentreSource
    let profiles: any ProfileStore
    let now: @Sendable () -> Timestamp
    let metrics = RoutingMetrics()
}
