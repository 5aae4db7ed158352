import Crypto
public import EarshotModel
import Foundation

/// A brand's logo: a PNG file of at most `maximumBytes` and `sides` pixels. The settings page makes it from any picture
/// that the browser can show; the server takes no other format, because the file goes to consumers as it is.
public struct BrandLogo: Hashable, Sendable {
    /// The most bytes of the file.
    public static let maximumBytes = 96 * 1024
    /// The allowed width and height in pixels. A file of few bytes can be a picture of gigabytes.
    public static let sides: ClosedRange<UInt32> = 16...512
    private static let prefix = "data:image/png;base64,"
    /// The most bytes of the file as a `data:` address.
    public static let maximumText = prefix.utf8.count + (maximumBytes + 2) / 3 * 4

    /// The file.
    public let bytes: [UInt8]

    /// Reads a logo from a `data:` address.
    /// - Throws: `out_of_range` where it is no PNG file, has too many bytes, or is too small or too large a picture.
    public init(address: String) throws(Rejection) {
        guard address.hasPrefix(Self.prefix),
            let data = Data(base64Encoded: String(address.dropFirst(Self.prefix.count)))
        else { throw Self.refusal("The logo must be a PNG picture, written as data:image/png;base64,…") }
        try self.init(Array(data))
    }

    /// - Throws: `out_of_range`, as above.
    init(_ bytes: [UInt8]) throws(Rejection) {
        guard bytes.count <= Self.maximumBytes else {
            throw Self.refusal(
                "The logo has \(bytes.count) bytes; at most \(Self.maximumBytes) are possible.",
                limit: Self.maximumBytes)
        }
        guard let (width, height) = Self.size(of: bytes) else {
            throw Self.refusal("The logo is not a PNG picture.")
        }
        guard Self.sides.contains(width), Self.sides.contains(height) else {
            throw Self.refusal(
                "The logo has \(width) × \(height) pixels. Each side must have \(Self.sides.lowerBound) to "
                    + "\(Self.sides.upperBound).", limit: Int(Self.sides.upperBound))
        }
        self.bytes = bytes
    }

    /// Names this file: another one has another version, so that a browser may keep each for ever.
    public var version: String { Base64URL.encode(Array(SHA256.hash(data: bytes).prefix(12))) }

    /// The width and height that a PNG file states: its signature and its first chunk, which must be the header
    /// (Portable Network Graphics, W3C, sections 5.2 and 11.2.1).
    private static func size(of bytes: [UInt8]) -> (width: UInt32, height: UInt32)? {
        let start: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
        guard bytes.count > start.count + 8, bytes.starts(with: start) else { return nil }
        func number(at offset: Int) -> UInt32 { bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) } }
        return (number(at: start.count), number(at: start.count + 4))
    }

    private static func refusal(_ text: String, limit: Int? = nil) -> Rejection {
        Rejection(.outOfRange, text, at: "logo", limit: limit)
    }
}
