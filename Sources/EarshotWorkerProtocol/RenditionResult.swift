/// What a worker reports about a rendition that it made.
public struct RenditionResult: Hashable, Sendable {
    /// The duration that a player shows, in milliseconds.
    public let durationMs: UInt32
    /// The size of the whole file.
    public let sizeBytes: UInt32
    /// How it was made.
    public let method: Method

    /// How a rendition was made.
    public enum Method: UInt8, Sendable, CaseIterable {
        /// Encoded from the decoded samples.
        case encoded = 1
        /// The sender's own packets, moved to another container.
        case remuxed = 2
    }

    private static let byteCount = 9

    /// The result for a rendition that is complete.
    public init(durationMs: UInt32, sizeBytes: UInt32, method: Method) {
        self.durationMs = durationMs
        self.sizeBytes = sizeBytes
        self.method = method
    }

    var encoded: [UInt8] { BigEndian.bytes(durationMs) + BigEndian.bytes(sizeBytes) + [method.rawValue] }

    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount, let method = Method(rawValue: bytes[8]) else { return nil }
        self.init(durationMs: BigEndian.value(bytes), sizeBytes: BigEndian.value(bytes[4...]), method: method)
    }
}
