/// A moment: milliseconds since 1970, as on the wire. Nothing in Model or Domain reads a clock; a caller says what
/// time it is.
public struct Timestamp: Hashable, Comparable, Sendable {
    public let milliseconds: Int64

    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    public static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }

    public func adding(milliseconds more: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds + more) }
}

extension Timestamp: Codable {
    public init(from decoder: any Decoder) throws {
        milliseconds = try decoder.singleValueContainer().decode(Int64.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }
}
