public import EarshotModel

/// The names that a transcript uses, and which events it includes.
public struct TranscriptNames: Sendable {
    private let consumer: String
    private let people: [Participant]
    private let skills: [SkillID: String]
    private let zone: String
    private let hasNotes: Bool

    /// Makes the value.
    /// - Parameters:
    ///   - consumer: the consumer's name.
    ///   - people: the brand's people of the conversation.
    ///   - skills: the brand's skills.
    ///   - zone: the time zone of moments within sentences.
    ///   - hasNotes: whether private notes are included.
    public init(
        consumer: String, people: [Participant], skills: [SkillID: String], zone: String, hasNotes: Bool
    ) {
        self.consumer = consumer
        self.people = people
        self.skills = skills
        self.zone = zone
        self.hasNotes = hasNotes
    }

    /// What a transcript shows of an event; `nil`: nothing.
    /// - Parameter isListened: whether someone of the other side listened to it, for a voice message.
    public func entry(of event: Event, isListened: Bool) -> TranscriptEntry? {
        guard let (content, author) = content(of: event, isListened: isListened) else { return nil }
        return TranscriptEntry(sequence: event.sequence, at: event.at, author: author, content: content)
    }

    private func content(of event: Event, isListened: Bool) -> (TranscriptEntry.Content, TranscriptAuthor)? {
        let author = author(event.by)
        switch event.kind {
        case .text(let text): return (.text(text), author)
        case .automatic(let automatic): return (.text(automatic.text), .earshot)
        case .audio(let audio): return (.audio(Self.audio(audio, isListened)), author)
        case .note(let note):
            guard hasNotes else { return nil }
            return (.note(note.text, note.audio.map { Self.audio($0, nil) }), author)
        default:
            guard let (name, sentence) = sentence(for: event) else { return nil }
            return (.event(sentence, event.kind.recording.map { Self.audio($0, nil) }, name: name), author)
        }
    }

    private static func audio(_ audio: AudioContent, _ isListened: Bool?) -> TranscriptEntry.Audio {
        TranscriptEntry.Audio(media: audio.media, durationMs: audio.durationMs, isListened: isListened)
    }

    private func author(_ by: ParticipantNumber) -> TranscriptAuthor {
        if by == .system { return .earshot }
        if by.isConsumer { return TranscriptAuthor(name: consumer, role: .consumer) }
        let person = people.first { $0.by == by }
        return TranscriptAuthor(name: person?.name ?? "A colleague", role: person?.role ?? .agent)
    }

    private func name(_ by: ParticipantNumber) -> String { author(by).name ?? "Earshot" }

    private func name(_ agent: AgentID) -> String { people.last { $0.id == agent }?.name ?? "a colleague" }

    /// An event as its name on the wire and a sentence.
    private func sentence(for event: Event) -> (String, String)? {
        switch event.kind {
        case .started(let started):
            ("started", "The conversation was opened on \(started.channel.rawValue) in \(started.app.rawValue).")
        case .resumed: ("resumed", "The conversation was opened again.")
        case .reopened: ("reopened", "\(name(event.by)) took the close back.")
        case .settled: ("settled", "\(name(event.by)): no answer needed.")
        case .closed(let closed): ("closed", closing(closed, by: event.by))
        case .joined(let joined): joined.quiet == true ? nil : ("joined", "\(joined.name) joined.")
        case .left: ("left", "\(name(event.by)) left.")
        case .assigned(let assigned): ("assigned", "\(name(assigned.to)) answers from now on.")
        case .queued(let queued): ("queued", queueing(queued, by: event.by))
        case .callback(let callback):
            (
                "callback",
                callback.until.map { "\(name(event.by)) will be back at \(Zone.iso8601($0, in: zone))." }
                    ?? "\(name(event.by)) is back."
            )
        case .scanned(let scanned): verdict(scanned).map { ("scanned", $0) }
        case .tagged(let tagged):
            ("tagged", tagged.tags.isEmpty ? "All tags were removed." : "Tags: \(tagged.tags.joined(separator: ", ")).")
        case .attribute(let attribute):
            ("attribute", "\(attribute.name): \(attribute.value ?? "removed").")
        case .disposed(let disposed): ("disposed", "Wrap-up code: \(disposed.name).")
        case .urgent(let urgent): ("urgent", urgent.on ? "Marked as urgent." : "No longer marked as urgent.")
        case .surveyed(let surveyed): ("surveyed", "Earshot asked: \(surveyed.question)")
        case .rated(let rated): ("rated", answer(rated))
        case .callInvited(let call):
            ("callInvited", "\(name(event.by)) invited \(consumer) to a \(call.kind.rawValue) call.")
        case .callAnswered: ("callAnswered", "\(consumer) accepted the call.")
        case .callEnded(let call): ("callEnded", ending(call, by: event.by))
        case .callRequested(let call): ("callRequested", "\(consumer) asked for a \(call.kind.rawValue) call.")
        case .offered, .declined, .noticed, .note, .text, .audio, .automatic, .unknown: nil
        }
    }

    private func closing(_ closed: Event.Closed, by: ParticipantNumber) -> String {
        switch closed.why {
        case .consumer: "\(consumer) closed the conversation."
        case .idle: "The conversation was closed after a period of inactivity."
        case nil: "\(name(by)) closed the conversation."
        }
    }

    private func ending(_ call: CallEnding, by: ParticipantNumber) -> String {
        let length = call.ms.map { " after \(TextTranscript.length(Int($0)))" } ?? ""
        return switch call.why {
        case .declined: "\(name(by)) declined the call."
        case .cancelled: "\(name(by)) took the invitation back."
        case .unanswered: "The call was not answered."
        case .hungUp: "\(name(by)) ended the call\(length)."
        case .left: "The call ended\(length): a device was gone."
        case .closed: "The call ended\(length)."
        case .failed: "The call failed\(length)."
        }
    }

    private func queueing(_ queued: Event.Queued, by: ParticipantNumber) -> String {
        let skill = skills[queued.skill] ?? queued.skill.rawValue
        let place = queued.to.map { "\(name($0)) (\(skill))" } ?? skill
        return switch queued.why {
        case .routed: "Waiting for \(place)."
        case .transferred: "\(name(by)) transferred the conversation to \(place)."
        case .returned: "\(name(by)) returned the conversation to the queue of \(place)."
        case .silent: "Back in the queue of \(place): it was not answered in time."
        case .offline: "Back in the queue of \(place): its agent went offline."
        case .noPermission: "Back in the queue of \(place): its agent may no longer answer."
        case .fallback: "Moved to \(place): no agent of the skill before was online."
        case .unanswered: "Waiting for \(place): the agent it was kept for did not take it in time."
        }
    }

    private func verdict(_ scanned: Event.Scanned) -> String? {
        switch scanned.verdict {
        case .clean: nil
        case .blocked: "The recording of message \(scanned.of) was removed: it is harmful."
        case .failed: "The recording of message \(scanned.of) could not be scanned and cannot be played."
        }
    }

    private func answer(_ rated: Event.Rated) -> String {
        let parts = [
            rated.csat.map { "satisfaction \($0) of 5" }, rated.nps.map { "recommendation \($0) of 10" },
            rated.text.map { "“\($0)”" },
            rated.audio.map { "\(TextTranscript.audioLabel) \(TextTranscript.length($0.durationMs))" },
        ]
        return "\(consumer) answered the survey: \(parts.compactMap(\.self).joined(separator: ", "))."
    }
}
