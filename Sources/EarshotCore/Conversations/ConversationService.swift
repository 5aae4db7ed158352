import Crypto
import EarshotDomain
public import EarshotModel

/// What people do in a conversation: say something, take it, close it, read it.
public struct ConversationService: Sendable {
    private let store: any ConversationStore
    private let accounts: any AccountStore
    private let settings: SettingsService
    private let routing: RoutingService
    private let now: @Sendable () -> Timestamp

    public init(
        store: any ConversationStore, accounts: any AccountStore, settings: SettingsService, routing: RoutingService,
        environment: SystemEnvironment
    ) {
        self.store = store
        self.accounts = accounts
        self.settings = settings
        self.routing = routing
        self.now = environment.now
    }

    /// Asks for one command. `answer` is called once, from the store's writer: it must not block.
    public func perform(
        _ command: Command, key: IdempotencyKey, in conversation: OpenConversation,
        answer: @escaping @Sendable (Result<Accepted, ChangeFailure>) -> Void
    ) {
        if let refusal = refusal(of: command, by: conversation.caller) { return answer(.failure(.refused(refusal))) }
        let at = now()
        guard let context = context(of: command, for: conversation.caller, at: at) else {
            return answer(.failure(.refused(.unavailable)))
        }
        store.change(change(command, key: key, in: conversation, context), answer: answer)
    }

    /// Makes sure that what decisions of this caller go by is in memory: once, as they sign in.
    public func prepare(for caller: Caller) async throws {
        _ = try await routing.context(for: caller, at: now())
    }

    /// The recording that a message wants to carry.
    /// - Throws: `Rejection.notFound` unless this caller recorded it for this conversation; `audio_off` where voice messages are switched off.
    public func recording(_ media: MediaID, in conversation: OpenConversation) async throws -> RecordedMedia {
        try await settings.checkAudio(for: conversation.caller)
        guard let recording = try await accounts.recording(media, in: conversation.id),
            recording.author == conversation.caller.author
        else {
            throw Rejection.notFound
        }
        return recording
    }

    /// The caller's devices have everything through `delivered`, and a person saw everything through `read`.
    /// An agent who never joined, or only quietly, moves no mark: a manager who looks in leaves no trace.
    public func mark(delivered: Int, read: Int, in conversation: OpenConversation) {
        let actor = conversation.actor
        store.raise(
            MarkRequest(conversation: conversation.id, delivered: delivered, read: read) { $0.openParticipant(actor) })
    }

    /// These stretches of a voice message were played to the caller. Moves nothing for an agent who never joined openly, nor for one's own message.
    public func played(_ played: ClientFrame.Played, in conversation: OpenConversation) {
        let actor = conversation.actor
        store.raise(
            MarkRequest(conversation: conversation.id, delivered: 0, read: 0, played: played) {
                $0.openParticipant(actor)
            })
    }

    /// Saying something goes by nothing but its conversation, and comes far oftener than all else.
    private func context(of command: Command, for caller: Caller, at now: Timestamp) -> Context? {
        switch (command, caller) {
        case (.send, _), (_, .consumer): Context(now: now, centre: Self.plain)
        default: routing.knownContext(for: caller, at: now)
        }
    }

    private static let plain = ContactCentreSettings()

    /// A recording is looked at again where the message is stored: between the look-up and the log the scanner may have spoken.
    private func change(_ command: Command, key: IdempotencyKey, in conversation: OpenConversation, _ context: Context)
        -> Change
    {
        let (actor, author) = (conversation.actor, conversation.caller.author)
        let (identity, digest) = (conversation.mayBegin ? conversation.identity : nil, Self.digest(of: command))
        guard let media = command.recording else {
            return Change(
                conversation: conversation.id, identity: identity, author: author, key: key, digest: digest,
                at: context.now,
                decide: { state throws(Rejection) in try state.decide(command, by: actor, in: context) })
        }
        return Change(
            conversation: conversation.id, identity: identity, author: author, key: key, digest: digest,
            at: context.now, recording: media,
            decide: { state, recording throws(Rejection) in
                try RecordedMedia.sent(&recording, by: author) { audio throws(Rejection) in
                    var context = context
                    context.audio = audio
                    return (try state.decide(command.carrying(audio), by: actor, in: context), state.sequence)
                }
            })
    }

    private func refusal(of command: Command, by caller: Caller) -> Rejection? {
        guard case .agent(let agent) = caller else { return nil }
        let needed: Permission =
            switch command {
            case .close, .closeQuietly: .closeConversations
            default: .answerConversations
            }
        return agent.may(needed) ? nil : Rejection(.forbidden, "Your role does not allow this.")
    }

    /// The first half of SHA-256 over the command: enough that no two commands share it by chance or design.
    private static func digest(of command: Command) -> [UInt8] {
        Array(SHA256.hash(data: command.canonicalBytes).prefix(16))
    }
}

extension Command {
    /// The same with the recording as it is known now.
    fileprivate func carrying(_ audio: AudioContent) -> Command {
        if case .send(.audio) = self { .send(.audio(audio)) } else { self }
    }
}
