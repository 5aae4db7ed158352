import EarshotModel
import Foundation

/// A transcript as one JSON object: the conversation, and its entries. Each time is given twice: as text with its
/// offset, and in milliseconds since 1970.
struct JSONTranscript: TranscriptWriter {
    private let head: TranscriptHead

    init(_ head: TranscriptHead) {
        self.head = head
    }

    var beginning: String { "{\"conversation\":\(Self.json(Conversation(head))),\n\"entries\":[\n" }
    let ending = "\n]}\n"

    func text(of entry: TranscriptEntry, isFirst: Bool) -> String {
        (isFirst ? "" : ",\n") + Self.json(Entry(entry, zone: head.zone))
    }

    /// These values hold texts, numbers and switches only, which can always be encoded.
    private static func json(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }

    private struct Conversation: Encodable {
        let id: ConversationID
        let brand: String
        let app: AppID
        let channel: MessagingChannel
        let status: ConversationStatus
        let through: Int
        let consumer: ConsumerCard
        let agents: [Agent]
        let zone: String
        let notes: Bool
        let made: String
        let madeAt: Timestamp
        let madeFor: String

        init(_ head: TranscriptHead) {
            (id, app, channel) = (head.conversation.id, head.conversation.app, head.conversation.channel)
            (brand, status, through) = (head.brand, head.status, head.through)
            consumer = head.consumer
            agents = head.people.map { Agent(id: $0.id, name: $0.name, role: $0.role) }
            (zone, notes) = (head.zone, head.hasNotes)
            (made, madeAt, madeFor) = (Zone.iso8601(head.made, in: head.zone), head.made, head.madeFor)
        }
    }

    private struct Agent: Encodable {
        let id: AgentID?
        let name: String
        let role: Role
    }

    private struct Entry: Encodable {
        let seq: Int
        let time: String
        let at: Timestamp
        let from: String
        let role: Role?
        let type: String
        let text: String?
        let audio: Audio?

        init(_ entry: TranscriptEntry, zone: String) {
            (seq, at, time) = (entry.sequence, entry.at, Zone.iso8601(entry.at, in: zone))
            (from, role) = (entry.author.name ?? "Earshot", entry.author.role)
            switch entry.content {
            case .text(let text): (type, self.text, audio) = ("text", text, nil)
            case .audio(let sound): (type, text, audio) = ("audio", TextTranscript.audioLabel, Audio(sound))
            case .note(let text, let sound): (type, self.text, audio) = ("note", text, sound.map(Audio.init))
            case .event(let sentence, let sound, let name):
                (type, text, audio) = (name, sentence, sound.map(Audio.init))
            }
        }
    }

    private struct Audio: Encodable {
        let media: MediaID
        let durationMs: Int
        let listened: Bool?

        init(_ audio: TranscriptEntry.Audio) {
            (media, durationMs, listened) = (audio.media, audio.durationMs, audio.isListened)
        }
    }
}
