/// Bytes to be scanned, read piece by piece: a session never holds more of them than one piece.
struct ScanSource: Sendable {
    let count: Int
    /// So many bytes from there.
    let read: @Sendable (_ count: Int, _ offset: Int) async throws -> [UInt8]

    static let pieceBytes = 64 * 1024

    static func bytes(_ bytes: [UInt8]) -> ScanSource {
        ScanSource(count: bytes.count) { count, offset in Array(bytes[offset..<min(bytes.count, offset + count)]) }
    }

    /// A part of a file; the rest of it may still be on its way.
    static func file(_ path: String, _ range: Range<Int>) -> ScanSource {
        ScanSource(count: range.count) { count, offset in
            try await BlockingPool.run { try OpenFile(reading: path).read(count, at: range.lowerBound + offset) }
        }
    }
}
