/// Who, within one conversation: Earshot itself is 0, the consumer 1, agents follow in the order in which they joined.
///
/// A number and not an id, because it stands in every event: small on the wire, and it tells a consumer nothing about
/// the brand's staff.
public struct ParticipantNumber: Hashable, Comparable, Sendable {
    public let rawValue: Int

    public init(_ rawValue: Int) {
        self.rawValue = rawValue
    }

    public static let system = ParticipantNumber(0)
    public static let consumer = ParticipantNumber(1)
    public static let firstAgent = ParticipantNumber(2)

    public var isConsumer: Bool { self == .consumer }
    public var isBrand: Bool { self >= .firstAgent }

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
