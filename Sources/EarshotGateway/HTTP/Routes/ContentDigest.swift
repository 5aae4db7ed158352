import EarshotModel
import Foundation
import HTTPTypes

/// The header `Content-Digest` (RFC 9530): a hash of the body, with which the server notices damage in transit.
enum ContentDigest {
    static let header = HTTPField.Name("Content-Digest")
    private static let sha256Bytes = 32
    private static let prefix = "sha-256=:"

    /// The SHA-256 that the header states; `nil` without one. Other algorithms are ignored, as the RFC asks.
    /// - Throws: `bad_request` for a SHA-256 that is none.
    static func sha256(in fields: HTTPFields) throws(Rejection) -> [UInt8]? {
        guard let header else { return nil }
        let members = fields[values: header].joined(separator: ",").split(separator: ",").map {
            String($0).trimmingCharacters(in: .whitespaces)
        }
        guard let member = members.last(where: { $0.hasPrefix(prefix) }) else { return nil }
        let text = member.dropFirst(prefix.count).prefix { $0 != ":" }
        guard let digest = Data(base64Encoded: String(text)), digest.count == sha256Bytes else {
            throw Rejection(.badRequest, "Content-Digest must be sha-256=:…: with 32 bytes in Base64.")
        }
        return Array(digest)
    }

    /// The bytes of a SHA-256 in 64 hexadecimal digits; `nil` if it is not one.
    static func sha256(hexadecimal text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count == 2 * sha256Bytes else { return nil }
        var bytes: [UInt8] = []
        for at in stride(from: 0, to: digits.count, by: 2) {
            let pair = String(decoding: digits[at...at + 1], as: UTF8.self)
            guard pair.allSatisfy(\.isHexDigit), let byte = UInt8(pair, radix: 16) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }
}
