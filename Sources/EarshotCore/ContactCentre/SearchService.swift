public import EarshotModel

/// Searches conversations and people, and stores the views that agents save.
public struct SearchService: Sendable {
    /// The most conversations per page.
    public static let limit = 50
    /// The newest conversations whose tags are offered again.
    static let taggedConversations = 200
    /// The most tags that are offered again.
    public static let tags = 50
    /// How many conversations a list reads at once.
    private static let listPage = 500
    /// The most views that an agent can save.
    public static let views = 50
    /// The allowed length of a view's name, in Unicode scalars.
    static let viewNameScalars = 1...80
    /// The most fields of a view's filter.
    static let filterFields = 20
    /// The most Unicode scalars of a view's filter.
    static let filterScalars = 500

    private let store: any SearchStore & SavedViewStore
    private let agents: any AgentStore
    private let running = RunningSearches()

    /// Creates the service.
    public init(store: any SearchStore & SavedViewStore, agents: any AgentStore) {
        self.store = store
        self.agents = agents
    }

    /// Finds conversations that match.
    /// - Returns: the conversations, newest change first, and whether there are more.
    /// - Throws: `rate_limited` while too many searches run, `search_too_slow`.
    public func search(_ query: SearchQuery, as agent: AgentCaller) async throws -> (
        found: [SearchResult], hasMore: Bool
    ) {
        try agent.require(.searchConversations)
        let limit = min(max(1, query.limit), Self.limit)
        let query = query.readable(for: agent, limit: limit + 1)
        let searcher = RunningSearches.Searcher(agent)
        try await running.begin(searcher)
        defer { running.end(searcher) }
        let found = try await found(query, in: agent.account)
        return (Array(found.prefix(limit)), found.count > limit)
    }

    private func found(_ query: SearchQuery, in account: AccountID) async throws -> [SearchResult] {
        guard case .found(let found) = try await store.search(query, in: account) else {
            throw Rejection(
                .searchTooSlow, "This search takes too long. Add a word or a filter, or choose a shorter period.")
        }
        return found
    }

    /// Finds a page of conversations for a program, and counts their messages.
    /// - Returns: the conversations, newest change first, and whether there are more.
    /// - Throws: `forbidden`, `rate_limited` while too many searches run, `search_too_slow`.
    func page(_ query: SearchQuery, as program: ProgramCaller) async throws -> ProgramPage {
        try program.require(.readHistory)
        let searcher = RunningSearches.Searcher(program)
        try await running.begin(searcher)
        defer { running.end(searcher) }
        var wider = query
        (wider.limit, wider.includesNotes) = (query.limit + 1, program.scopes.contains(.readNotes))
        let found = try await found(wider, in: program.account)
        let rows = found.prefix(query.limit).map(\.row)
        return ProgramPage(
            rows: rows, counts: try await counts(of: rows.map(\.conversation), in: program.account),
            hasMore: found.count > query.limit)
    }

    /// Counts the messages of a conversation for a program. It takes no turn among the searches, because it reads one
    /// conversation.
    func counts(of conversation: ReadableConversation) async throws -> MessageCounts? {
        try await counts(of: [conversation.id], in: conversation.program.account)[conversation.id]
    }

    private func counts(of conversations: [ConversationID], in account: AccountID) async throws
        -> [ConversationID: MessageCounts]
    {
        guard let counts = try await store.counts(of: conversations, in: account) else {
            throw Rejection(.searchTooSlow, "This takes too long. Ask for fewer conversations at a time.")
        }
        return counts
    }

    /// Finds all conversations that match, for a list to keep. Between two pages other searches run.
    /// - Returns: the conversations, newest change first.
    /// - Throws: `forbidden`, `too_large` for more than `Limits.listedConversations`, `rate_limited` while too many
    ///   searches run, `search_too_slow`.
    public func list(_ query: SearchQuery, as agent: AgentCaller) async throws -> [SearchResult] {
        try agent.require(.exportConversations)
        let searcher = RunningSearches.Searcher(agent)
        try await running.begin(searcher, isList: true)
        defer { running.end(searcher) }
        var (query, all) = (query.readable(for: agent, limit: Self.listPage), [SearchResult]())
        while true {
            let page = try await found(query, in: agent.account)
            all += page
            guard all.count <= Limits.listedConversations else {
                throw Rejection(
                    .tooLarge, "More than \(Limits.listedConversations) conversations match. Choose a shorter period.",
                    limit: Limits.listedConversations)
            }
            guard page.count == query.limit else { return all }
            query.before = page.last?.row.position
            await running.letOthersRun(searcher)
        }
    }

    /// The tags of the newest conversations that the person sees, the one used last first.
    public func tags(as agent: AgentCaller) async throws -> [String] {
        try agent.require(.readConversations)
        let query = SearchQuery(limit: Self.taggedConversations).readable(for: agent, limit: Self.taggedConversations)
        var tags: [String] = []
        for found in try await found(query, in: agent.account) {
            for tag in found.row.routing?.tags ?? [] where !tags.contains(tag) { tags.append(tag) }
        }
        return Array(tags.prefix(Self.tags))
    }

    /// Reads everyone who works for the brand.
    public func people(as agent: AgentCaller) async throws -> [Agent] {
        try agent.require(.readConversations)
        return try await agents.agents(of: agent.account)
    }

    /// Reads the agent's own views, followed by those that colleagues share, each with its owner.
    public func views(as agent: AgentCaller) async throws -> [(view: SavedView, by: AgentID)] {
        try agent.require(.readConversations)
        let all = try await store.views(of: agent.account)
        let others = all.filter { $0.key != agent.id }.sorted { $0.key < $1.key }.flatMap { by, views in
            views.filter(\.shared).map { (view: $0, by: by) }
        }
        return (all[agent.id] ?? []).map { (view: $0, by: agent.id) } + others
    }

    /// Replaces the agent's views.
    /// - Throws: `out_of_range`, `bad_request`.
    public func save(_ views: [SavedView], as agent: AgentCaller) async throws {
        try agent.require(.readConversations)
        guard views.count <= Self.views else {
            throw Rejection(.outOfRange, "views: you can save at most \(Self.views).", limit: Self.views)
        }
        guard Set(views.map(\.id)).count == views.count else {
            throw Rejection(.badRequest, "views: two views have the same id.")
        }
        for (index, view) in views.enumerated() { try view.check("views[\(index)]") }
        try await store.save(views, of: agent.id, in: agent.account)
    }
}

extension SearchQuery {
    /// The query for what a person may find: conversations of their scope, and notes if they may read them.
    fileprivate func readable(for agent: AgentCaller, limit: Int) -> SearchQuery {
        var query = self
        (query.limit, query.scope, query.includesNotes) = (limit, agent.scope, agent.may(.readNotes))
        return query
    }
}

/// A page of conversations for a program.
struct ProgramPage {
    let rows: [InboxRow]
    let counts: [ConversationID: MessageCounts]
    let hasMore: Bool
}

extension SavedView {
    fileprivate func check(_ at: String) throws(Rejection) {
        guard IdentifierRules.isWellFormed(id) else {
            throw Rejection(.badRequest, "\(at).id: must be 1 to 64 characters out of A-Z, a-z, 0-9, _ and -.")
        }
        guard SearchService.viewNameScalars.contains(name.unicodeScalars.count) else {
            throw Rejection(
                .outOfRange, "\(at).name: must have 1 to \(SearchService.viewNameScalars.upperBound) characters.",
                limit: SearchService.viewNameScalars.upperBound)
        }
        guard filter.count <= SearchService.filterFields else {
            throw Rejection(
                .outOfRange, "\(at).filter: must have at most \(SearchService.filterFields) fields.",
                limit: SearchService.filterFields)
        }
        let scalars = filter.reduce(0) { $0 + $1.key.unicodeScalars.count + $1.value.scalars }
        guard scalars <= SearchService.filterScalars else {
            throw Rejection(
                .outOfRange, "\(at).filter: must have at most \(SearchService.filterScalars) characters.",
                limit: SearchService.filterScalars)
        }
    }
}

extension FilterValue {
    fileprivate var scalars: Int {
        switch self {
        case .flag, .number: 1
        case .text(let text): text.unicodeScalars.count
        case .list(let list): list.reduce(0) { $0 + $1.unicodeScalars.count + 1 }
        }
    }
}
