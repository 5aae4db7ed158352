public import EarshotModel

/// What an evidence bundle says about itself: the conversation, its recordings, who heard and who exported what, and
/// the hash of each part. `manifest.json` in the bundle; the signature is of its bytes.
public struct EvidenceManifest: Codable, Sendable {
    /// The value of `format`.
    public static let currentFormat = "earshot-evidence-1"

    /// Which form of manifest this is.
    public let format: String
    /// The version of Earshot that made the bundle.
    public let version: String
    /// When it was made, as ISO 8601 in UTC.
    public let made: String
    /// When it was made.
    public let madeAt: Timestamp
    /// The name of the person who asked for it.
    public let madeFor: String
    /// The brand's name.
    public let brand: String
    /// The conversation.
    public let conversation: Conversation
    /// What the brand knows of the consumer.
    public let consumer: ConsumerCard
    /// Every person of the brand who took part, also those whom the consumer did not see.
    public let agents: [Person]
    /// Every recording, in the order of its events.
    public let recordings: [Recording]
    /// What the audit log has on the conversation, oldest first.
    public let access: [Access]
    /// Each file of the bundle except the manifest and its signature, in the order of the archive.
    public let parts: [Part]
    /// The fingerprint of the key that signed the bundle.
    public let key: String

    /// The conversation of a bundle.
    public struct Conversation: Codable, Sendable {
        let id: ConversationID
        let app: AppID
        let channel: MessagingChannel
        let status: ConversationStatus
        /// The number of the last event that the bundle has.
        let through: Int
    }

    /// A person of the brand.
    public struct Person: Codable, Sendable {
        let by: ParticipantNumber
        let id: AgentID?
        let name: String
        let role: Role
    }

    /// A recording of the conversation.
    public struct Recording: Codable, Sendable {
        /// The number of the event that carries it.
        let seq: Int
        let carrier: Carrier
        let media: MediaID
        let at: Timestamp
        let by: ParticipantNumber
        let durationMs: Int
        /// The hash of the bytes that were uploaded, in hexadecimal; `nil` if the recording's row is gone.
        let sha256: String?
        /// What the malware scanner said; `nil` if the recording's row is gone.
        let scan: ScanState?
        /// The names of its files in the bundle. Empty where the recording may not leave the server.
        let files: [String]
        let listeners: [Listener]

        /// What carries a recording.
        enum Carrier: String, Codable {
            /// A voice message.
            case message
            /// A private note.
            case note
            /// The consumer's answer to a survey.
            case survey
        }
    }

    /// How far one listener played a voice message.
    public struct Listener: Codable, Sendable {
        let by: ParticipantNumber
        let percent: Int
        let listened: Bool
    }

    /// An entry of the audit log.
    public struct Access: Codable, Sendable {
        let at: Timestamp
        let by: String
        /// The person's name, where the brand still has that person.
        let name: String?
        let what: AuditAction
        let media: MediaID?
        let detail: String?
    }

    /// A file of the bundle.
    public struct Part: Codable, Hashable, Sendable {
        /// Its path in the archive.
        public let name: String
        /// Its size.
        public let bytes: Int
        /// Its hash, in hexadecimal.
        public let sha256: String
    }
}
