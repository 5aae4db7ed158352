/// A point in time. EarshotModel and EarshotDomain never read a clock; the caller passes the current time.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01 00:00 UTC, as on the wire.
    public let milliseconds: Int64

    /// Makes a timestamp from milliseconds since 1970-01-01 00:00 UTC.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// Whether the left time is earlier.
    public static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }

    /// The time that is this many milliseconds later, or earlier if the number is negative.
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
