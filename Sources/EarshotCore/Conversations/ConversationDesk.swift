import Crypto
import EarshotDomain
public import EarshotModel

/// What people do in a conversation: say something, take it, close it, read it.
public struct ConversationDesk: Sendable {
    private let store: any ConversationStore
    private let accounts: any AccountStore
    private let now: @Sendable () -> Timestamp

    public init(store: any ConversationStore, accounts: any AccountStore, surroundings: Surroundings) {
        self.store = store
        self.accounts = accounts
        self.now = surroundings.now
    }

    /// Asks for one command. `answer` is called once, from the store's writer: it must not block.
    public func perform(
        _ command: Command, key: IdempotencyKey, in conversation: OpenConversation,
        answer: @escaping @Sendable (Result<Accepted, ChangeFailure>) -> Void
    ) {
        if let refusal = refusal(of: command, by: conversation.caller) { return answer(.failure(.refused(refusal))) }
        let actor = conversation.actor
        store.change(
            Change(
                conversation: conversation.id, identity: conversation.mayBegin ? conversation.identity : nil, author: conversation.caller.author,
                key: key, digest: Self.digest(of: command), at: now(),
                decide: { state throws(Rejection) in try state.decide(command, by: actor) }),
            answer: answer)
    }

    /// The recording that a message wants to carry.
    /// - Throws: `Rejection.notFound` unless this caller recorded it for this conversation.
    public func audio(_ media: MediaID, in conversation: OpenConversation) async throws -> AudioContent {
        guard let recording = try await accounts.recording(media, in: conversation.id), recording.author == conversation.caller.author else {
            throw Rejection.notFound
        }
        return recording.content
    }

    /// The caller's devices have everything through `delivered`, and a person saw everything through `read`.
    /// An agent who never joined moves no mark: a manager who looks in leaves no trace.
    public func mark(delivered: Int, read: Int, in conversation: OpenConversation) {
        let actor = conversation.actor
        store.raise(MarkRequest(conversation: conversation.id, delivered: delivered, read: read) { $0.participant(actor) })
    }

    private func refusal(of command: Command, by caller: Caller) -> Rejection? {
        guard case .agent(let agent) = caller else { return nil }
        let needed: Permission =
            switch command {
            case .send, .take: .answerConversations
            case .close: .closeConversations
            }
        return agent.may(needed) ? nil : Rejection(.forbidden, "Your role does not allow this.")
    }

    /// The first half of SHA-256 over the command: enough that no two commands share it by chance or design.
    private static func digest(of command: Command) -> [UInt8] {
        Array(SHA256.hash(data: command.canonicalBytes).prefix(16))
    }
}
