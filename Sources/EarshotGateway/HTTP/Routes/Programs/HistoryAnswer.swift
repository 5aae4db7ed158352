import EarshotCore
import EarshotDomain
import EarshotModel

/// A conversation as programs get it. Times are milliseconds since 1970.
struct HistoryAnswer: Encodable {
    private let id: ConversationID
    private let app: AppID
    private let channel: MessagingChannel
    private let consumer: Consumer
    private let status: ConversationStatus
    private let begun: Timestamp?
    private let lastEvent: Timestamp?
    /// When it was last closed; omitted unless it is closed.
    private let closed: Timestamp?
    private let agents: [Agent]
    private let skill: Skill?
    private let tags: [String]
    private let disposition: String?
    private let csat: Int?
    private let nps: Int?
    private let counts: Counts

    init(_ row: HistoryRow) {
        let (state, routing) = (row.state, row.state.routing)
        (id, app, channel) = (state.identity.id, state.identity.app, state.identity.channel)
        consumer = Consumer(id: state.identity.consumer, name: row.consumer)
        (status, begun, lastEvent) = (state.status, state.timestamps.started, state.lastEventAt)
        closed = state.status == .closed ? state.timestamps.closed : nil
        var seen: Set<AgentID> = []
        agents = state.people.compactMap { person in
            guard let id = person.id, seen.insert(id).inserted else { return nil }
            return Agent(id: id, name: person.name)
        }
        skill = routing.skill.map { Skill(id: $0, name: row.skill ?? $0.rawValue) }
        (tags, disposition, csat, nps) = (routing.tags, routing.disposition, routing.csat, routing.nps)
        counts = Counts(messages: row.counts.messages, recordings: row.counts.recordings)
    }

    private struct Consumer: Encodable {
        let id: ConsumerID
        let name: String
    }

    private struct Agent: Encodable {
        let id: AgentID
        let name: String
    }

    private struct Skill: Encodable {
        let id: SkillID
        let name: String
    }

    private struct Counts: Encodable {
        let messages: Int
        let recordings: Int
    }
}

/// An event as programs get it, in the form of a transcript's entry.
struct HistoryEventAnswer: Encodable {
    private let n: Int
    private let at: Timestamp
    private let from: String
    private let role: Role?
    private let type: String
    private let text: String?
    private let audio: Audio?

    init(_ entry: TranscriptEntry) {
        (n, at) = (entry.sequence, entry.at)
        (from, role) = (entry.author.name ?? "Earshot", entry.author.role)
        switch entry.content {
        case .text(let text): (type, self.text, audio) = ("text", text, nil)
        case .audio(let sound): (type, text, audio) = ("audio", nil, Audio(sound))
        case .note(let text, let sound): (type, self.text, audio) = ("note", text, sound.map(Audio.init))
        case .event(let sentence, let sound, let name):
            (type, text, audio) = (name, sentence, sound.map(Audio.init))
        }
    }

    private struct Audio: Encodable {
        let media: MediaID
        let durationMs: Int
        let listened: Bool?
        /// Where the recording is downloaded.
        let url: String

        init(_ audio: TranscriptEntry.Audio) {
            (media, durationMs, listened) = (audio.media, audio.durationMs, audio.isListened)
            url = "/v1/history/recordings/\(audio.media)"
        }
    }
}
