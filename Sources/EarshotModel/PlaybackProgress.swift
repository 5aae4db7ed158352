/// A stretch of a voice message that was played, in milliseconds.
public struct PlayedSpan: Hashable, Sendable {
    public let from: Int
    public let to: Int

    /// `nil` where it ends before it begins, or lies outside of `Limits.playedMs`.
    public init?(from: Int, to: Int) {
        guard from <= to, Limits.playedMs.contains(from), Limits.playedMs.contains(to) else { return nil }
        self.from = from
        self.to = to
    }
}

/// On the wire: `[from,to]`.
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

/// How much of one voice message one participant has played. It only grows.
public struct PlaybackProgress: Hashable, Sendable {
    /// Number of the voice message.
    public let sequence: Int
    public let by: ParticipantNumber
    /// How much of it was played, 0 to 100.
    public let percent: Int
    /// Most of it, or its end, was played.
    public let isListened: Bool

    public init(sequence: Int, by: ParticipantNumber, percent: Int, isListened: Bool) {
        self.sequence = sequence
        self.by = by
        self.percent = percent
        self.isListened = isListened
    }
}

/// On the wire: `[n,by,percent,listened]`, where `listened` is 0 or 1.
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
