public import EarshotDomain
public import EarshotModel
import Synchronization

/// How brands run their contact centres. Known by heart, for every message asks; a change is in force, and told to whoever listens, before it is answered.
public final class ContactCentreService: ContactCentreSource, Sendable {
    /// Lines of history in one answer, unless it asks for fewer.
    public static let pageRevisions = 50
    public static let pageRevisionsMaximum = 200
    /// Accounts remembered at a time; more are read again.
    static let capacity = 10_000

    private let store: any ContactCentreStore
    let accounts: any AccountStore
    private let now: @Sendable () -> Timestamp
    private let memory = Mutex(Memory())

    private struct Memory {
        var known: [AccountID: ContactCentreSettings] = [:]
        var listeners: [any ContactCentreListener] = []
    }

    public init(store: any ContactCentreStore, accounts: any AccountStore, environment: SystemEnvironment) {
        self.store = store
        self.accounts = accounts
        now = environment.now
    }

    public func connect(_ listener: any ContactCentreListener) {
        memory.withLock { $0.listeners.append(listener) }
    }

    /// The whole centre of an account, as it is in force.
    public func centre(of account: AccountID) async throws -> ContactCentreSettings {
        if let known = known(account) { return known }
        return remember(
            try ContactCentreSettings(stored: try await store.centre(of: account)), of: account, isChange: false)
    }

    /// The same where memory has it: asked in the middle of a message, which must not wait.
    public func known(_ account: AccountID) -> ContactCentreSettings? {
        memory.withLock { $0.known[account] }
    }

    /// Sets one section.
    /// - Parameter seen: the version of the centre that the author saw.
    /// - Throws: `stale` where somebody changed the same section since; what is wrong with the value, naming the field; `forbidden`.
    public func put(_ section: ContactCentreSettings.Section, _ value: [UInt8], seen: Int, as agent: AgentCaller)
        async throws -> ContactCentreSettings
    {
        guard agent.may(.changeSettings) else { throw Self.forbidden }
        return try await put(section, value, seen: seen, undoes: nil, of: agent.account, by: agent.id.rawValue)
    }

    /// Checks a section as `put` does, and stores nothing.
    /// - Throws: what `put` would throw.
    public func validate(_ section: ContactCentreSettings.Section, _ value: [UInt8], seen: Int, as agent: AgentCaller)
        async throws
    {
        guard agent.may(.changeSettings) else { throw Self.forbidden }
        let current = try await centre(of: agent.account)
        _ = try await checked(section, value, current, in: agent.account)
        guard current.version > seen else { return }
        let newer = try await store.revisions(of: agent.account, before: nil, limit: Self.pageRevisionsMaximum)
        if newer.contains(where: { $0.section == section && $0.version > seen }) { throw Self.stale }
    }

    /// The same for whoever runs the server.
    public func put(_ section: ContactCentreSettings.Section, _ value: [UInt8], of account: AccountID) async throws
        -> ContactCentreSettings
    {
        try await put(section, value, seen: .max, undoes: nil, of: account, by: AuditEntry.operator_)
    }

    /// Takes one revision back. Itself a revision.
    /// - Throws: `stale` where its section was changed again since, `not_found` where there is no such revision.
    public func undo(_ version: Int, as agent: AgentCaller) async throws -> ContactCentreSettings {
        guard agent.may(.changeSettings) else { throw Self.forbidden }
        guard let revision = try await store.revision(version, of: agent.account) else { throw Rejection.notFound }
        return try await put(
            revision.section, revision.before, seen: version, undoes: version, of: agent.account, by: agent.id.rawValue)
    }

    /// The newest revisions below `before`, and whether there are more.
    public func history(before: Int?, limit: Int, as agent: AgentCaller) async throws -> (
        revisions: [ContactCentreRevision], hasMore: Bool
    ) {
        guard agent.may(.changeSettings) else { throw Self.forbidden }
        let limit = min(max(1, limit), Self.pageRevisionsMaximum)
        let found = try await store.revisions(of: agent.account, before: before, limit: limit + 1)
        return (Array(found.prefix(limit)), found.count > limit)
    }

    public func revision(_ version: Int, as agent: AgentCaller) async throws -> ContactCentreRevision {
        guard agent.may(.changeSettings) else { throw Self.forbidden }
        guard let revision = try await store.revision(version, of: agent.account) else { throw Rejection.notFound }
        return revision
    }

    /// Where a conversation like this would go, and what each rule found.
    public func route(_ facts: RouteFacts, as agent: AgentCaller) async throws -> Routed {
        guard agent.may(.changeSettings) else { throw Self.forbidden }
        return try await centre(of: agent.account).route(facts)
    }

    private func put(
        _ section: ContactCentreSettings.Section, _ value: [UInt8], seen: Int, undoes: Int?, of account: AccountID,
        by author: String
    ) async throws
        -> ContactCentreSettings
    {
        let current = try await centre(of: account)
        let proposed = try await checked(section, value, current, in: account)
        let change = ContactCentreChange(
            account: account, section: section, seen: seen, initial: current.encoded(section),
            value: proposed.encoded(section), at: now(),
            by: author,
            undoes: undoes)
        guard try await store.change(change) != nil else {
            memory.withLock { $0.known[account] = nil }
            throw Self.stale
        }
        return remember(
            try ContactCentreSettings(stored: try await store.centre(of: account)), of: account, isChange: true)
    }

    /// The settings with this value in place of the section, or what is wrong with it.
    private func checked(
        _ section: ContactCentreSettings.Section, _ value: [UInt8], _ current: ContactCentreSettings,
        in account: AccountID
    ) async throws -> ContactCentreSettings {
        var proposed = try current.replacing(section, with: value)
        try ContactCentreSettings.checkFields(of: value, against: proposed.encoded(section), section.rawValue)
        try proposed.check(section, people: Set(try await accounts.agents(of: account).map(\.id)))
        if section == .canned { try await measureClips(of: &proposed.canned, in: account) }
        return proposed
    }

    /// What is said of a clip is the recording's own, and there is one.
    private func measureClips(of replies: inout [CannedReply], in account: AccountID) async throws {
        for (index, clip) in replies.map(\.clip).enumerated() {
            guard let clip else { continue }
            guard let recording = try await accounts.recording(clip.media, in: .clips(of: account)),
                recording.scan != .blocked, recording.scan != .failed
            else {
                throw Rejection(.badRequest, "canned[\(index)].clip: this recording is not there. Record it again.")
            }
            replies[index].clip?.durationMs = recording.content.durationMs
        }
    }

    /// Never back: of two who read at once, the later version stays. Tells the listeners of a change.
    @discardableResult
    private func remember(_ centre: ContactCentreSettings, of account: AccountID, isChange: Bool)
        -> ContactCentreSettings
    {
        let (current, listeners) = memory.withLock { memory -> (ContactCentreSettings, [any ContactCentreListener]) in
            if memory.known.count >= Self.capacity { memory.known = [:] }
            if let known = memory.known[account], known.version >= centre.version { return (known, []) }
            memory.known[account] = centre
            return (centre, isChange ? memory.listeners : [])
        }
        for listener in listeners { listener.changed(current, of: account) }
        return current
    }

    private static let stale = Rejection(
        .stale, "Somebody changed this since you opened it. Look at it again, and make your change there.")
    static let forbidden = Rejection(.forbidden, "Your role does not allow this.")
}
