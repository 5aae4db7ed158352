public import EarshotDomain
public import EarshotModel
import Foundation

/// Makes transcripts of conversations for the brand's people, from the log and complete.
public struct TranscriptService: Sendable {
    /// Events that are held in memory at once.
    static let pageEvents = 200

    /// What transcripts are made from.
    struct Reads {
        let conversations: any ConversationReads
        let accounts: any AccountStore & ConsumerStore
        let centre: ContactCentreService
    }

    private let access: ConversationAccess
    private let conversations: any ConversationReads
    private let accounts: any AccountStore & ConsumerStore
    private let centre: ContactCentreService
    private let audit: AuditService
    private let now: @Sendable () -> Timestamp

    init(access: ConversationAccess, _ reads: Reads, audit: AuditService, environment: SystemEnvironment) {
        self.access = access
        (conversations, accounts, centre) = (reads.conversations, reads.accounts, reads.centre)
        self.audit = audit
        now = environment.now
    }

    /// Begins a transcript of everything that a conversation has now, and writes the entry of the audit log.
    /// - Parameters:
    ///   - wish: the format and what to include.
    ///   - isNoted: whether the transcript is read; `false`: only its headers are asked for.
    /// - Throws: `not_found` where the agent may not read the conversation, `forbidden` for notes that the agent may
    ///   not read, `bad_request` for an unknown zone.
    public func transcript(
        of conversation: ConversationID, _ wish: TranscriptWish, isNoted: Bool = true, for agent: AgentCaller
    ) async throws -> Transcript {
        let (format, zone, hasNotes) = (wish.format, wish.zone, wish.hasNotes)
        guard Zone.isKnown(zone) else {
            throw Rejection(.badRequest, "?zone= must be the name of a time zone, such as Europe/Berlin.")
        }
        let open = try await access.open(conversation, as: .agent(agent))
        if hasNotes { try agent.require(.readNotes) }
        let order = TranscriptOrder(at: now(), by: agent.name, zone: zone, hasNotes: hasNotes)
        let transcript = try await transcript(of: open.identity, order, format)
        if isNoted { try await audit.noteTranscript(of: open.id, format, hasNotes: hasNotes, by: agent) }
        return transcript
    }

    /// Begins a transcript that a program reads entry by entry.
    /// - Throws: `not_found` where nothing is there to read.
    func transcript(of conversation: ReadableConversation) async throws -> Transcript {
        let program = conversation.program
        let order = TranscriptOrder(
            at: now(), by: program.name, zone: "UTC", hasNotes: program.scopes.contains(.readNotes))
        return try await transcript(of: conversation.identity, order, .json)
    }

    private func transcript(of identity: ConversationIdentity, _ order: TranscriptOrder, _ format: TranscriptFormat)
        async throws -> Transcript
    {
        guard let state = try await conversations.view(identity.id, after: nil, limit: 1)?.state,
            let brand = try await accounts.account(identity.account),
            let consumer = try await accounts.consumer(identity.consumer)
        else { throw Rejection.notFound }
        let skills = try await centre.centre(of: identity.account).skills
        let names = TranscriptNames(
            consumer: consumer.name, people: state.people,
            skills: Dictionary(skills.map { ($0.id, $0.name) }) { first, _ in first }, zone: order.zone,
            hasNotes: order.hasNotes)
        return Transcript(
            head: TranscriptHead(brand: brand.name, state: state, consumer: ConsumerCard(consumer), order: order),
            format: format, state: state, names: names, conversations: conversations)
    }
}

/// What a person wants to have in a transcript.
public struct TranscriptWish: Hashable, Sendable {
    /// The form.
    public let format: TranscriptFormat
    /// The name of the time zone in which times are written.
    public let zone: String
    /// Whether private notes are included.
    public let hasNotes: Bool

    /// Makes the value.
    public init(_ format: TranscriptFormat, zone: String, hasNotes: Bool) {
        self.format = format
        self.zone = zone
        self.hasNotes = hasNotes
    }
}

/// A transcript that is written piece by piece, while its conversation is read.
public struct Transcript: Sendable {
    /// What it says about its conversation.
    public let head: TranscriptHead
    /// Its form.
    public let format: TranscriptFormat
    /// The state of the conversation when the transcript was begun.
    let state: ConversationState
    private let names: TranscriptNames
    private let conversations: any ConversationReads

    init(
        head: TranscriptHead, format: TranscriptFormat, state: ConversationState, names: TranscriptNames,
        conversations: any ConversationReads
    ) {
        self.head = head
        self.format = format
        self.state = state
        self.names = names
        self.conversations = conversations
    }

    /// Writes the whole transcript, a page of events at a time. - Parameter write: takes the next piece.
    public func write(_ write: (String) async throws -> Void) async throws {
        try await self.write(with: format.writer(head), write)
    }

    /// Writes the whole transcript with a writer of any form.
    func write(with writer: any TranscriptWriter, _ write: (String) async throws -> Void) async throws {
        try await write(writer.beginning)
        var isFirst = true
        for first in stride(from: 1, through: head.through, by: TranscriptService.pageEvents) {
            var piece = ""
            for entry in try await entries(from: first, through: last(from: first)) {
                piece += writer.text(of: entry, isFirst: isFirst)
                isFirst = false
            }
            if !piece.isEmpty { try await write(piece) }
        }
        try await write(writer.ending)
    }

    /// A recording of the conversation, with the event that carries it.
    struct Recorded {
        let event: Event
        let content: AudioContent
        /// Who played it, and how far. Empty where Earshot does not keep that: for notes and answers to surveys.
        let listeners: [PlaybackProgress]
    }

    /// Hands over every recording, in the order of the events.
    func forEachRecording(_ body: (Recorded) async throws -> Void) async throws {
        for first in stride(from: 1, through: head.through, by: TranscriptService.pageEvents) {
            let page = try await page(from: first, through: last(from: first))
            for event in page.events {
                guard let content = event.kind.recording else { continue }
                try await body(
                    Recorded(
                        event: event, content: content,
                        listeners: page.played[event.sequence]?.listeners ?? []))
            }
        }
    }

    /// Everyone of the brand who took part, also those whom the consumer did not see.
    var people: [Participant] { state.people }

    /// The entries of these events. Not every event has one.
    func entries(from first: Int, through last: Int) async throws -> [TranscriptEntry] {
        let page = try await page(from: first, through: last)
        return page.events.compactMap { event in
            names.entry(of: event, isListened: page.played[event.sequence]?.isListenedByOtherSide ?? false)
        }
    }

    /// The number of the last event of the page that begins with this one.
    private func last(from first: Int) -> Int { min(first + TranscriptService.pageEvents - 1, head.through) }

    /// A page of events. It omits an event that cannot be read; the storage reports those.
    private func page(from first: Int, through last: Int) async throws -> (
        events: [Event], played: [Int: MessagePlayback]
    ) {
        let id = head.conversation.id
        let events = try await conversations.page(id, before: last + 1, limit: last - first + 1)
        let played = try await conversations.played(id, from: first, through: last)
        return (
            events.filter { $0.sequence >= first }.compactMap(\.decoded),
            Dictionary(played.map { ($0.sequence, $0) }) { first, _ in first }
        )
    }
}

extension StoredEvent {
    /// The event; `nil` where its bytes are damaged.
    fileprivate var decoded: Event? { try? JSONDecoder().decode(Event.self, from: Data(encoded)) }
}
