public import EarshotDomain
public import EarshotModel

extension RecordedMedia {
    /// Calls `decide` for a command that sends a recording, and marks the recording's row as sent.
    ///
    /// Runs inside the write transaction, because the scanner may have answered since the recording was looked up.
    /// - Parameter decide: returns the facts, and the number of the last event before them.
    /// - Throws: `not_found` unless this author recorded it, `upload_sent` if it was sent before, `audio_blocked` or
    ///   `audio_failed` after the scanner's verdict.
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

    /// Whether a person may know of the recording: it is their own, or it was sent. A consumer may know of none that is
    /// in a private note. Recordings of the first version have neither a time nor the number of their message.
    public func exists(for author: String, among viewer: Viewer) -> Bool {
        self.author == author || ((sent != nil || at == nil) && (viewer == .brand || !isPrivate))
    }

    private func sendable() throws(Rejection) -> AudioContent {
        guard sent == nil else { throw Rejection(.uploadSent, "This recording was already sent. Record a new one.") }
        switch scan {
        case .clean, .unscanned, .pending: return message
        case .blocked: throw Rejection(.audioBlocked, "This recording contains malware and cannot be sent.")
        case .failed: throw Rejection(.audioFailed, "This recording could not be scanned. Record it again.")
        }
    }
}

extension Fact {
    fileprivate func carries(_ media: MediaID) -> Bool { kind.recording?.media == media }

    /// Whether the event is never delivered to the consumer.
    fileprivate var isPrivate: Bool {
        kind.isPrivate
    }
}
