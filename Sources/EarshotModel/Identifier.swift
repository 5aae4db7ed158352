/// The id of a thing of kind `Tag`. The compiler refuses a conversation's id where a consumer's is expected.
///
/// On the wire and in the database an id is its `rawValue`. Ids that Earshot makes are 22 characters of base64url: 128
/// random bits, which cannot be guessed. The brand chooses the ids of its account and apps.
public struct Identifier<Tag>: Hashable, Sendable {
    public let rawValue: String

    /// Validates an untrusted id. `nil` unless it has 1 to 64 characters of `[A-Za-z0-9_-]`.
    public init?(_ text: String) {
        guard IdentifierRules.isWellFormed(text) else { return nil }
        rawValue = text
    }

    /// Wraps an id that Earshot made or stored, without validation.
    public init(trusted text: String) {
        rawValue = text
    }

    /// Makes an id from 16 random bytes. The caller supplies them, because EarshotModel has no source of randomness.
    public init(random bytes: [UInt8]) {
        precondition(bytes.count == IdentifierRules.randomBytes, "an id has 16 random bytes")
        rawValue = Base64URL.encode(bytes)
    }
}

extension Identifier: CustomStringConvertible {
    public var description: String { rawValue }
}

extension Identifier: Comparable {
    /// Orders ids by their text, so that lists have a stable order.
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

/// The syntax of ids and idempotency keys.
public enum IdentifierRules {
    /// The most characters that an id or key may have.
    public static let maximumLength = 64
    /// How many random bytes a generated id has.
    public static let randomBytes = 16

    /// Whether the text has 1 to 64 characters of `[A-Za-z0-9_-]`.
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

/// Marks an `Identifier` as an account's.
public enum AccountTag {}
/// Marks an `Identifier` as an app's.
public enum AppTag {}
/// Marks an `Identifier` as a consumer's.
public enum ConsumerTag {}
/// Marks an `Identifier` as an agent's.
public enum AgentTag {}
/// Marks an `Identifier` as a conversation's.
public enum ConversationTag {}
/// Marks an `Identifier` as a finished recording's.
public enum MediaTag {}
/// Marks an `Identifier` as an upload's.
public enum UploadTag {}
/// Marks an `Identifier` as a draft's.
public enum DraftTag {}
/// Marks an `Identifier` as an idempotency key.
public enum IdempotencyTag {}
/// Marks an `Identifier` as a skill's.
public enum SkillTag {}
/// Marks an `Identifier` as an API key's.
public enum APIKeyTag {}

/// One brand's account, the "Brand ID". The brand chooses it.
public typealias AccountID = Identifier<AccountTag>
/// One app or site of a brand, the "App ID". The brand chooses it.
public typealias AppID = Identifier<AppTag>
/// One consumer of one brand.
public typealias ConsumerID = Identifier<ConsumerTag>
/// One of the brand's people, agent or manager.
public typealias AgentID = Identifier<AgentTag>
/// One conversation of one consumer.
public typealias ConversationID = Identifier<ConversationTag>
/// One finished recording, under which clients fetch its audio.
public typealias MediaID = Identifier<MediaTag>
/// One resumable upload of a recording, until it is finished.
public typealias UploadID = Identifier<UploadTag>
/// The client's id for an unsent recording. Uploading the same draft again continues the same upload.
public typealias DraftID = Identifier<DraftTag>
/// A client makes a key for each command. It is unique for ever for its author in the conversation.
public typealias IdempotencyKey = Identifier<IdempotencyTag>
/// A routing label with its own queue. The brand chooses it.
public typealias SkillID = Identifier<SkillTag>
/// One API key of a brand. It names the program in lists and in the audit log, and is no secret.
public typealias APIKeyID = Identifier<APIKeyTag>
