public import EarshotDomain
public import EarshotModel
import Synchronization

/// Reads and changes the contact-centre settings of brands.
///
/// Settings are cached, because every message asks for them. A change is in force, and the listeners were notified,
/// before it is answered.
public final class ContactCentreService: ContactCentreSource, Sendable {
    /// Revisions per page if the request does not say.
    public static let pageRevisions = 50
    /// The most revisions per page.
    public static let pageRevisionsMaximum = 200
    /// How many accounts are cached.
    static let capacity = 10_000

    private let store: any ContactCentreStore
    private let people: any AgentStore & RecordingStore
    private let now: @Sendable () -> Timestamp
    private let cache = Mutex(Cache())

    private struct Cache {
        var settings: [AccountID: ContactCentreSettings] = [:]
        var listeners: [any ContactCentreListener] = []
    }

    /// Creates the service.
    public init(
        store: any ContactCentreStore, people: any AgentStore & RecordingStore, environment: SystemEnvironment
    ) {
        self.store = store
        self.people = people
        now = environment.now
    }

    /// Adds a listener for changed settings.
    public func connect(_ listener: any ContactCentreListener) {
        cache.withLock { $0.listeners.append(listener) }
    }

    /// An account's contact-centre settings.
    public func centre(of account: AccountID) async throws -> ContactCentreSettings {
        if let cached = known(account) { return cached }
        return remember(
            try ContactCentreSettings(stored: try await store.centre(of: account)), of: account, isChange: false)
    }

    /// An account's contact-centre settings if they are cached. For code that must not wait.
    public func known(_ account: AccountID) -> ContactCentreSettings? {
        cache.withLock { $0.settings[account] }
    }

    /// Sets one section on behalf of an agent.
    /// - Parameter seen: the version of the settings that the agent saw.
    /// - Throws: `stale` if the section was changed after that version; `forbidden`; or a refusal that names the
    ///   invalid field.
    public func put(_ section: ContactCentreSettings.Section, _ value: [UInt8], seen: Int, as agent: AgentCaller)
        async throws -> ContactCentreSettings
    {
        try agent.require(section.permission)
        return try await put(section, value, of: agent.account, by: .init(id: agent.id.rawValue, seen: seen))
    }

    /// Checks a section as `put` does, and stores nothing.
    /// - Throws: what `put` would throw.
    public func validate(_ section: ContactCentreSettings.Section, _ value: [UInt8], seen: Int, as agent: AgentCaller)
        async throws
    {
        try agent.require(section.permission)
        let current = try await centre(of: agent.account)
        _ = try await checked(section, value, current, in: agent.account)
        guard current.version > seen else { return }
        let newer = try await store.revisions(of: agent.account, before: nil, limit: Self.pageRevisionsMaximum)
        if newer.contains(where: { $0.section == section && $0.version > seen }) { throw Self.stale }
    }

    /// Sets one section on behalf of an operator.
    public func put(_ section: ContactCentreSettings.Section, _ value: [UInt8], of account: AccountID) async throws
        -> ContactCentreSettings
    {
        try await put(section, value, of: account, by: .init(id: AuditEntry.operator_, seen: .max))
    }

    /// Undoes one revision. The undo is a revision, too.
    /// - Throws: `stale` if the section was changed again since; `not_found` if there is no such revision.
    public func undo(_ version: Int, as agent: AgentCaller) async throws -> ContactCentreSettings {
        try agent.require(.changeSettings)
        guard let revision = try await store.revision(version, of: agent.account) else { throw Rejection.notFound }
        try agent.require(revision.section.permission)
        return try await put(
            revision.section, revision.before, of: agent.account,
            by: .init(id: agent.id.rawValue, seen: version, undoes: version))
    }

    /// Reads the newest revisions with a version below `before`.
    /// - Returns: the revisions, newest first, and whether there are more.
    public func history(before: Int?, limit: Int, as agent: AgentCaller) async throws -> (
        revisions: [ContactCentreRevision], hasMore: Bool
    ) {
        try agent.require(.changeSettings)
        let limit = min(max(1, limit), Self.pageRevisionsMaximum)
        let found = try await store.revisions(of: agent.account, before: before, limit: limit + 1)
        return (Array(found.prefix(limit)), found.count > limit)
    }

    /// Reads one revision.
    public func revision(_ version: Int, as agent: AgentCaller) async throws -> ContactCentreRevision {
        try agent.require(.changeSettings)
        guard let revision = try await store.revision(version, of: agent.account) else { throw Rejection.notFound }
        return revision
    }

    /// Tests the routing rules: returns where a conversation with these facts would go, and the result of each rule.
    /// - Parameter draft: rules that are not saved, as JSON; `nil` tests the saved ones.
    /// - Returns: the result, and the rules that were tested.
    /// - Throws: what `put` would throw for the draft.
    public func route(_ facts: RouteFacts, by draft: [UInt8]?, as agent: AgentCaller) async throws -> (
        routed: Routed, rules: [RoutingRule]
    ) {
        try agent.require(.changeSettings)
        var settings = try await centre(of: agent.account)
        if let draft { settings = try await checked(.rules, draft, settings, in: agent.account) }
        return (settings.route(facts), settings.rules)
    }

    private func put(
        _ section: ContactCentreSettings.Section, _ value: [UInt8], of account: AccountID,
        by author: ContactCentreChange.Author
    ) async throws -> ContactCentreSettings {
        let current = try await centre(of: account)
        let proposed = try await checked(section, value, current, in: account)
        let change = ContactCentreChange(
            account: account, section: section,
            values: .init(initial: current.encoded(section), new: proposed.encoded(section)), at: now(),
            author: author)
        guard try await store.change(change) != nil else {
            cache.withLock { $0.settings[account] = nil }
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
        try proposed.check(section, people: Set(try await people.agents(of: account).map(\.id)))
        if section == .canned { try await measureClips(of: &proposed.canned, in: account) }
        return proposed
    }

    /// Checks that every clip has a recording, and takes its duration from there.
    private func measureClips(of replies: inout [CannedReply], in account: AccountID) async throws {
        for (index, clip) in replies.map(\.clip).enumerated() {
            guard let clip else { continue }
            guard let recording = try await people.recording(clip.media, in: .clips(of: account)),
                recording.scan != .blocked, recording.scan != .failed
            else {
                let field = "canned[\(index)].clip"
                throw Rejection(
                    .badRequest, "\(field): this recording does not exist. Record it again.", at: field)
            }
            replies[index].clip?.durationMs = recording.content.durationMs
        }
    }

    /// Caches settings unless a later version is cached already: two concurrent reads may arrive in either order.
    /// Notifies the listeners of a change.
    @discardableResult
    private func remember(_ centre: ContactCentreSettings, of account: AccountID, isChange: Bool)
        -> ContactCentreSettings
    {
        let (current, listeners) = cache.withLock { cache -> (ContactCentreSettings, [any ContactCentreListener]) in
            if cache.settings.count >= Self.capacity { cache.settings = [:] }
            if let cached = cache.settings[account], cached.version >= centre.version { return (cached, []) }
            cache.settings[account] = centre
            return (centre, isChange ? cache.listeners : [])
        }
        for listener in listeners { listener.changed(current, of: account) }
        return current
    }

    private static let stale = Rejection(
        .stale, "Someone else changed these settings. Reload the page and make your change again.")
}
