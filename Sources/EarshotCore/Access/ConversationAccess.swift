public import EarshotDomain
public import EarshotModel

/// The only way to a conversation. Whoever holds an `OpenConversation` has passed here; nothing else makes one.
public struct ConversationAccess: Sendable {
    private let store: any ConversationStore

    public init(store: any ConversationStore) {
        self.store = store
    }

    /// Opens a conversation for this caller.
    /// - Throws: `Rejection.notFound` where it does not exist or is not theirs (the same answer), or an `AdapterFailure`.
    public func open(_ conversation: ConversationID, as caller: Caller) async throws -> OpenConversation {
        switch caller {
        case .consumer(let consumer):
            guard consumer.conversation == conversation else { throw Rejection.notFound }
            return openOwn(consumer)
        case .agent(let agent):
            guard agent.may(.readConversations) else { throw Rejection.notFound }
            guard let identity = try await store.identity(of: conversation), identity.account == agent.account else {
                throw Rejection.notFound
            }
            return OpenConversation(identity: identity, caller: caller, mayBegin: false)
        }
    }

    /// A consumer's own conversation, which may not have begun.
    public func openOwn(_ consumer: ConsumerCaller) -> OpenConversation {
        let identity = ConversationIdentity(
            id: consumer.conversation, account: consumer.account, app: consumer.app, consumer: consumer.id,
            channel: .web)
        return OpenConversation(identity: identity, caller: .consumer(consumer), mayBegin: true)
    }
}

/// A conversation that this caller may use. It stays valid as long as the caller's credentials: whose conversation it is never changes.
public struct OpenConversation: Hashable, Sendable {
    public let identity: ConversationIdentity
    public let caller: Caller
    /// Whether the caller's first message begins it.
    let mayBegin: Bool

    fileprivate init(identity: ConversationIdentity, caller: Caller, mayBegin: Bool) {
        self.identity = identity
        self.caller = caller
        self.mayBegin = mayBegin
    }

    public var id: ConversationID { identity.id }

    public var viewer: Viewer {
        switch caller {
        case .consumer: .consumer
        case .agent: .brand
        }
    }

    public var actor: Actor {
        switch caller {
        case .consumer: .consumer
        case .agent(let agent): .agent(id: agent.id, name: agent.name, role: agent.role)
        }
    }
}
