import EarshotCore
import EarshotDomain
import EarshotMedia
import EarshotModel
import Foundation

/// Everything about one person in one archive: `conversation.json` with the consumer and all events as they are
/// stored, and the original of each recording.
struct ConsumerExport: Sendable {
    let conversations: any ConversationReads
    let retention: any RetentionStore
    let originals: RecordingOriginals

    private static let pageSize = 500

    /// What was written.
    struct Counts: Sendable {
        var events = 0
        var recordings = 0
        /// Recordings whose files are missing.
        var missing = 0
    }

    private struct Head: Encodable {
        let brand: AccountID
        let conversation: ConversationID
        let app: AppID
        let channel: String
        let exported: Timestamp
        let consumer: Consumer?
        let recordings: [Recording]
    }

    private struct Recording: Encodable {
        let media: MediaID
        /// The name in the archive; missing if the file is.
        let file: String?
        let ms: Int
        let at: Timestamp?
        /// The number of the event that carries it.
        let message: Int?
    }

    /// Writes the archive. Of a failed one nothing stays.
    func write(_ identity: ConversationIdentity, consumer: Consumer?, to path: String, at now: Timestamp) async throws
        -> Counts
    {
        let events = try await events(of: identity.id)
        let recordings = try await retention.recordings(of: identity.id)
        var counts = Counts(events: events.count)
        var archive = try ZIPFile(path: path, made: now)
        do {
            var listed: [Recording] = []
            for recording in recordings {
                let media = recording.content.media
                let name = "recordings/\(media).\(recording.container)"
                let bytes = try originals.bytes(of: media)
                if let bytes { try archive.add(name, bytes) }
                if bytes == nil { counts.missing += 1 } else { counts.recordings += 1 }
                listed.append(
                    Recording(
                        media: media, file: bytes == nil ? nil : name, ms: recording.content.durationMs,
                        at: recording.at, message: recording.sent))
            }
            let head = Head(
                brand: identity.account, conversation: identity.id, app: identity.app,
                channel: identity.channel.rawValue, exported: now, consumer: consumer, recordings: listed)
            try archive.add("conversation.json", try json(head, events))
            try archive.finish()
        } catch {
            unlink(path)
            throw error
        }
        return counts
    }

    /// The head, with the events as they are stored as its last member.
    private func json(_ head: Head, _ events: [[UInt8]]) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var text = Array(try encoder.encode(head).dropLast())
        text += Array(#","events":["#.utf8)
        for (index, event) in events.enumerated() { text += (index == 0 ? [] : Array(",\n".utf8)) + event }
        return text + Array("]}\n".utf8)
    }

    private func events(of conversation: ConversationID) async throws -> [[UInt8]] {
        var pages: [[StoredEvent]] = []
        var before = Int.max
        while true {
            let page = try await conversations.page(conversation, before: before, limit: Self.pageSize)
            guard let first = page.first else { break }
            pages.append(page)
            before = first.sequence
        }
        return pages.reversed().joined().map(\.encoded)
    }
}
