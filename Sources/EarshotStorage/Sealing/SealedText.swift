import Crypto
public import EarshotCore
import EarshotModel
import Foundation

/// A small content outside the database that is encrypted with a master key, as one line of text (AES-256-GCM; the
/// additional data names the thing, so that it does not open as another).
///
/// Format: `earshot-sealed.1.<id of the master key>.<nonce, ciphertext and tag in base64url>`.
public struct SealedText: Sendable {
    private static let prefix = "earshot-sealed.1."

    /// The id of the master key that encrypts it.
    public let master: String
    private let bytes: [UInt8]

    /// Reads the line; `nil` for a content that is not sealed.
    public init?(_ content: [UInt8]) {
        guard content.starts(with: Self.prefix.utf8), let text = String(bytes: content, encoding: .utf8) else {
            return nil
        }
        let parts = text.dropFirst(Self.prefix.count).prefix { !$0.isNewline }.split(separator: ".")
        guard parts.count == 2, let bytes = Base64URL.decode(String(parts[1])) else { return nil }
        (master, self.bytes) = (String(parts[0]), bytes)
    }

    /// Encrypts a content with the newest master key.
    /// - Parameter name: what the content is.
    public init(_ content: [UInt8], named name: String, by masters: MasterKeys) throws(AdapterFailure) {
        let box = try? AES.GCM.seal(content, using: masters.current.key, authenticating: Self.context(name))
        guard let combined = box?.combined else {
            throw AdapterFailure("\(name) cannot be encrypted", isRetryable: false)
        }
        (master, bytes) = (masters.current.id, Array(combined))
    }

    /// The line.
    public var line: [UInt8] { Array("\(Self.prefix)\(master).\(Base64URL.encode(bytes))\n".utf8) }

    /// Whether a content looks like a sealed one, even if it is damaged.
    public static func isOne(_ content: [UInt8]) -> Bool { content.starts(with: prefix.utf8) }

    /// Decrypts the content.
    /// - Returns: `nil` if the master key is not there, or if it was not sealed by that key under this name.
    public func open(named name: String, with masters: MasterKeys) -> [UInt8]? {
        guard let key = masters[master]?.key, let box = try? AES.GCM.SealedBox(combined: bytes) else { return nil }
        return (try? AES.GCM.open(box, using: key, authenticating: Self.context(name))).map(Array.init)
    }

    private static func context(_ name: String) -> [UInt8] { Array("1\nfile\n\(name)".utf8) }
}
