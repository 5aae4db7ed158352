/// How far one participant's devices got, and how far the person read: sequences. Watermarks are not events; they only
/// ever rise.
public struct Mark: Hashable, Sendable {
    public let by: ParticipantNumber
    public let delivered: Int
    public let read: Int

    public init(by: ParticipantNumber, delivered: Int, read: Int) {
        self.by = by
        self.delivered = max(delivered, read)
        self.read = read
    }

    /// The further of both, in each figure.
    public func merged(with other: Mark) -> Mark {
        Mark(by: by, delivered: max(delivered, other.delivered), read: max(read, other.read))
    }
}

/// On the wire: `[by,delivered,read]`.
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
