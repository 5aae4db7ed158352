/// Bytes to scan, read piece by piece, so that a session never holds more than one piece in memory.
struct ScanSource: Sendable {
    let count: Int
    /// Reads at most `count` bytes at `offset`.
    let read: @Sendable (_ count: Int, _ offset: Int) async throws -> [UInt8]

    static let pieceBytes = 64 * 1024

    /// Bytes in memory.
    static func bytes(_ bytes: [UInt8]) -> ScanSource {
        ScanSource(count: bytes.count) { count, offset in Array(bytes[offset..<min(bytes.count, offset + count)]) }
    }

    /// A range of a file. More may still be written behind it.
    static func file(_ path: String, _ range: Range<Int>) -> ScanSource {
        ScanSource(count: range.count) { count, offset in
            try await BlockingPool.run { try OpenFile(reading: path).read(count, at: range.lowerBound + offset) }
        }
    }
}
