/// A name for one thing of kind `Tag`, so that a conversation's id can never be passed where a consumer's is wanted.
///
/// On the wire and in the database it is its `rawValue`. Ids that Earshot makes are 22 characters of base64url (128
/// random bits, so that nobody
/// guesses one); an account and an app carry the name that the brand chose.
public struct Identifier<Tag>: Hashable, Sendable {
    public let rawValue: String

    /// Takes an id from outside. `nil` unless it is 1 to 64 characters of `[A-Za-z0-9_-]`.
    public init?(_ text: String) {
        guard IdentifierRules.isWellFormed(text) else { return nil }
        rawValue = text
    }

    /// Takes an id that Earshot itself made or stored.
    public init(trusted text: String) {
        rawValue = text
    }

    /// Makes the id of these 16 bytes (random, from the caller: Model knows no randomness).
    public init(random bytes: [UInt8]) {
        precondition(bytes.count == IdentifierRules.randomBytes, "an id has 16 random bytes")
        rawValue = Base64URL.encode(bytes)
    }
}

extension Identifier: CustomStringConvertible {
    public var description: String { rawValue }
}

extension Identifier: Comparable {
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension Identifier: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let id = Identifier(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "an id is 1 to 64 of [A-Za-z0-9_-]")
        }
        self = id
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}

/// What an id, and an idempotency key, may look like.
public enum IdentifierRules {
    public static let maximumLength = 64
    public static let randomBytes = 16

    public static func isWellFormed(_ text: String) -> Bool {
        let bytes = text.utf8
        guard !bytes.isEmpty, bytes.count <= maximumLength else { return false }
        return bytes.allSatisfy(isAllowed)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "_"), UInt8(ascii: "-"): true
        default: false
        }
    }
}

public enum AccountTag {}
public enum AppTag {}
public enum ConsumerTag {}
public enum AgentTag {}
public enum ConversationTag {}
public enum MediaTag {}
public enum UploadTag {}
public enum DraftTag {}
public enum IdempotencyTag {}
public enum SkillTag {}

/// One brand's tenancy, the "Brand ID": a name the brand chose.
public typealias AccountID = Identifier<AccountTag>
/// One app or site of a brand, the "App ID": a name the brand chose.
public typealias AppID = Identifier<AppTag>
public typealias ConsumerID = Identifier<ConsumerTag>
public typealias AgentID = Identifier<AgentTag>
public typealias ConversationID = Identifier<ConversationTag>
public typealias MediaID = Identifier<MediaTag>
public typealias UploadID = Identifier<UploadTag>
/// The client's name for an unsent take; the same draft is the same upload.
public typealias DraftID = Identifier<DraftTag>
/// Made by a client for one command, unique for ever for its author in its conversation.
public typealias IdempotencyKey = Identifier<IdempotencyTag>
/// A routing label: a name the brand chose.
public typealias SkillID = Identifier<SkillTag>
