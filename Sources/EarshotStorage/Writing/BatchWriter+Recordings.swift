import EarshotCore
import EarshotDomain
import EarshotModel
import Foundation

/// Recordings in the transaction of the message that carries them, or of the verdict on them.
extension BatchWriter {
    func recording(_ media: MediaID, in conversation: ConversationID) throws -> RecordedMedia? {
        let body = try statements.recording.first { binder in
            binder.text(conversation.rawValue, at: 1)
            binder.text(media.rawValue, at: 2)
        } read: {
            $0.blob(0)
        }
        return try body.map { try RowAccess.decode(Data($0), of: "recording", id: "\(conversation)/\(media)") }
    }

    func write(_ recording: RecordedMedia) throws {
        let body = Array(try JSONEncoder().encode(recording))
        try statements.updateRecording.run { binder in
            binder.text(recording.scan.rawValue, at: 1)
            binder.integer(recording.sent, at: 2)
            binder.blob(body, at: 3)
            binder.text(recording.conversation.rawValue, at: 4)
            binder.text(recording.content.media.rawValue, at: 5)
        }
    }

    /// The first verdict on a recording that waits for one, or a blocking one on what had passed the gate at Send; any
    /// other changes nothing.
    func run(_ verdict: ScanVerdict) throws -> Bool {
        guard var recording = try self.recording(verdict.media, in: verdict.conversation),
            recording.scan == .pending
                || (recording.scan == .clean && !recording.hasWaited && verdict.verdict == .blocked)
        else { return false }
        recording.scan = ScanState(verdict.verdict)
        try write(recording)
        if let audit = verdict.audit { try statements.record(audit) }
        // Of a private note's recording no event tells: the consumer would see it.
        guard let number = recording.sent, !recording.isPrivate,
            let conversation = try self.conversation(verdict.conversation, identity: nil)
        else { return true }
        if !conversation.isDirty { touch(conversation) }
        let key = StoredKey(author: AuditEntry.earshot, key: IdempotencyKey(trusted: "scan-\(verdict.media)"))
        let fact = Fact(.system, .scanned(.init(of: number, verdict: verdict.verdict)))
        try append(fact, at: verdict.at, key: key, digest: [], to: conversation)
        return true
    }
}
