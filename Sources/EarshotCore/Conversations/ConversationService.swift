import Crypto
import EarshotDomain
public import EarshotModel

/// Performs what people do in a conversation: send, take, close, read, play.
public struct ConversationService: Sendable {
    private let log: any ConversationLog
    private let recordings: any RecordingStore
    private let settings: SettingsService
    private let routing: RoutingService
    private let now: @Sendable () -> Timestamp

    /// Creates the service.
    public init(
        log: any ConversationLog, recordings: any RecordingStore, settings: SettingsService, routing: RoutingService,
        environment: SystemEnvironment
    ) {
        self.log = log
        self.recordings = recordings
        self.settings = settings
        self.routing = routing
        self.now = environment.now
    }

    /// Performs one command.
    /// - Parameter answer: called exactly once, usually on the store's writer thread. It must not block.
    public func perform(
        _ command: Command, key: IdempotencyKey, in conversation: OpenConversation,
        answer: @escaping @Sendable (Result<Accepted, ChangeFailure>) -> Void
    ) {
        let at = now()
        guard var context = context(of: command, for: conversation.caller, at: at) else {
            return answer(.failure(.refused(.unavailable)))
        }
        context.masksCardNumbers = settings.masksCardNumbers(of: conversation.caller.account)
        context.calls = settings.calls(of: conversation.caller.account)
        log.change(change(command, key: key, in: conversation, context), answer: answer)
    }

    /// Loads what the caller's commands are decided by into memory. Called once, when the caller signs in.
    public func prepare(for caller: Caller) async throws {
        _ = try await routing.context(for: caller, at: now())
        _ = try await settings.settings(of: caller.account)
    }

    /// Finds the recording that a message is to carry.
    /// - Throws: `not_found` unless this caller recorded it for this conversation; `audio_off` if voice messages are
    ///   disabled.
    public func recording(_ media: MediaID, in conversation: OpenConversation) async throws -> RecordedMedia {
        try await settings.checkAudio(for: conversation.caller)
        guard let recording = try await recordings.recording(media, in: conversation.id),
            recording.author == conversation.caller.author
        else {
            throw Rejection.notFound
        }
        return recording
    }

    /// Raises the caller's watermarks: everything through `delivered` is on a device, everything through `read` was
    /// read. Nothing changes for an agent who never joined openly, so a manager can read along unnoticed.
    public func mark(delivered: Int, read: Int, in conversation: OpenConversation) {
        let actor = conversation.actor
        log.raise(
            WatermarkUpdate(conversation: conversation.id, delivered: delivered, read: read) {
                $0.openParticipant(actor)
            })
    }

    /// Records which parts of a voice message the caller played. Nothing changes for an agent who never joined openly,
    /// or for the caller's own message.
    public func played(_ played: ClientFrame.Played, in conversation: OpenConversation) {
        let actor = conversation.actor
        log.raise(
            WatermarkUpdate(
                conversation: conversation.id, delivered: 0, read: 0, played: played,
                listening: listening(to: played.sequence, in: conversation)
            ) {
                $0.openParticipant(actor)
            })
    }

    /// The audit entry of a person of the brand who listens to a whole message: one per person and message.
    private func listening(to sequence: Int, in conversation: OpenConversation) -> AuditEntry? {
        guard case .agent(let agent) = conversation.caller else { return nil }
        return AuditEntry(
            account: agent.account, at: now(), by: agent.id.rawValue, what: .audioPlayed, conversation: conversation.id,
            detail: "message \(sequence)", once: "played \(agent.id) \(conversation.id) \(sequence)")
    }

    /// The facts that a command is decided by. Sending is by far the most frequent command and needs only the
    /// conversation itself.
    private func context(of command: Command, for caller: Caller, at now: Timestamp) -> Context? {
        switch (command, caller) {
        case (.send, _), (_, .consumer): Context(now: now, centre: Self.defaults)
        default: routing.knownContext(for: caller, at: now)
        }
    }

    private static let defaults = ContactCentreSettings()

    /// Builds the change. A recording is checked again inside the transaction, because the scanner may have answered
    /// since it was looked up.
    private func change(_ command: Command, key: IdempotencyKey, in conversation: OpenConversation, _ context: Context)
        -> Change
    {
        let (actor, author) = (conversation.actor, conversation.caller.author)
        let target = Change.Target(conversation)
        let content = command.canonicalBytes
        let request = Change.Request(
            author: author, key: key, digest: Self.digest(of: content), at: context.now, bytes: content.count,
            audit: Self.audit(of: command, in: conversation, at: context.now))
        guard let media = command.recording else {
            return Change(target, request) { state throws(Rejection) in
                try state.decide(command, by: actor, in: context)
            }
        }
        return Change(target, request, recording: media) { state, recording throws(Rejection) in
            try RecordedMedia.sent(&recording, by: author) { audio throws(Rejection) in
                var context = context
                context.audio = audio
                return (try state.decide(command.carrying(audio), by: actor, in: context), state.sequence)
            }
        }
    }

    private static func audit(of command: Command, in conversation: OpenConversation, at now: Timestamp) -> AuditEntry?
    {
        guard case .takeOver = command, case .agent(let agent) = conversation.caller else { return nil }
        return AuditEntry(
            account: agent.account, at: now, by: agent.id.rawValue, what: .conversationTakenOver,
            conversation: conversation.id)
    }

    /// The first half of the command's SHA-256, which is long enough to rule out collisions. It does not depend on
    /// digits, so that a masked card number cannot be found by hashing every possible one.
    private static func digest(of content: [UInt8]) -> [UInt8] {
        Array(SHA256.hash(data: CardNumbers.withoutDigits(content)).prefix(16))
    }
}

extension Command {
    /// The command with the recording's current content.
    fileprivate func carrying(_ audio: AudioContent) -> Command {
        if case .send(.audio) = self { .send(.audio(audio)) } else { self }
    }
}
