public import EarshotDomain
public import EarshotModel
import Synchronization

/// Reads and changes the settings of brands.
///
/// Settings are cached, because every voice message asks for them. A change is in force, and the listener was notified,
/// before it is answered.
public final class SettingsService: Sendable {
    private let accounts: any AccountStore & SettingsStore
    private let now: @Sendable () -> Timestamp
    private let cache = Mutex(Cache())

    private struct Cache {
        var settings: [AccountID: AccountSettings] = [:]
        /// The stamp that `refresh` saw last.
        var stamp: Int64?
        /// The versions that `refresh` saw last.
        var versions: [AccountID: Int] = [:]
        var listener: (any SettingsListener)?
    }

    /// How many accounts are cached.
    static let capacity = 10_000

    /// Creates the service.
    public init(accounts: any AccountStore & SettingsStore, environment: SystemEnvironment) {
        self.accounts = accounts
        self.now = environment.now
    }

    /// Sets the listener for changed settings.
    public func connect(_ listener: any SettingsListener) {
        cache.withLock { $0.listener = listener }
    }

    /// An account's settings.
    public func settings(of account: AccountID) async throws -> AccountSettings {
        if let cached = cache.withLock({ $0.settings[account] }) { return cached }
        let read =
            if let stored = try await accounts.settings(of: account) { stored } else { try await initial(account) }
        return remember(read, of: account, isChange: false)
    }

    /// Whether an account masks card numbers. It does while its settings are not cached; `ConversationService.prepare`
    /// loads them when a person connects.
    func masksCardNumbers(of account: AccountID) -> Bool {
        cache.withLock { $0.settings[account]?.cardNumbers != .kept }
    }

    /// Which calls an account allows: none while its settings are not cached.
    func calls(of account: AccountID) -> AccountSettings.Calls {
        cache.withLock { $0.settings[account]?.calls } ?? AccountSettings.Calls()
    }

    /// Whether consumers see all of their earlier messages. Unknown while the settings are not cached: then `false`.
    public func showsAllHistory(of account: AccountID) -> Bool {
        cache.withLock { $0.settings[account]?.history == AccountSettings.History() }
    }

    /// When the events begin that consumers see of a conversation; `nil` for all of them.
    public func historyBegins(in state: ConversationState?, of account: AccountID) async throws -> Timestamp? {
        try await settings(of: account).history.begins(in: state, at: now())
    }

    /// The settings that apply to a caller. Every caller uses the web channel today.
    public func view(for caller: Caller) async throws -> SettingsView {
        try await settings(of: caller.account).view(for: caller.role, on: .web)
    }

    /// Checks that a caller may send voice messages.
    /// - Throws: `audio_off`.
    public func checkAudio(for caller: Caller) async throws {
        try await view(for: caller).checkAudio()
    }

    /// Changes settings on behalf of an agent.
    /// - Throws: `setting_out_of_range`, `bad_request`, or `forbidden` without the permission.
    public func change(_ patch: SettingsPatch, as agent: AgentCaller) async throws -> AccountSettings {
        try agent.require(.changeSettings)
        return try await change(patch, of: agent.account, by: agent.id.rawValue)
    }

    /// Changes settings on behalf of an operator.
    /// - Parameter author: the author for the audit log.
    public func change(_ patch: SettingsPatch, of account: AccountID, by author: String) async throws
        -> AccountSettings
    {
        try patch.check()
        let audit = AuditEntry(account: account, at: now(), by: author, what: .settingsChanged, detail: patch.summary)
        let changed = try await accounts.change(
            SettingsChange(account: account, initial: try await initial(account), patch: patch, audit: audit))
        return remember(changed, of: account, isChange: true)
    }

    /// Loads settings that another process changed (`earshot set`).
    public func refresh() async throws {
        let stamp = try await accounts.settingsStamp()
        let (isFirst, hasChanged) = cache.withLock { ($0.stamp == nil, $0.stamp != stamp) }
        guard hasChanged else { return }
        let versions = try await accounts.settingsVersions()
        let seen = cache.withLock { $0.versions }
        for (account, version) in versions where !isFirst && version != seen[account] {
            if let stored = try await accounts.settings(of: account) { remember(stored, of: account, isChange: true) }
        }
        cache.withLock { ($0.stamp, $0.versions) = (stamp, versions) }
    }

    private func initial(_ account: AccountID) async throws -> AccountSettings {
        guard let account = try await accounts.account(account) else { throw Rejection.notFound }
        var settings = AccountSettings()
        settings.audio.maxSeconds = account.audioLimitMs / 1000
        return settings
    }

    /// Caches settings unless a later version is cached already: two concurrent reads may arrive in either order.
    /// Notifies the listener of a change.
    @discardableResult
    private func remember(_ settings: AccountSettings, of account: AccountID, isChange: Bool) -> AccountSettings {
        let (current, listener) = cache.withLock { cache -> (AccountSettings, (any SettingsListener)?) in
            if cache.settings.count >= Self.capacity { cache.settings = [:] }
            let before = cache.settings[account]
            guard settings.version > before?.version ?? 0 else { return (before ?? settings, nil) }
            cache.settings[account] = settings
            return (settings, isChange ? cache.listener : nil)
        }
        listener?.changed(current, of: account)
        return current
    }
}

extension SettingsPatch {
    /// A description for the audit log, with the names of the settings.
    var summary: String {
        var parts: [String] = []
        func add(_ name: String, _ value: (any CustomStringConvertible)?) {
            if let value { parts.append("\(name)=\(value)") }
        }
        add("enabled", audio.enabled)
        add("consumers", audio.consumers)
        add("agents", audio.agents)
        add("managers", audio.managers)
        for (channel, isOn) in audio.channels.sorted(by: { $0.key < $1.key }) { add("channels.\(channel)", isOn) }
        add("maxSeconds", audio.maxSeconds)
        add("keep", audio.keep)
        add("originals", audio.originals)
        add("cardNumbers", cardNumbers?.rawValue)
        add("history.days", historyDays)
        add("history.closed", historyClosed)
        add("calls.voice", calls.voice)
        add("calls.video", calls.video)
        add("calls.requests", calls.requests)
        return parts.joined(separator: " ")
    }
}
