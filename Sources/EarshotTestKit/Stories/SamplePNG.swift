import Foundation

/// The beginnings of PNG files, which say how large the picture is, for tests of logos.
package enum SamplePNG {
    /// A file that states this size.
    /// - Parameters:
    ///   - width: in pixels.
    ///   - height: in pixels.
    ///   - bytes: of the file; the rest is filled with zeros.
    package static func file(width: UInt32, height: UInt32, bytes: Int = 100) -> [UInt8] {
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
        for number in [width, height] {
            file += (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        }
        return file + [UInt8](repeating: 0, count: max(0, bytes - file.count))
    }

    /// The `data:` address of a file.
    package static func address(_ file: [UInt8]) -> String {
        "data:image/png;base64," + Data(file).base64EncodedString()
    }
}
