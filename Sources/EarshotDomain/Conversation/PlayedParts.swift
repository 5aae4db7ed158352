public import EarshotModel

/// Which parts of one voice message a participant has played. It only grows: the same spans again, or in another order,
/// give the same result.
///
/// Kept in steps of a tenth of a second, so that its size is bounded by the message's length whatever a client says. A
/// span's ends are rounded to the nearest step: what is played on without a gap is counted without one.
public struct PlayedParts: Hashable, Sendable {
    /// The length of a step.
    public static let stepMs = 100
    /// A message counts as listened to from this percentage on,
    public static let listenedPercent = 80
    /// or once this much of its end was played,
    public static let endMs = 500
    /// less the amount by which a player's clock may stop before the end.
    public static let endToleranceMs = 100

    /// One bit a step, the first step in the lowest bit of the first byte.
    public private(set) var bits: [UInt8]
    private let durationMs: Int

    /// Makes the value. - Parameter bits: the parts that were stored.
    public init(durationMs: Int, bits: [UInt8] = []) {
        self.durationMs = max(1, durationMs)
        let bytes = (Self.steps(self.durationMs) + 7) / 8
        self.bits = Array(bits.prefix(bytes)) + [UInt8](repeating: 0, count: max(0, bytes - bits.count))
    }

    /// Adds spans that were played. What lies beyond the message's end is ignored.
    /// - Returns: whether any part is new.
    public mutating func play(_ spans: [PlayedSpan]) -> Bool {
        let before = bits
        for span in spans {
            let to = span.to >= durationMs ? steps : Self.nearest(span.to)
            for step in min(Self.nearest(span.from), to)..<to { bits[step / 8] |= 1 << UInt8(step % 8) }
        }
        return bits != before
    }

    /// How much of it was played, 0 to 100.
    public var percent: Int { bits.reduce(0) { $0 + $1.nonzeroBitCount } * 100 / steps }

    /// Whether it counts as listened to.
    public var isListened: Bool { percent >= Self.listenedPercent || isEndPlayed }

    private var isEndPlayed: Bool {
        let first = max(0, steps - Self.steps(Self.endMs))
        let last = max(first + 1, steps - Self.steps(Self.endToleranceMs))
        return (first..<last).allSatisfy { bits[$0 / 8] & (1 << UInt8($0 % 8)) != 0 }
    }

    private var steps: Int { Self.steps(durationMs) }

    private static func steps(_ ms: Int) -> Int { (ms + stepMs - 1) / stepMs }
    private static func nearest(_ ms: Int) -> Int { (ms + stepMs / 2) / stepMs }
}
