import EarshotDomain
public import EarshotModel

/// Reads the brand's conversations for programs, a page at a time, and notes what was read.
public struct HistoryService: Sendable {
    /// Rows or events of a page if the request does not say.
    public static let usualPage = 50
    /// The most rows or events of a page.
    public static let longestPage = 100

    /// What conversations are read through.
    struct Reads {
        let search: SearchService
        let transcripts: TranscriptService
        let centre: ContactCentreService
    }

    private let access: ConversationAccess
    private let conversations: any ConversationReads
    private let reads: Reads
    private let audit: AuditService

    init(access: ConversationAccess, conversations: any ConversationReads, _ reads: Reads, audit: AuditService) {
        self.access = access
        self.conversations = conversations
        self.reads = reads
        self.audit = audit
    }

    /// Finds conversations, the one with the newest change first. Pages follow each other without a gap: a conversation
    /// that does not change is on exactly one of them.
    /// - Parameter cursor: `next` of the page before.
    /// - Throws: `forbidden`, `bad_request` for a cursor of another query, `rate_limited` while too many searches run,
    ///   `search_too_slow`.
    public func search(_ query: SearchQuery, after cursor: String?, as program: ProgramCaller) async throws
        -> HistoryPage
    {
        try program.require(.readHistory)
        var query = query
        query.limit = min(max(1, query.limit), Self.longestPage)
        let place = HistoryCursor(of: query, in: program.account)
        query.before = try cursor.map(place.number)
        let page = try await reads.search.page(query, as: program)
        try await audit.noteSearch(by: program)
        let skills = try await skills(of: program.account)
        let states = try await conversations.states(of: page.rows.map(\.conversation), in: program.account)
        // A row without a state was removed since it was found.
        let rows = page.rows.compactMap { row in
            states[row.conversation].map {
                HistoryRow($0, consumer: row.who, counts: page.counts[row.conversation], skills: skills)
            }
        }
        return HistoryPage(
            rows: rows, next: page.hasMore ? page.rows.last.map { place.text(after: $0.position) } : nil)
    }

    /// Reads a conversation: what is known of it, and the next events.
    /// - Parameters:
    ///   - cursor: `next` of the page before; `nil` begins with the first event.
    ///   - limit: how many events to look at. Those of which a program learns nothing are omitted.
    /// - Throws: `forbidden`, `not_found`, `bad_request` for a cursor of another conversation.
    public func events(
        of conversation: ConversationID, after cursor: String?, limit: Int, as program: ProgramCaller
    ) async throws -> HistoryEvents {
        let open = try await access.open(conversation, for: .readHistory, as: program)
        let place = HistoryCursor(of: open.id)
        let transcript = try await reads.transcripts.transcript(of: open)
        let after = try cursor.map(place.number) ?? 0
        guard after <= transcript.head.through else { throw HistoryCursor.unknown }
        let last = min(Int(after) + min(max(1, limit), Self.longestPage), transcript.head.through)
        try await audit.noteReading(of: open)
        let row = HistoryRow(
            transcript.state, consumer: transcript.head.consumer.name,
            counts: try await reads.search.counts(of: open), skills: try await skills(of: program.account))
        return HistoryEvents(
            conversation: row, entries: try await transcript.entries(from: Int(after) + 1, through: last),
            next: last < transcript.head.through ? place.text(after: Int64(last)) : nil)
    }

    private func skills(of account: AccountID) async throws -> [SkillID: String] {
        let skills = try await reads.centre.centre(of: account).skills
        return Dictionary(skills.map { ($0.id, $0.name) }) { first, _ in first }
    }
}
