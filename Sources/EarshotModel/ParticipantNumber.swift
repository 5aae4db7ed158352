/// A participant's number within one conversation. Earshot is 0, the consumer is 1, and agents follow in the order in
/// which they joined.
///
/// Every event carries it. It is smaller than an id, and it tells a consumer nothing about the brand's staff.
public struct ParticipantNumber: Hashable, Comparable, Sendable {
    public let rawValue: Int

    /// Wraps a number from storage or the wire; 0 and up.
    public init(_ rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Earshot itself, the author of automatic messages and scan verdicts.
    public static let system = ParticipantNumber(0)
    /// The consumer.
    public static let consumer = ParticipantNumber(1)
    /// The first agent who joined. In a consumer's view of watermarks and playback, it means the whole brand.
    public static let firstAgent = ParticipantNumber(2)

    /// Whether this is the consumer.
    public var isConsumer: Bool { self == .consumer }
    /// Whether this is one of the brand's people.
    public var isBrand: Bool { self >= .firstAgent }

    /// Orders participants by when they joined.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension ParticipantNumber: Codable {
    public init(from decoder: any Decoder) throws {
        rawValue = try decoder.singleValueContainer().decode(Int.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
