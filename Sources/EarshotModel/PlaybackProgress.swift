/// A span of a voice message that was played to a person.
public struct PlayedSpan: Hashable, Sendable {
    /// Where the span begins, in milliseconds from the start of the recording.
    public let from: Int
    /// Where the span ends, in milliseconds from the start of the recording.
    public let to: Int

    /// Makes a span. `nil` if it ends before it begins, or exceeds `Limits.playedMs`.
    public init?(from: Int, to: Int) {
        guard from <= to, Limits.playedMs.contains(from), Limits.playedMs.contains(to) else { return nil }
        self.from = from
        self.to = to
    }
}

/// The wire form is `[from,to]`.
extension PlayedSpan: Codable {
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        let (from, to) = (try container.decode(Int.self), try container.decode(Int.self))
        guard container.isAtEnd, let span = PlayedSpan(from: from, to: to) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no span")
        }
        self = span
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(from)
        try container.encode(to)
    }
}

/// How much of one voice message one participant has played. It never decreases.
public struct PlaybackProgress: Hashable, Sendable {
    /// The sequence of the voice message.
    public let sequence: Int
    /// The participant who played it. In a consumer's view, 2 is the brand as a whole.
    public let by: ParticipantNumber
    /// How much of the message was played, in percent from 0 to 100.
    public let percent: Int
    /// Whether the message counts as listened: at least 80 percent, or its end, was played.
    public let isListened: Bool

    /// Makes a participant's progress in voice message `sequence`.
    public init(sequence: Int, by: ParticipantNumber, percent: Int, isListened: Bool) {
        self.sequence = sequence
        self.by = by
        self.percent = percent
        self.isListened = isListened
    }
}

/// The wire form is `[n,by,percent,listened]`, where `listened` is 0 or 1.
extension PlaybackProgress: Codable {
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        sequence = try container.decode(Int.self)
        by = try container.decode(ParticipantNumber.self)
        percent = try container.decode(Int.self)
        isListened = try container.decode(Int.self) != 0
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(sequence)
        try container.encode(by)
        try container.encode(percent)
        try container.encode(isListened ? 1 : 0)
    }
}
