public import EarshotCore

/// The use cases that sockets call.
///
/// A class, because each frame asks for it: a copy of a struct would retain every service.
public final class SocketDependencies: Sendable {
    let identity: IdentityService
    let access: ConversationAccess
    let calls: CallService
    let conversations: ConversationService
    let settings: SettingsService
    let routing: RoutingService
    let audit: AuditService
    let store: any ConversationStore

    /// Takes from the core what sockets call.
    /// - Parameter store: the log that deliveries read.
    public init(_ core: CoreServices, store: any ConversationStore) {
        identity = core.identity
        access = core.access
        calls = core.calls
        conversations = core.conversations
        settings = core.settings
        routing = core.routing
        audit = core.audit
        self.store = store
    }
}
