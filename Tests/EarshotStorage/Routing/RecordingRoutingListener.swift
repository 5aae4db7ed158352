import EarshotCore
import EarshotModel
import Synchronization

/// Remembers which conversations routing reported as changed.
final class RecordingRoutingListener: RoutingListener {
    private let seen = Mutex<Set<ConversationID>>([])
    private let onMove: @Sendable (Set<ConversationID>) -> Void

    init(onMove: @escaping @Sendable (Set<ConversationID>) -> Void = { _ in }) {
        self.onMove = onMove
    }

    var conversations: Set<ConversationID> { seen.withLock { $0 } }

    func moved(in account: AccountID, conversations: Set<ConversationID>, people: Set<AgentID>) {
        seen.withLock { $0.formUnion(conversations) }
        onMove(conversations)
    }
}
