public import EarshotCore
public import EarshotModel

extension SQLiteStore: AccountStore {
    /// Finds an account by its id.
    public func account(_ id: AccountID) async throws(AdapterFailure) -> Account? {
        try await tables.accounts.account(id)
    }

    /// Finds an app of an account by its id.
    public func app(_ id: AppID, of account: AccountID) async throws(AdapterFailure) -> App? {
        try await tables.accounts.app(id, of: account)
    }

    /// Reads all apps of an account, ordered by id.
    public func apps(of account: AccountID) async throws(AdapterFailure) -> [App] {
        try await tables.accounts.apps(of: account)
    }

    /// Inserts an account, or replaces the one with the same id.
    public func save(_ account: Account) async throws(AdapterFailure) {
        try await tables.accounts.save(account)
    }

    /// Inserts an app, or replaces the one with the same account and id.
    public func save(_ app: App) async throws(AdapterFailure) {
        try await tables.accounts.save(app)
    }

    /// Reads which accounts are suspended.
    public func suspended() async throws(AdapterFailure) -> Set<AccountID> {
        try await tables.accounts.suspended()
    }

    /// Suspends an account or lifts its suspension.
    public func suspend(_ account: AccountID, _ isSuspended: Bool, audit: AuditEntry) async throws(AdapterFailure) {
        try await tables.accounts.suspend(account, isSuspended, audit: audit)
    }
}

extension SQLiteStore: AgentStore {
    /// Finds an agent of an account by e-mail address, in lower case.
    public func agent(email: String, of account: AccountID) async throws(AdapterFailure) -> Agent? {
        try await tables.agents.agent(email: email, of: account)
    }

    /// Finds an agent by id.
    public func agent(_ id: AgentID) async throws(AdapterFailure) -> Agent? {
        try await tables.agents.agent(id)
    }

    /// Reads everyone who works for an account, ordered by id.
    public func agents(of account: AccountID) async throws(AdapterFailure) -> [Agent] {
        try await tables.agents.agents(of: account)
    }

    /// Inserts an agent, or replaces the one with the same id.
    public func save(_ agent: Agent) async throws(AdapterFailure) {
        try await tables.agents.save(agent)
    }

    /// In one transaction: changes an agent, ends their sessions where that is required, writes the audit entry.
    public func change(_ change: PersonChange) async throws(AdapterFailure) -> PersonChange.Outcome {
        try await tables.agents.change(change)
    }
}

extension SQLiteStore: SessionStore {
    /// Finds the session with this digest, if it has not expired.
    public func session(_ digest: [UInt8], at now: Timestamp) async throws(AdapterFailure) -> Session? {
        try await tables.sessions.session(digest, at: now)
    }

    /// Inserts a session, or replaces the one with the same digest.
    public func save(_ session: Session) async throws(AdapterFailure) {
        try await tables.sessions.save(session)
    }

    /// Reads the sessions of an agent that have not expired, the newest first.
    public func sessions(of agent: AgentID, at now: Timestamp) async throws(AdapterFailure) -> [Session] {
        try await tables.sessions.sessions(of: agent, at: now)
    }

    /// Removes the session with this digest.
    public func remove(session digest: [UInt8]) async throws(AdapterFailure) {
        try await tables.sessions.remove(session: digest)
    }

    /// Removes expired sessions, the oldest first.
    public func removeSessions(expiredBy now: Timestamp, limit: Int) async throws(AdapterFailure) -> Int {
        try await tables.sessions.remove(expiredBy: now, limit: limit)
    }
}

extension SQLiteStore: ConsumerStore {
    /// Finds a consumer by id.
    public func consumer(_ id: ConsumerID) async throws(AdapterFailure) -> Consumer? {
        try await tables.consumers.consumer(id)
    }

    /// Inserts a consumer, or replaces the one with the same id.
    public func save(_ consumer: Consumer) async throws(AdapterFailure) {
        try await tables.consumers.save(consumer)
    }
}

extension SQLiteStore {
    /// Returns a secret that an earlier version stored here. Today a copy of the database is no key: see `KeyFile`.
    public func secret(_ name: String) async throws(AdapterFailure) -> [UInt8]? {
        try await tables.secrets.secret(name)
    }

    /// Removes a secret, and overwrites its bytes.
    public func removeSecret(_ name: String) async throws(AdapterFailure) {
        try await tables.secrets.remove(name)
    }
}

extension SQLiteStore: RecordingStore {
    /// Stores a finished recording, unless it is stored already.
    public func keep(_ recording: RecordedMedia) async throws(AdapterFailure) -> RecordedMedia {
        try await tables.recordings.keep(recording)
    }

    /// Finds a recording of a conversation.
    public func recording(_ media: MediaID, in conversation: ConversationID) async throws(AdapterFailure)
        -> RecordedMedia?
    {
        try await tables.recordings.recording(media, in: conversation)
    }

    /// Reads recordings that wait for the scanner, ordered by id: those after `media`, at most `limit`.
    public func recordings(waitingForScanAfter media: MediaID?, limit: Int) async throws(AdapterFailure)
        -> [RecordedMedia]
    {
        try await tables.recordings.recordings(waitingForScanAfter: media, limit: limit)
    }

    /// Reads recordings that were finished before `limit`, that no message carries and that no canned reply names,
    /// oldest first.
    public func unsentRecordings(finishedBefore limit: Timestamp, after last: RecordedMedia?, count: Int)
        async throws(AdapterFailure) -> [RecordedMedia]
    {
        try await tables.recordings.unsentRecordings(finishedBefore: limit, after: last, count: count)
    }

    /// Removes the row of a recording that no message carries and no canned reply names.
    public func removeUnsent(_ media: MediaID, in conversation: ConversationID) async throws(AdapterFailure) -> Bool {
        try await tables.recordings.removeUnsent(media, in: conversation)
    }

    /// How many bytes an account's recordings have.
    public func recordedBytes(of account: AccountID) async throws(AdapterFailure) -> Int {
        try await tables.recordings.recordedBytes(of: account)
    }
}

extension SQLiteStore: SettingsStore {
    /// Reads an account's settings; `nil` if none were ever changed.
    public func settings(of account: AccountID) async throws(AdapterFailure) -> AccountSettings? {
        try await tables.settings.settings(of: account)
    }

    /// Changes settings, raises their version and writes the audit entry, in one transaction.
    public func change(_ change: SettingsChange) async throws(AdapterFailure) -> AccountSettings {
        try await tables.settings.change(change)
    }

    /// A number that rises whenever the settings of any account change, in this process or in another.
    public func settingsStamp() async throws(AdapterFailure) -> Int64 {
        try await tables.settings.settingsStamp()
    }

    /// Reads the version of every account whose settings were ever changed.
    public func settingsVersions() async throws(AdapterFailure) -> [AccountID: Int] {
        try await tables.settings.settingsVersions()
    }
}

extension SQLiteStore: AuditStore {
    /// Writes an entry.
    public func record(_ entry: AuditEntry) async throws(AdapterFailure) {
        try await tables.audit.record(entry)
    }

    /// Reads the entries of an account with a number below `before`, newest first, at most `limit`.
    public func audit(_ account: AccountID, before: Int64?, limit: Int) async throws(AdapterFailure) -> [AuditRow] {
        try await tables.audit.audit(account, before: before, limit: limit)
    }
}
