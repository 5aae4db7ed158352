public import EarshotModel

/// Looking for conversations and people, and the filters that people keep.
public struct SearchService: Sendable {
    /// Conversations of one answer.
    public static let limit = 50
    /// Views that one person keeps.
    public static let views = 50
    static let viewNameScalars = 1...80
    static let filterFields = 20
    static let filterScalars = 500

    private let store: any ContactCentreStore
    private let accounts: any AccountStore

    public init(store: any ContactCentreStore, accounts: any AccountStore) {
        self.store = store
        self.accounts = accounts
    }

    /// Conversations that fit, newest change first, and whether there are more.
    public func search(_ search: Search, as agent: AgentCaller) async throws -> (found: [Found], hasMore: Bool) {
        guard agent.may(.readConversations) else { throw ContactCentreService.forbidden }
        var search = search
        let limit = min(max(1, search.limit), Self.limit)
        search.limit = limit + 1
        let found = try await store.search(search, in: agent.account)
        return (Array(found.prefix(limit)), found.count > limit)
    }

    /// The brand's people.
    public func people(as agent: AgentCaller) async throws -> [Agent] {
        guard agent.may(.readConversations) else { throw ContactCentreService.forbidden }
        return try await accounts.agents(of: agent.account)
    }

    /// One's own views, then those that others share, with who they are.
    public func views(as agent: AgentCaller) async throws -> [(view: SavedView, by: AgentID)] {
        guard agent.may(.readConversations) else { throw ContactCentreService.forbidden }
        let all = try await store.views(of: agent.account)
        let others = all.filter { $0.key != agent.id }.sorted { $0.key < $1.key }.flatMap { by, views in
            views.filter(\.shared).map { (view: $0, by: by) }
        }
        return (all[agent.id] ?? []).map { (view: $0, by: agent.id) } + others
    }

    /// Keeps these views for oneself, in place of those before.
    public func save(_ views: [SavedView], as agent: AgentCaller) async throws {
        guard agent.may(.readConversations) else { throw ContactCentreService.forbidden }
        guard views.count <= Self.views else {
            throw Rejection(.outOfRange, "views: there are at most \(Self.views).", limit: Self.views)
        }
        guard Set(views.map(\.id)).count == views.count else {
            throw Rejection(.badRequest, "views: an id stands there twice.")
        }
        for (index, view) in views.enumerated() { try view.check("views[\(index)]") }
        try await store.save(views, of: agent.id, in: agent.account)
    }
}

extension SavedView {
    fileprivate func check(_ at: String) throws(Rejection) {
        guard IdentifierRules.isWellFormed(id) else {
            throw Rejection(.badRequest, "\(at).id: it has 1 to 64 of A-Z, a-z, 0-9, _ and -.")
        }
        guard SearchService.viewNameScalars.contains(name.unicodeScalars.count) else {
            throw Rejection(
                .outOfRange, "\(at).name: it has 1 to \(SearchService.viewNameScalars.upperBound) characters.",
                limit: SearchService.viewNameScalars.upperBound)
        }
        guard filter.count <= SearchService.filterFields else {
            throw Rejection(
                .outOfRange, "\(at).filter: it has at most \(SearchService.filterFields) fields.",
                limit: SearchService.filterFields)
        }
        let scalars = filter.reduce(0) { $0 + $1.key.unicodeScalars.count + $1.value.scalars }
        guard scalars <= SearchService.filterScalars else {
            throw Rejection(
                .outOfRange, "\(at).filter: it has at most \(SearchService.filterScalars) characters.",
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
