public import EarshotDomain
public import EarshotModel

extension RecordedMedia {
    /// The call to `decide` for a message that carries a recording, and the note in its row that it was sent. Runs where the message is stored: between
    /// the look-up and the log the scanner may have spoken.
    /// - Parameter decide: what the message comes to, and the number of the last event before it.
    /// - Throws: `not_found` unless this author recorded it, `upload_sent` the second time, or what the scanner said.
    public static func sent(
        _ recording: inout RecordedMedia?, by author: String, decide: (AudioContent) throws(Rejection) -> (facts: [Fact], after: Int)
    ) throws(Rejection) -> [Fact] {
        guard var found = recording, found.author == author else { throw .notFound }
        let decided = try decide(try found.sendable())
        found.sent = decided.after + decided.facts.count
        recording = found
        return decided.facts
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
