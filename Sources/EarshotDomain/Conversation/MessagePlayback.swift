public import EarshotModel

/// How far one voice message was played, and by whom.
public struct MessagePlayback: Hashable, Sendable {
    /// The number of the voice message.
    public let sequence: Int
    /// Who sent it.
    public let author: ParticipantNumber
    /// The progress of each participant, at most one entry each.
    public let listeners: [PlaybackProgress]

    /// Makes the value.
    public init(sequence: Int, author: ParticipantNumber, listeners: [PlaybackProgress]) {
        self.sequence = sequence
        self.author = author
        self.listeners = listeners
    }

    /// The progress that a viewer sees. A consumer sees the furthest of the brand's people as one participant, and not
    /// what they played of each other.
    public func visible(to viewer: Viewer) -> [PlaybackProgress] {
        guard viewer == .consumer else { return listeners }
        return author.isConsumer ? brand.map { [$0] } ?? [] : listeners.filter(\.by.isConsumer)
    }

    /// Whether the consumer listened to a message of the brand, or one of the brand's people to one of the consumer.
    public var isListenedByOtherSide: Bool {
        listeners.contains { $0.isListened && $0.by.isConsumer != author.isConsumer }
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
    /// The voice message that this participant may play; `nil` where it is none, or their own.
    public func voice(playedBy listener: ParticipantNumber) -> AudioContent? {
        guard case .audio(let audio) = kind, by != listener, listener != .system else { return nil }
        return audio
    }
}

extension Event.Kind {
    /// The recording that an event of this kind carries: of a voice message, a private note or an answer to a survey.
    public var recording: AudioContent? {
        switch self {
        case .audio(let audio): audio
        case .note(let note): note.audio
        case .rated(let rated): rated.audio
        default: nil
        }
    }
}

/// The consumer's voice messages that no person of the brand has listened to.
public struct Unplayed: Hashable, Codable, Sendable {
    /// One voice message.
    public struct Message: Hashable, Codable, Sendable {
        /// Its number.
        public let sequence: Int
        /// Its length in milliseconds.
        public let durationMs: Int

        /// Makes the value.
        public init(sequence: Int, durationMs: Int) {
            self.sequence = sequence
            self.durationMs = durationMs
        }
    }

    /// Oldest first, at most `Limits.unplayedMessages`.
    public private(set) var messages: [Message]

    /// Makes the value.
    public init(_ messages: [Message] = []) {
        self.messages = messages
    }

    /// Their total length in milliseconds.
    public var milliseconds: Int { messages.reduce(0) { $0 + $1.durationMs } }

    /// Adds a new voice message, and removes one that the scanner rejected.
    public mutating func apply(_ event: Event) {
        switch event.kind {
        case .audio(let audio) where event.by.isConsumer:
            messages.append(Message(sequence: event.sequence, durationMs: audio.durationMs))
            if messages.count > Limits.unplayedMessages { messages.removeFirst() }
        case .scanned(let scanned) where scanned.verdict != .clean: remove(scanned.of)
        default: break
        }
    }

    /// Removes a message that a person of the brand listened to.
    public mutating func remove(_ sequence: Int) {
        messages.removeAll { $0.sequence == sequence }
    }
}
