import Crypto
import EarshotCore
import EarshotDomain
import EarshotModel
import EarshotStorage
import Foundation

/// Writes the demo's conversations into the log as if they had happened: with the same decisions, at their own times,
/// and with recordings that the server decoded.
struct DemoDayWriter {
    let store: SQLiteStore
    let media: MediaService
    let environment: SystemEnvironment
    let centre: ContactCentreSettings
    let people: [String: Agent]
    /// Folder with the voices.
    let voices: String
    let began: Timestamp

    func write() async throws {
        for talk in DemoDay.talks { try await write(talk) }
    }

    private func write(_ talk: DemoDay.Talk) async throws {
        let first = moment(talk.lines.first?.minutes ?? 0)
        let consumer = Consumer(
            id: environment.id(), account: DemoBrand.account, app: DemoBrand.app, conversation: environment.id(),
            since: first, name: talk.consumer,
            page: "/demo/", language: talk.language,
            device: talk.language == "de" ? "Firefox on Windows" : "Chrome on Android")
        try await store.save(consumer)
        let identity = ConversationIdentity(
            id: consumer.conversation, account: consumer.account, app: consumer.app, consumer: consumer.id,
            channel: .web)
        for (number, line) in talk.lines.enumerated() {
            try await write(line, number, identity)
            if number == 0 {
                try await change(.existing(identity.id), request(AuditEntry.earshot, "routed", first)) {
                    state, _ throws(Rejection) in
                    try state.decide(.route, in: .init(route: Routed(skill: talk.skill, urgent: false)))
                }
            }
        }
        try await ask(talk, identity)
    }

    /// Writes the survey after the conversation, and the consumer's answer.
    private func ask(_ talk: DemoDay.Talk, _ identity: ConversationIdentity) async throws {
        for (number, line) in talk.lines.enumerated() {
            guard case .rate(let csat, let nps, let words) = line.act else { continue }
            let at = moment(line.minutes)
            guard let closed = try await store.view(identity.id, after: nil, limit: 1)?.state.timestamps.closed else {
                continue
            }
            let survey = Event.Surveyed(
                question: centre.survey.question, csat: centre.survey.csat, nps: centre.survey.nps,
                words: centre.survey.words, until: closed.adding(milliseconds: 86_400_000))
            try await change(.existing(identity.id), request(AuditEntry.earshot, "survey", closed)) {
                state, _ throws(Rejection) in
                try state.decide(.sendSurvey(closedAt: closed), in: .init(survey: survey))
            }
            try await perform(.rate(.init(csat: csat, nps: nps, text: words)), line, number, identity, at)
        }
    }

    private func write(_ line: DemoDay.Line, _ number: Int, _ identity: ConversationIdentity) async throws {
        let at = moment(line.minutes)
        switch line.act {
        case .text(let text): try await perform(.send(.text(text)), line, number, identity, at)
        case .voice(let file): try await speak(file, line, number, identity, at)
        case .note(let text, let mentions):
            try await perform(
                .note(.init(text: text, mentions: mentions.compactMap { people[$0]?.id })), line, number,
                identity, at)
        case .take: try await perform(.take, line, number, identity, at)
        case .close: try await perform(.close, line, number, identity, at)
        case .transfer(let skill, let to, let note):
            try await perform(
                .transfer(.init(skill: skill, agent: to.flatMap { people[$0]?.id }, note: note)), line, number,
                identity, at)
        case .callback(let minutes): try await perform(.callback(minutes * 60), line, number, identity, at)
        case .tags(let tags): try await perform(.tags(tags), line, number, identity, at)
        case .dispose(let id): try await perform(.dispose(id), line, number, identity, at)
        case .fact(let name, let value):
            try await perform(.attribute(.init(name: name, value: value)), line, number, identity, at)
        case .rate: break
        }
    }

    private func perform(
        _ command: Command, _ line: DemoDay.Line, _ number: Int, _ identity: ConversationIdentity, _ at: Timestamp
    ) async throws {
        let (actor, context) = (actor(line), Context(now: at, centre: centre, colleagues: colleagues))
        let request = request(author(line, identity), "line-\(number)", at)
        let accepted = try await change(target(of: line, identity), request) {
            state, _ throws(Rejection) in
            try state.decide(command, by: actor, in: context)
        }
        if line.by != nil { read(identity, through: accepted.sequence, by: actor) }
    }

    /// Records a manager's clip for a canned reply.
    func clip(_ file: String, by name: String) async throws -> CannedReply.Clip? {
        guard let agent = people[name], let sound = FileManager.default.contents(atPath: "\(voices)/\(file).ogg") else {
            return nil
        }
        let caller = AgentCaller(id: agent.id, account: agent.account, name: agent.name, role: agent.role)
        let content = try await upload(
            sound, media.beginClip(environment.id(), as: caller, from: nil), as: .agent(caller))
        return CannedReply.Clip(media: content.media, durationMs: content.durationMs)
    }

    private func upload(_ sound: Data, _ upload: UploadStatus, as caller: Caller) async throws -> AudioContent {
        _ = try await media.append(UploadChunk(Array(sound), at: 0, from: nil), to: upload.upload, as: caller)
        return try await media.finish(upload.upload, WholeRecording(bytes: sound.count), as: caller).content
    }

    private func speak(
        _ file: String, _ line: DemoDay.Line, _ number: Int, _ identity: ConversationIdentity, _ at: Timestamp
    ) async throws {
        guard let sound = FileManager.default.contents(atPath: "\(voices)/\(file).ogg") else {
            return try await perform(.send(.text("(voice message: \(file))")), line, number, identity, at)
        }
        let (caller, author) = (caller(line, identity), author(line, identity))
        let begun = try await media.begin(environment.id(), in: identity.id, as: caller, from: nil)
        let content = try await upload(sound, begun, as: caller)
        let (actor, context) = (actor(line), Context(now: at, centre: centre, colleagues: colleagues))
        let request = request(author, "line-\(number)", at)
        _ = try await change(target(of: line, identity), request, recording: content.media) {
            state, recording throws(Rejection) in
            try RecordedMedia.sent(&recording, by: author) { audio throws(Rejection) in
                (try state.decide(.send(.audio(audio)), by: actor, in: context), state.sequence)
            }
        }
    }

    /// Marks everything as read by the agent who answers.
    private func read(_ identity: ConversationIdentity, through sequence: Int, by actor: Actor) {
        store.raise(
            WatermarkUpdate(conversation: identity.id, delivered: sequence, read: sequence) { $0.participant(actor) })
    }

    private func request(_ author: String, _ key: String, _ at: Timestamp) -> Change.Request {
        let digest = Array(SHA256.hash(data: Array("\(author) \(key)".utf8)).prefix(16))
        return Change.Request(author: author, key: IdempotencyKey(trusted: key), digest: digest, at: at)
    }

    /// Writes one change.
    @discardableResult
    private func change(
        _ target: Change.Target, _ request: Change.Request, recording: MediaID? = nil, decide: @escaping Change.Decision
    ) async throws -> Accepted {
        let change = Change(target, request, recording: recording, decide: decide)
        return try await withCheckedContinuation { continuation in
            store.change(change) { continuation.resume(returning: $0) }
        }.get()
    }

    /// A consumer's line may begin the conversation.
    private func target(of line: DemoDay.Line, _ identity: ConversationIdentity) -> Change.Target {
        line.by == nil ? .existingOrNew(identity) : .existing(identity.id)
    }

    private func moment(_ minutes: Double) -> Timestamp { began.adding(milliseconds: -Int64(minutes * 60_000)) }
    private var colleagues: [AgentID: String] {
        Dictionary(people.values.map { ($0.id, $0.name) }) { first, _ in first }
    }

    private func actor(_ line: DemoDay.Line) -> Actor {
        line.by.flatMap { people[$0] }.map { .agent(id: $0.id, name: $0.name, role: $0.role) } ?? .consumer
    }

    private func author(_ line: DemoDay.Line, _ identity: ConversationIdentity) -> String {
        line.by.flatMap { people[$0]?.id.rawValue } ?? identity.consumer.rawValue
    }

    private func caller(_ line: DemoDay.Line, _ identity: ConversationIdentity) -> Caller {
        if let agent = line.by.flatMap({ people[$0] }) {
            return .agent(.init(id: agent.id, account: identity.account, name: agent.name, role: agent.role))
        }
        return .consumer(
            .init(
                id: identity.consumer, account: identity.account, app: identity.app, conversation: identity.id,
                tokenIssued: began))
    }
}
