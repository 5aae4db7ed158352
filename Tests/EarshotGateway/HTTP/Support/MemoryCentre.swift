import EarshotCore
import EarshotModel

/// The contact centre's rows of a test brand.
actor MemoryCentre: ContactCentreData {
    private let people: MemoryAccounts
    private var sections: [AccountID: [ContactCentreSettings.Section: StoredSection]] = [:]
    private var revisions: [AccountID: [ContactCentreRevision]] = [:]
    private var kept: [AccountID: [AgentID: [SavedView]]] = [:]
    /// What was looked for last, and what is found.
    private(set) var searched: [(SearchQuery, AccountID)] = []
    private var outcome = SearchOutcome.found([])

    init(_ accounts: MemoryAccounts) { people = accounts }

    func centre(of account: AccountID) -> [ContactCentreSettings.Section: StoredSection] { sections[account] ?? [:] }

    func change(_ change: ContactCentreChange) async throws(AdapterFailure) -> Int? {
        let stored = sections[change.account]?[change.section]
        guard (stored?.version ?? 0) <= change.author.seen else { return nil }
        let version = (revisions[change.account]?.last?.version ?? 1) + 1
        sections[change.account, default: [:]][change.section] = StoredSection(
            version: version, body: change.values.new)
        revisions[change.account, default: []].append(
            ContactCentreRevision(
                version: version, at: change.at, by: change.author.id, section: change.section,
                undoes: change.author.undoes,
                before: stored?.body ?? change.values.initial,
                after: change.values.new))
        await people.record(
            AuditEntry(
                account: change.account, at: change.at, by: change.author.id, what: .centreChanged,
                detail: change.section.rawValue))
        return version
    }

    func revisions(of account: AccountID, before: Int?, limit: Int) -> [ContactCentreRevision] {
        Array((revisions[account] ?? []).filter { $0.version < before ?? .max }.reversed().prefix(limit))
    }

    func revision(_ version: Int, of account: AccountID) -> ContactCentreRevision? {
        revisions[account]?.first { $0.version == version }
    }
    func views(of account: AccountID) -> [AgentID: [SavedView]] { kept[account] ?? [:] }
    func save(_ views: [SavedView], of agent: AgentID, in account: AccountID) {
        kept[account, default: [:]][agent] = views
    }
    func index(atMost limit: Int) -> Int { 0 }
    func unfinishedConversations(closedSince: Timestamp) -> [ConversationID] { [] }
    func unfinished(_ conversations: [ConversationID]) -> [UnfinishedConversation] { [] }
    func accounts() -> [AccountID] { [] }
    func presences(of account: AccountID) -> [AgentID: Presence] { [:] }
    func save(_ presence: Presence, of agent: AgentID, in account: AccountID) {}
    func etaAccuracy(of account: AccountID) -> EtaAccuracy? { nil }
    func save(_ etaAccuracy: EtaAccuracy, of account: AccountID) {}
    func counts(of conversations: [ConversationID], in account: AccountID) -> [ConversationID: MessageCounts]? { [:] }
    func find(_ outcome: SearchOutcome) { self.outcome = outcome }

    func search(_ search: SearchQuery, in account: AccountID) -> SearchOutcome {
        searched.append((search, account))
        guard case .found(let found) = outcome else { return outcome }
        return .found(Array(found.filter { $0.row.position < search.before ?? .max }.prefix(search.limit)))
    }
}
