import EarshotDomain
public import EarshotModel
import Synchronization

/// What brands have set. Known by heart, for every voice message asks; a change is in force, and told to whoever listens, before it is answered.
public final class SettingsService: Sendable {
    private let accounts: any AccountStore
    private let now: @Sendable () -> Timestamp
    private let memory = Mutex(Memory())

    private struct Memory {
        var known: [AccountID: AccountSettings] = [:]
        /// What `refresh` saw last: a figure that rises with every change, and the version of each account.
        var stamp: Int64?
        var versions: [AccountID: Int] = [:]
        var listener: (any SettingsListener)?
    }

    /// Accounts remembered at a time; more are read again.
    static let capacity = 10_000

    public init(accounts: any AccountStore, environment: SystemEnvironment) {
        self.accounts = accounts
        self.now = environment.now
    }

    public func connect(_ listener: any SettingsListener) {
        memory.withLock { $0.listener = listener }
    }

    /// The whole of an account's settings.
    public func settings(of account: AccountID) async throws -> AccountSettings {
        if let known = memory.withLock({ $0.known[account] }) { return known }
        let read =
            if let stored = try await accounts.settings(of: account) { stored } else { try await initial(account) }
        return remember(read, of: account, isChange: false)
    }

    /// What of them applies to this caller. Every caller today is on the web.
    public func view(for caller: Caller) async throws -> SettingsView {
        try await settings(of: caller.account).view(for: caller.role, on: .web)
    }

    /// - Throws: `audio_off` where this caller may not send voice messages now.
    public func checkAudio(for caller: Caller) async throws {
        try await view(for: caller).checkAudio()
    }

    /// Changes what is given.
    /// - Throws: `setting_out_of_range`, or `forbidden` without the permission.
    public func change(_ patch: AudioSettingsPatch, as agent: AgentCaller) async throws -> AccountSettings {
        guard agent.may(.changeSettings) else { throw Rejection(.forbidden, "Your role does not allow this.") }
        return try await change(patch, of: agent.account, by: agent.id.rawValue)
    }

    /// The same for whoever has a shell on the server.
    public func change(_ patch: AudioSettingsPatch, of account: AccountID, by author: String) async throws
        -> AccountSettings
    {
        try patch.check()
        let audit = AuditEntry(account: account, at: now(), by: author, what: .settingsChanged, detail: patch.summary)
        let changed = try await accounts.change(
            SettingsChange(account: account, initial: try await initial(account), patch: patch, audit: audit))
        return remember(changed, of: account, isChange: true)
    }

    /// Looks whether another process changed anything (`earshot set`), and takes it over.
    public func refresh() async throws {
        let stamp = try await accounts.settingsStamp()
        let (isFirst, isNews) = memory.withLock { ($0.stamp == nil, $0.stamp != stamp) }
        guard isNews else { return }
        let versions = try await accounts.settingsVersions()
        let seen = memory.withLock { $0.versions }
        for (account, version) in versions where !isFirst && version != seen[account] {
            if let stored = try await accounts.settings(of: account) { remember(stored, of: account, isChange: true) }
        }
        memory.withLock { ($0.stamp, $0.versions) = (stamp, versions) }
    }

    private func initial(_ account: AccountID) async throws -> AccountSettings {
        guard let account = try await accounts.account(account) else { throw Rejection.notFound }
        var settings = AccountSettings()
        settings.audio.maxSeconds = account.audioLimitMs / 1000
        return settings
    }

    /// Never back: of two who read at once, the later version stays. Tells the listener of a change.
    @discardableResult
    private func remember(_ settings: AccountSettings, of account: AccountID, isChange: Bool) -> AccountSettings {
        let (current, listener) = memory.withLock { memory -> (AccountSettings, (any SettingsListener)?) in
            if memory.known.count >= Self.capacity { memory.known = [:] }
            let before = memory.known[account]
            guard settings.version > before?.version ?? 0 else { return (before ?? settings, nil) }
            memory.known[account] = settings
            return (settings, isChange ? memory.listener : nil)
        }
        listener?.changed(current, of: account)
        return current
    }
}

extension Caller {
    /// What they are here.
    public var role: Role {
        switch self {
        case .consumer: .consumer
        case .agent(let agent): agent.role
        }
    }
}

extension AudioSettingsPatch {
    /// For the audit log: what was given, in the words of the settings.
    var summary: String {
        var parts: [String] = []
        func add(_ name: String, _ value: (any CustomStringConvertible)?) {
            if let value { parts.append("\(name)=\(value)") }
        }
        add("enabled", enabled)
        add("consumers", consumers)
        add("agents", agents)
        add("managers", managers)
        for (channel, isOn) in channels.sorted(by: { $0.key < $1.key }) { add("channels.\(channel)", isOn) }
        add("maxSeconds", maxSeconds)
        add("keep", keep)
        add("originals", originals)
        return parts.joined(separator: " ")
    }
}
