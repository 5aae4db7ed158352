import EarshotCore
import EarshotModel

/// The account rows of a test brand.
actor MemoryAccounts: AccountStore {
    private var accounts: [AccountID: Account] = [:]
    private var apps: [AppID: [AccountID: App]] = [:]
    private var agents: [AgentID: Agent] = [:]
    private var consumers: [ConsumerID: Consumer] = [:]
    private var sessions: [[UInt8]: Session] = [:]
    private var recordings: [MediaID: RecordedMedia] = [:]
    private var isBroken = false

    /// From now on every question fails, as with a disk that is gone.
    func breakDown() {
        isBroken = true
    }

    private func check() throws(AdapterFailure) {
        if isBroken { throw AdapterFailure("disk I/O error at /secret/path", isRetryable: true) }
    }

    func account(_ id: AccountID) throws(AdapterFailure) -> Account? {
        try check()
        return accounts[id]
    }

    func app(_ id: AppID, of account: AccountID) throws(AdapterFailure) -> App? {
        try check()
        return apps[id]?[account]
    }

    func agent(email: String, of account: AccountID) throws(AdapterFailure) -> Agent? {
        try check()
        return agents.values.first { $0.email == email && $0.account == account }
    }

    func agent(_ id: AgentID) throws(AdapterFailure) -> Agent? {
        try check()
        return agents[id]
    }

    func consumer(_ id: ConsumerID) throws(AdapterFailure) -> Consumer? {
        try check()
        return consumers[id]
    }

    func save(_ account: Account) { accounts[account.id] = account }
    func save(_ app: App) { apps[app.id, default: [:]][app.account] = app }
    func save(_ agent: Agent) { agents[agent.id] = agent }
    func save(_ consumer: Consumer) { consumers[consumer.id] = consumer }
    func save(_ session: Session) { sessions[session.digest] = session }
    func save(_ recording: RecordedMedia) { recordings[recording.content.media] = recording }

    func session(_ digest: [UInt8], at now: Timestamp) throws(AdapterFailure) -> Session? {
        try check()
        return sessions[digest].flatMap { $0.expires > now ? $0 : nil }
    }

    func remove(session digest: [UInt8]) { sessions[digest] = nil }

    func recording(_ media: MediaID, in conversation: ConversationID) -> RecordedMedia? {
        recordings[media].flatMap { $0.conversation == conversation ? $0 : nil }
    }

    func secret(_ name: String, make: @Sendable () -> [UInt8]) -> [UInt8] { make() }

    var allConsumers: [Consumer] { Array(consumers.values) }
    var sessionCount: Int { sessions.count }
}
