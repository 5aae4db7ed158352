public import EarshotModel

/// What a transcript says about its conversation before the first entry.
public struct TranscriptHead: Hashable, Sendable {
    /// The brand's name.
    public let brand: String
    /// The conversation.
    public let conversation: ConversationIdentity
    /// Its status when the transcript was made.
    public let status: ConversationStatus
    /// What the brand knows of the consumer.
    public let consumer: ConsumerCard
    /// The brand's people whom the consumer saw, in the order in which they joined.
    public let people: [Participant]
    /// The number of the last event of the transcript.
    public let through: Int
    /// When the transcript was made.
    public let made: Timestamp
    /// Who asked for it.
    public let madeFor: String
    /// The time zone of all times.
    public let zone: String
    /// Whether private notes are included.
    public let hasNotes: Bool

    /// Makes the head of a transcript.
    /// - Parameter order: what was asked for, by whom and when.
    public init(brand: String, state: ConversationState, consumer: ConsumerCard, order: TranscriptOrder) {
        self.brand = brand
        conversation = state.identity
        status = state.status
        self.consumer = consumer
        people = state.people.filter { $0.quiet != true }
        through = state.sequence
        made = order.at
        madeFor = order.by
        zone = order.zone
        hasNotes = order.hasNotes
    }

    /// The rows of the head, as a label and a text each. Rows about which nothing is known are omitted.
    var rows: [(label: String, text: String)] {
        let all: [(String, String?)] = [
            ("Brand", brand), ("Conversation", conversation.id.rawValue), ("Status", status.rawValue),
            ("Channel", conversation.channel.rawValue), ("App", conversation.app.rawValue),
            ("Consumer", consumer.name), ("Verified", verified), ("Device", consumer.device), ("Page", consumer.page),
            ("Language", consumer.language),
            ("Answered by", people.isEmpty ? nil : people.map(\.name).joined(separator: ", ")),
            ("Times", zone), ("Private notes", hasNotes ? "included" : "not included"),
            ("Made", "\(Zone.iso8601(made, in: zone)) for \(madeFor)"),
        ]
        return all.compactMap { label, text in text.map { (label, $0) } }
    }

    /// What the brand's identity provider says about the consumer, in one line.
    var verified: String? {
        guard let claims = consumer.verified else { return nil }
        let standard = [("name", claims.name), ("e-mail", claims.email), ("phone", claims.phone)]
        let known = standard.compactMap { label, text in text.map { (label, $0) } }
        let all = known + claims.others.map { ($0.label, $0.value) }
        return all.isEmpty ? "signed in" : all.map { "\($0): \($1)" }.joined(separator: "; ")
    }
}

/// A request for a transcript.
public struct TranscriptOrder: Hashable, Sendable {
    /// When it was made.
    public let at: Timestamp
    /// The name of the person who made it.
    public let by: String
    /// The time zone in which times are written.
    public let zone: String
    /// Whether private notes are included.
    public let hasNotes: Bool

    /// Makes the value.
    public init(at: Timestamp, by: String, zone: String, hasNotes: Bool) {
        self.at = at
        self.by = by
        self.zone = zone
        self.hasNotes = hasNotes
    }
}

/// The forms of a transcript. The raw value is the ending of the file's name.
public enum TranscriptFormat: String, Hashable, Sendable, CaseIterable {
    /// Plain text, a line for each entry.
    case text = "txt"
    /// XML 1.0.
    case xml
    /// JSON.
    case json
    /// A page to read and print, without scripts.
    case html

    /// The writer of this form.
    /// - Parameter head: what the transcript says about its conversation.
    public func writer(_ head: TranscriptHead) -> any TranscriptWriter {
        switch self {
        case .text: TextTranscript(head)
        case .xml: XMLTranscript(head)
        case .json: JSONTranscript(head)
        case .html: HTMLTranscript(head)
        }
    }
}

/// Writes a transcript in one form, piece by piece, so that no transcript is held in memory whole.
public protocol TranscriptWriter: Sendable {
    /// What comes before the first entry.
    var beginning: String { get }
    /// One entry. - Parameter isFirst: whether it is the first that is written.
    func text(of entry: TranscriptEntry, isFirst: Bool) -> String
    /// What comes after the last entry.
    var ending: String { get }
}
