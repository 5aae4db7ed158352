public import EarshotModel

/// What a decision needs in addition to state and command: the time, the brand's settings and people. The service fills
/// it in; `decide` looks nothing up.
public struct Context: Sendable {
    /// The time of the decision.
    public let now: Timestamp
    /// The brand's contact-centre settings.
    public let centre: ContactCentreSettings
    /// The recording that the command names, as the server decoded it.
    public var audio: AudioContent?
    /// Whether the agent is at capacity.
    public let isFull: Bool
    /// Whether the brand masks card numbers, so that they are stored nowhere.
    public var masksCardNumbers: Bool
    /// The names of the brand's people by id. An id that is missing belongs to no active person.
    public let colleagues: [AgentID: String]
    /// Those of them who may not answer: nothing is transferred to them.
    public let readOnly: Set<AgentID>
    /// Which calls the brand allows.
    public var calls = AccountSettings.Calls()
    /// Whether the agent is in a call of another conversation.
    public var isInCall = false

    /// Makes the value.
    public init(
        now: Timestamp, centre: ContactCentreSettings = ContactCentreSettings(), audio: AudioContent? = nil,
        isFull: Bool = false, masksCardNumbers: Bool = true, colleagues: [AgentID: String] = [:],
        readOnly: Set<AgentID> = []
    ) {
        self.now = now
        self.centre = centre
        self.audio = audio
        self.isFull = isFull
        self.masksCardNumbers = masksCardNumbers
        self.colleagues = colleagues
        self.readOnly = readOnly
    }

    /// The text as it is stored: without card numbers, unless the brand keeps them.
    /// - Parameter earlier: the groups of digits that the author's messages before end with.
    func stored(_ text: String, after earlier: [String] = []) -> String {
        masksCardNumbers ? CardNumbers.masked(text, after: earlier) : text
    }

    /// The note with this text and the recording of the command.
    /// - Throws: why the note is refused: empty, too long, still being scanned, or an unknown person mentioned.
    func note(_ text: String?, mentioning mentions: [AgentID]) throws(Rejection) -> Event.Note {
        if let text, !text.isWithin(scalars: Limits.noteScalars) {
            throw Rejection(
                .textTooLong, "A note has at most \(Limits.noteScalars) characters.", limit: Limits.noteScalars)
        }
        let hasWords = text?.unicodeScalars.contains { !$0.properties.isWhitespace } ?? false
        guard hasWords || audio != nil else { throw Rejection(.textEmpty, "This note is empty.") }
        // The scanner's verdict is an event that the consumer sees, and the consumer must not learn of a note.
        guard audio?.scan == nil else {
            throw Rejection(.audioPending, "This recording is still being checked. Try again in a moment.")
        }
        guard mentions.count <= Limits.mentions else {
            throw Rejection(.outOfRange, "A note mentions at most \(Limits.mentions) people.", limit: Limits.mentions)
        }
        for agent in mentions where colleagues[agent] == nil {
            throw Rejection(.unknownAgent, "There is no such person. Choose someone from the list.")
        }
        return Event.Note(text: hasWords ? text.map { stored($0) } : nil, audio: audio, mentions: mentions)
    }
}
