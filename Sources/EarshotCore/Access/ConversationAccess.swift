public import EarshotDomain
public import EarshotModel

/// Opens conversations for callers. It is the only way to a conversation: nothing else makes an `OpenConversation`.
public struct ConversationAccess: Sendable {
    private let conversations: any ConversationReads

    /// Creates the gate in front of a log.
    public init(conversations: any ConversationReads) {
        self.conversations = conversations
    }

    /// Opens a conversation for a caller.
    /// - Throws: `Rejection.notFound` if the conversation does not exist or the caller may not open it (the same
    ///   answer), or an `AdapterFailure`.
    public func open(_ conversation: ConversationID, as caller: Caller) async throws -> OpenConversation {
        switch caller {
        case .consumer(let consumer):
            guard consumer.conversation == conversation else { throw Rejection.notFound }
            if let stored = try await conversations.identity(of: conversation), !consumer.owns(stored) {
                throw Rejection.notFound
            }
            return openOwn(consumer)
        case .agent(let agent):
            guard agent.may(.readConversations) else { throw Rejection.notFound }
            guard let identity = try await conversations.identity(of: conversation), identity.account == agent.account,
                try await isInScope(conversation, of: agent)
            else { throw Rejection.notFound }
            return OpenConversation(identity: identity, caller: caller, mayBegin: false)
        }
    }

    /// Those of these conversations that a caller sees. One that has not begun is seen by those who see everything.
    func visible(_ conversations: [ConversationID], to caller: Caller) async throws -> Set<ConversationID> {
        guard case .agent(let agent) = caller else { return [] }
        var visible: Set<ConversationID> = []
        for conversation in conversations where try await isInScope(conversation, of: agent) {
            visible.insert(conversation)
        }
        return visible
    }

    /// Reads the conversation's state only for an agent who does not see everything.
    private func isInScope(_ conversation: ConversationID, of agent: AgentCaller) async throws -> Bool {
        guard agent.scope != .everything else { return true }
        guard let state = try await conversations.view(conversation, after: nil, limit: 1)?.state else { return false }
        return agent.scope.sees(ScopeFacts(state))
    }

    /// Opens a conversation for a program, which can only read it.
    /// - Parameter scope: what the program wants to read.
    /// - Throws: `forbidden` unless the program's key has the scope, `not_found` if its brand has no such conversation.
    public func open(_ conversation: ConversationID, for scope: ProgramScope, as program: ProgramCaller) async throws
        -> ReadableConversation
    {
        try program.require(scope)
        guard let identity = try await conversations.identity(of: conversation), identity.account == program.account
        else { throw Rejection.notFound }
        return ReadableConversation(identity: identity, program: program)
    }

    /// Opens a consumer's own conversation, which may not have begun yet.
    public func openOwn(_ consumer: ConsumerCaller) -> OpenConversation {
        let identity = ConversationIdentity(
            id: consumer.conversation, account: consumer.account, app: consumer.app, consumer: consumer.id,
            channel: .web)
        return OpenConversation(identity: identity, caller: .consumer(consumer), mayBegin: true)
    }
}

/// A conversation that a caller may use. For a consumer, and for an agent who sees everything, it is valid as long as
/// the credentials; another agent's scope can lose the conversation (`isInScope(_:)`).
public struct OpenConversation: Hashable, Sendable {
    /// The conversation's account, app, consumer and channel.
    public let identity: ConversationIdentity
    /// The caller who opened it.
    public let caller: Caller
    /// Whether the caller's first message begins the conversation.
    let mayBegin: Bool

    fileprivate init(identity: ConversationIdentity, caller: Caller, mayBegin: Bool) {
        self.identity = identity
        self.caller = caller
        self.mayBegin = mayBegin
    }

    /// The conversation's id.
    public var id: ConversationID { identity.id }

    /// Whether the caller still sees the conversation in this state. Decides from memory.
    public func isInScope(_ state: ConversationState) -> Bool {
        switch caller {
        case .consumer: true
        case .agent(let agent): agent.scope.sees(ScopeFacts(state))
        }
    }

    /// Whether the caller sees the conversation whatever becomes of it.
    public var isAlwaysInScope: Bool {
        switch caller {
        case .consumer: true
        case .agent(let agent): agent.scope == .everything
        }
    }

    /// Which side of the conversation the caller sees.
    public var viewer: Viewer {
        switch caller {
        case .consumer: .consumer
        case .agent(let agent): agent.may(.readNotes) ? .brand : .brandWithoutNotes
        }
    }

    /// The caller as the author of commands.
    public var actor: Actor {
        switch caller {
        case .consumer: .consumer
        case .agent(let agent):
            .agent(id: agent.id, name: agent.name, role: agent.role, permissions: agent.permissions)
        }
    }
}

/// A conversation that a program may read. No command takes it, so a program changes nothing.
public struct ReadableConversation: Hashable, Sendable {
    /// The conversation's account, app, consumer and channel.
    public let identity: ConversationIdentity
    /// The program that opened it.
    public let program: ProgramCaller

    fileprivate init(identity: ConversationIdentity, program: ProgramCaller) {
        self.identity = identity
        self.program = program
    }

    /// The conversation's id.
    public var id: ConversationID { identity.id }
}

extension ConsumerCaller {
    /// Whether a stored conversation is that of this consumer, as the token says.
    public func owns(_ stored: ConversationIdentity) -> Bool {
        stored.id == conversation && stored.consumer == id && stored.account == account
    }
}

extension Change.Target {
    /// The target of a command in an open conversation.
    init(_ conversation: OpenConversation) {
        self = conversation.mayBegin ? .existingOrNew(conversation.identity) : .existing(conversation.id)
    }
}
