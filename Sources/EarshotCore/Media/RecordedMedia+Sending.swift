public import EarshotDomain
public import EarshotModel

extension RecordedMedia {
    /// The call to `decide` for something that carries a recording, and the note in its row that it was sent. Runs where it is stored: between the look-up and
    /// the log the scanner may have spoken.
    /// - Parameter decide: what it comes to, and the number of the last event before it.
    /// - Throws: `not_found` unless this author recorded it, `upload_sent` the second time, or what the scanner said.
    public static func sent(
        _ recording: inout RecordedMedia?, by author: String,
        decide: (AudioContent) throws(Rejection) -> (facts: [Fact], after: Int)
    ) throws(Rejection) -> [Fact] {
        guard var found = recording, found.author == author else { throw .notFound }
        let decided = try decide(try found.sendable())
        guard let index = decided.facts.firstIndex(where: { $0.carries(found.content.media) }) else {
            return decided.facts
        }
        found.sent = decided.after + index + 1
        found.isPrivate = decided.facts[index].isPrivate
        recording = found
        return decided.facts
    }

    /// Whether it exists for a consumer: their own, and what was said to them. Of recordings from before this was written down only what was said can be known by its id.
    public func exists(forConsumer author: String) -> Bool {
        self.author == author || (!isPrivate && (sent != nil || at == nil))
    }

    private func sendable() throws(Rejection) -> AudioContent {
        guard sent == nil else { throw Rejection(.uploadSent, "This recording was sent already.") }
        switch scan {
        case .clean, .unscanned, .pending: return message
        case .blocked: throw Rejection(.audioBlocked, "This recording holds something harmful.")
        case .failed: throw Rejection(.audioFailed, "This recording could not be checked. Please record it again.")
        }
    }
}

extension Fact {
    fileprivate func carries(_ media: MediaID) -> Bool {
        switch kind {
        case .audio(let audio): audio.media == media
        case .note(let note): note.audio?.media == media
        case .rated(let rated): rated.audio?.media == media
        default: false
        }
    }

    /// Whether no consumer ever gets it.
    fileprivate var isPrivate: Bool {
        kind.isPrivate
    }
}
