import EarshotDomain
public import EarshotModel

/// Reads the audit log on behalf of an agent, and notes who read what of the brand's history.
public struct AuditService: Sendable {
    /// Entries per page if the request does not say.
    public static let pageEntries = 50
    /// The most entries per page.
    public static let pageEntriesMaximum = 200

    private static let dayMs: Int64 = 24 * 3600 * 1000

    private let audit: any AuditStore
    private let now: @Sendable () -> Timestamp

    /// Creates the service.
    public init(audit: any AuditStore, environment: SystemEnvironment) {
        self.audit = audit
        now = environment.now
    }

    /// Notes that an agent searched the brand's conversations, once a day.
    public func noteSearch(by agent: AgentCaller) async throws {
        try await note(.historySearched, of: nil, by: agent)
    }

    /// Notes that an agent read a closed conversation of others, once a day.
    public func noteReading(of conversation: ConversationID, by agent: AgentCaller) async throws {
        try await note(.historyRead, of: conversation, by: agent)
    }

    /// Notes that an agent watched an open conversation that a colleague answers, once a day.
    public func noteWatching(of conversation: ConversationID, by agent: AgentCaller) async throws {
        try await note(.conversationWatched, of: conversation, by: agent)
    }

    /// Notes that an agent exported a transcript, each time.
    func noteTranscript(
        of conversation: ConversationID, _ format: TranscriptFormat, hasNotes: Bool, by agent: AgentCaller
    ) async throws {
        try await audit.record(
            AuditEntry(
                account: agent.account, at: now(), by: agent.id.rawValue, what: .transcriptExported,
                conversation: conversation, detail: format.rawValue + (hasNotes ? ", with notes" : "")))
    }

    /// Notes that an agent exported a list of so many conversations, each time.
    public func noteList(of conversations: Int, by agent: AgentCaller) async throws {
        try await audit.record(
            AuditEntry(
                account: agent.account, at: now(), by: agent.id.rawValue, what: .historyExported,
                detail: "conversations: \(conversations)"))
    }

    /// Notes that a program searched the brand's conversations, once for each key and day.
    func noteSearch(by program: ProgramCaller) async throws {
        try await note(.historySearched, of: nil, by: program.id.rawValue, in: program.account, program.name)
    }

    /// Notes that a program read a conversation, once for each key, conversation and day.
    func noteReading(of conversation: ReadableConversation) async throws {
        let program = conversation.program
        try await note(.historyRead, of: conversation.id, by: program.id.rawValue, in: program.account, program.name)
    }

    private func note(_ what: AuditAction, of conversation: ConversationID?, by agent: AgentCaller) async throws {
        try await note(what, of: conversation, by: agent.id.rawValue, in: agent.account, nil)
    }

    private func note(
        _ what: AuditAction, of conversation: ConversationID?, by author: String, in account: AccountID,
        _ detail: String?
    ) async throws {
        let at = now()
        let name = [what.rawValue, author, conversation?.rawValue ?? "", "\(at.milliseconds / Self.dayMs)"]
        try await audit.record(
            AuditEntry(
                account: account, at: at, by: author, what: what, conversation: conversation, detail: detail,
                once: name.joined(separator: " ")))
    }

    /// Reads entries, newest first.
    /// - Returns: the entries, and whether there are more.
    /// - Throws: `forbidden` without the permission to read the audit log.
    public func page(_ query: AuditQuery, as agent: AgentCaller) async throws -> (rows: [AuditRow], hasMore: Bool) {
        try agent.require(.readAudit)
        var query = query
        let limit = min(max(1, query.limit), Self.pageEntriesMaximum)
        query.limit = limit + 1
        let rows = try await audit.audit(agent.account, query)
        return (Array(rows.prefix(limit)), rows.count > limit)
    }
}
