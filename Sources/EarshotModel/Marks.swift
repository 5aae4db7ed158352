/// One participant's watermarks in a conversation: the last sequence delivered to their devices, and the last one they
/// read. Watermarks are not events, and they only rise.
public struct Mark: Hashable, Sendable {
    /// The participant whose watermarks these are. In a consumer's view, 2 is the brand as a whole.
    public let by: ParticipantNumber
    /// The highest sequence that reached one of the participant's devices.
    public let delivered: Int
    /// The highest sequence that the participant read.
    public let read: Int

    /// Makes a mark; raises `delivered` to `read` if it is lower.
    public init(by: ParticipantNumber, delivered: Int, read: Int) {
        self.by = by
        self.delivered = max(delivered, read)
        self.read = read
    }

    /// The higher watermark of the two marks, for delivered and read separately.
    public func merged(with other: Mark) -> Mark {
        Mark(by: by, delivered: max(delivered, other.delivered), read: max(read, other.read))
    }
}

/// The wire form is `[by,delivered,read]`.
extension Mark: Codable {
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        let by = try container.decode(ParticipantNumber.self)
        let delivered = try container.decode(Int.self)
        self.init(by: by, delivered: delivered, read: try container.decode(Int.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(by)
        try container.encode(delivered)
        try container.encode(read)
    }
}
