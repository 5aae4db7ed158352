public import EarshotCore

/// The use cases that sockets call.
public struct SocketDependencies: Sendable {
    let identity: IdentityService
    let access: ConversationAccess
    let conversations: ConversationService
    let settings: SettingsService
    let routing: RoutingService
    let audit: AuditService
    let store: any ConversationStore

    /// Names the use cases that sockets call.
    /// - Parameter store: the log that deliveries read.
    public init(
        identity: IdentityService, conversations: ConversationService, settings: SettingsService,
        routing: RoutingService, audit: AuditService, store: any ConversationStore
    ) {
        self.routing = routing
        self.audit = audit
        self.identity = identity
        access = ConversationAccess(conversations: store)
        self.conversations = conversations
        self.settings = settings
        self.store = store
    }
}
