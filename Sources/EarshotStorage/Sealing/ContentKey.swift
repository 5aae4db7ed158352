import Crypto
import Foundation

/// What a sealed value is. A value that was sealed as one does not open as another.
enum ContentField: String {
    case event, people, preview, routing, name, consumer, provider

    /// Whether it is a text; otherwise it is bytes.
    var isText: Bool {
        switch self {
        case .preview, .routing, .name: true
        case .event, .people, .consumer, .provider: false
        }
    }

    /// An SQL expression that opens a column. The query has the table `conversation_key` under the name `k`.
    /// - Parameters:
    ///   - conversation: an expression for the conversation's id.
    ///   - number: an expression for the number of an event.
    func opened(_ column: String, of conversation: String = "c.id", number: String = "0") -> String {
        "opened(k.master_key, k.wrapped, \(conversation), '\(rawValue)', \(number), \(column))"
    }

    /// The part of a query that joins the table of keys as `k`.
    static func join(_ conversation: String = "c.id") -> String {
        "LEFT JOIN conversation_key k ON k.conversation = \(conversation)"
    }
}

/// The key of one conversation, with which everything is encrypted that people wrote in it (AES-256-GCM).
///
/// A sealed value begins with a version; JSON and texts of earlier versions never begin with that byte.
struct ContentKey {
    static let version: UInt8 = 1
    /// What a value reads as that cannot be opened. No reader takes it for a value.
    static let unreadable: UInt8 = 0

    let conversation: String
    let key: SymmetricKey

    /// - Parameter number: the number of the event.
    func seal(_ content: [UInt8], _ field: ContentField, _ number: Int = 0) throws -> [UInt8] {
        let context = Self.context(field, conversation, number)
        let box = try AES.GCM.seal(content, using: key, authenticating: context)
        var sealed = [Self.version]
        sealed.reserveCapacity(1 + 12 + content.count + 16)
        box.nonce.withUnsafeBytes { sealed.append(contentsOf: $0) }
        sealed.append(contentsOf: box.ciphertext)
        sealed.append(contentsOf: box.tag)
        return sealed
    }

    /// - Returns: `nil` for what was not sealed with this key for this place.
    func open(_ sealed: Data, _ field: ContentField, _ number: Int = 0) -> Data? {
        guard sealed.first == Self.version, let box = try? AES.GCM.SealedBox(combined: sealed.dropFirst()) else {
            return nil
        }
        return try? AES.GCM.open(box, using: key, authenticating: Self.context(field, conversation, number))
    }

    private static func context(_ field: ContentField, _ conversation: String, _ number: Int) -> [UInt8] {
        Array("\(version)\n\(field.rawValue)\n\(conversation)\n\(number)".utf8)
    }
}
