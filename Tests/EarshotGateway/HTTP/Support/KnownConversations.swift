import EarshotCore
import EarshotDomain
import EarshotModel
import Synchronization

/// A log that knows whose conversations there are: all that HTTP asks of it.
final class KnownConversations: ConversationStore {
    let epoch = "test"
    private let identities = Mutex<[ConversationID: ConversationIdentity]>([:])
    private let states = Mutex<[ConversationID: ConversationState]>([:])
    private let asked = Mutex<[[ConversationID]]>([])
    private let listeners = Mutex<[any CommitListener]>([])

    /// The conversations of each reading of states.
    var statesRead: [[ConversationID]] { asked.withLock { $0 } }
    /// Every listener that was ever connected.
    var connected: [any CommitListener] { listeners.withLock { $0 } }

    func add(_ identity: ConversationIdentity) {
        identities.withLock { $0[identity.id] = identity }
    }

    /// From now on the conversation can be read, in this state.
    func show(_ state: ConversationState) {
        add(state.identity)
        states.withLock { $0[state.identity.id] = state }
    }

    func identity(of conversation: ConversationID) async throws(AdapterFailure) -> ConversationIdentity? {
        identities.withLock { $0[conversation] }
    }

    func change(_ change: Change, answer: @escaping @Sendable (Result<Accepted, ChangeFailure>) -> Void) {
        answer(.failure(.failed(AdapterFailure("not here", isRetryable: false))))
    }

    func apply(_ verdict: ScanVerdict) async throws(AdapterFailure) -> Bool { false }
    func played(_ conversation: ConversationID, from: Int, through: Int) async throws(AdapterFailure)
        -> [MessagePlayback]
    { [] }
    func played(_ conversation: ConversationID, changedAfter position: Int64) async throws(AdapterFailure)
        -> [MessagePlayback]
    { [] }
    func raise(_ request: WatermarkUpdate) {}
    func view(_ conversation: ConversationID, after: Int?, limit: Int) async throws(AdapterFailure) -> ConversationView?
    {
        states.withLock { $0[conversation] }.map {
            ConversationView(state: $0, marks: Marks(), events: [], hasMore: false, continuesCursor: false)
        }
    }
    func states(of conversations: [ConversationID], in account: AccountID) async throws(AdapterFailure)
        -> [ConversationID: ConversationState]
    {
        asked.withLock { $0.append(conversations) }
        return states.withLock { states in
            states.filter { conversations.contains($0.key) && $0.value.identity.account == account }
        }
    }
    func page(_ conversation: ConversationID, before: Int, limit: Int) async throws(AdapterFailure) -> [StoredEvent] {
        []
    }
    func tail(_ conversation: ConversationID, after: Int) -> ConversationTail? { nil }
    func inbox(_ account: AccountID, after: Int64?) async throws(AdapterFailure) -> Inbox {
        Inbox(rows: [], position: 0, continuesPosition: after == 0)
    }
    func changedRows(of account: AccountID, after: Int64, limit: Int) async throws(AdapterFailure) -> Inbox {
        Inbox(rows: [], position: 0, continuesPosition: true)
    }
    func connect(_ commitListener: any CommitListener) { listeners.withLock { $0.append(commitListener) } }
}
