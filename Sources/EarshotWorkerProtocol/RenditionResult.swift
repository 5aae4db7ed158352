/// What a worker made of a recording in another format.
public struct RenditionResult: Hashable, Sendable {
    /// What a player shows, in milliseconds.
    public let durationMs: UInt32
    /// Of the whole file.
    public let sizeBytes: UInt32
    public let way: Way

    public enum Way: UInt8, Sendable, CaseIterable {
        /// From the decoded samples.
        case encoded = 1
        /// The sender's packets in another container.
        case remuxed = 2
    }

    private static let byteCount = 9

    public init(durationMs: UInt32, sizeBytes: UInt32, way: Way) {
        self.durationMs = durationMs
        self.sizeBytes = sizeBytes
        self.way = way
    }

    var encoded: [UInt8] { BigEndian.bytes(durationMs) + BigEndian.bytes(sizeBytes) + [way.rawValue] }

    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount, let way = Way(rawValue: bytes[8]) else { return nil }
        self.init(durationMs: BigEndian.value(bytes), sizeBytes: BigEndian.value(bytes[4...]), way: way)
    }
}
