public import EarshotModel

/// How far one voice message was played, and by whom.
public struct MessagePlayback: Hashable, Sendable {
    /// Number of the voice message.
    public let sequence: Int
    /// Who said it.
    public let author: ParticipantNumber
    /// At most one entry a participant.
    public let listeners: [PlaybackProgress]

    public init(sequence: Int, author: ParticipantNumber, listeners: [PlaybackProgress]) {
        self.sequence = sequence
        self.author = author
        self.listeners = listeners
    }

    /// What a viewer learns of it. A consumer learns of the brand as one, the furthest of its people, and nothing of what these hear of each other.
    public func visible(to viewer: Viewer) -> [PlaybackProgress] {
        guard viewer == .consumer else { return listeners }
        return author.isConsumer ? brand.map { [$0] } ?? [] : listeners.filter(\.by.isConsumer)
    }

    /// The furthest of the brand's people, as participant 2.
    private var brand: PlaybackProgress? {
        let people = listeners.filter(\.by.isBrand)
        guard let percent = people.map(\.percent).max() else { return nil }
        return PlaybackProgress(
            sequence: sequence, by: .firstAgent, percent: percent, isListened: people.contains(where: \.isListened))
    }
}

extension Event {
    /// The voice message that this participant may hear; `nil` where it is none, or their own.
    public func voice(playedBy listener: ParticipantNumber) -> AudioContent? {
        guard case .audio(let audio) = kind, by != listener, listener != .system else { return nil }
        return audio
    }
}

/// The consumer's voice messages that nobody of the brand has listened to.
public struct Unplayed: Hashable, Codable, Sendable {
    public struct Message: Hashable, Codable, Sendable {
        public let sequence: Int
        public let durationMs: Int

        public init(sequence: Int, durationMs: Int) {
            self.sequence = sequence
            self.durationMs = durationMs
        }
    }

    /// Oldest first, at most `Limits.unplayedMessages`.
    public private(set) var messages: [Message]

    public init(_ messages: [Message] = []) {
        self.messages = messages
    }

    public var milliseconds: Int { messages.reduce(0) { $0 + $1.durationMs } }

    /// A new voice message is unplayed; one that nobody can play is not waited for.
    public mutating func apply(_ event: Event) {
        switch event.kind {
        case .audio(let audio) where event.by.isConsumer:
            messages.append(Message(sequence: event.sequence, durationMs: audio.durationMs))
            if messages.count > Limits.unplayedMessages { messages.removeFirst() }
        case .scanned(let scanned) where scanned.verdict != .clean: remove(scanned.of)
        default: break
        }
    }

    /// Somebody of the brand listened to it.
    public mutating func remove(_ sequence: Int) {
        messages.removeAll { $0.sequence == sequence }
    }
}
