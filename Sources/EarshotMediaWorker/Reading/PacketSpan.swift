import CLibAV

/// The time from a track's first packet to the end of its last one, by the container's own times. It counts what is
/// missing or damaged in between, which the decoded samples do not.
struct PacketSpan {
    private var first: Double?
    private var last = 0.0
    private var trimmed = 0.0
    private static let noTime = Int64.min

    /// In milliseconds; `nil` if the packets have no times.
    var ms: UInt32? { first.map { UInt32(clamping: Int64(max(0, last - $0 - trimmed))) } }

    mutating func add(_ packet: UnsafeMutablePointer<AVPacket>, _ base: AVRational) {
        guard packet.pointee.pts != Self.noTime, base.den > 0 else { return }
        let unit = 1000 * Double(base.num) / Double(base.den)
        let begin = Double(packet.pointee.pts) * unit
        let end = begin + Double(max(0, packet.pointee.duration)) * unit
        guard begin.magnitude < Double(UInt32.max), end.magnitude < Double(UInt32.max) else { return }
        first = min(first ?? begin, begin)
        last = max(last, end)
    }

    /// Subtracts samples that the container declares to be none of the recording.
    mutating func trim(_ samples: Int, rate: Int) {
        trimmed += Double(samples) * 1000 / Double(rate)
    }
}
