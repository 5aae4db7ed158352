public import EarshotModel

/// Which parts of one voice message somebody really played. Pure, and it only grows: the same spans again, or in another order, come to the same.
///
/// Kept in steps of a tenth of a second, so that its size is bounded by the message's length whatever a client says. A span's ends are rounded to the
/// nearest step: what is played on without a gap is counted without one.
public struct PlayedParts: Hashable, Sendable {
    public static let stepMs = 100
    /// From so much on a message counts as listened to …
    public static let listenedPercent = 80
    /// … or once this much of its end was played,
    public static let endMs = 500
    /// less what a player's clock may stop short of the end.
    public static let endToleranceMs = 100

    /// One bit a step, the first step in the lowest bit of the first byte.
    public private(set) var bits: [UInt8]
    private let durationMs: Int

    /// - Parameter bits: what was kept of it earlier.
    public init(durationMs: Int, bits: [UInt8] = []) {
        self.durationMs = max(1, durationMs)
        let bytes = (Self.steps(self.durationMs) + 7) / 8
        self.bits = Array(bits.prefix(bytes)) + [UInt8](repeating: 0, count: max(0, bytes - bits.count))
    }

    /// Counts what was played. What lies beyond the message's end is no part of it.
    /// - Returns: whether anything of it is new.
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
