import EarshotCore
import EarshotModel

/// The account rows of a test brand.
actor MemoryAccounts: AccountData, APIKeyStore, ConsumerIdentityStore, PasswordLinkStore, ProfileStore,
    SecondFactorStore
{
    private var logos: [AccountID: [UInt8]] = [:]
    private var brands: [AccountID: Account] = [:]
    private var apps: [AppID: [AccountID: App]] = [:]
    private var agents: [AgentID: Agent] = [:]
    private var consumers: [ConsumerID: Consumer] = [:]
    private var sessions: [[UInt8]: Session] = [:]
    private var recordings: [MediaID: RecordedMedia] = [:]
    private var settings: [AccountID: AccountSettings] = [:]
    private(set) var entries: [AuditEntry] = []
    private var links: [AgentID: PasswordLink] = [:]
    private var profiles: [ProfileID: Profile] = [:]
    private var groups: [GroupID: PeopleGroup] = [:]
    private var providers: [AccountID: IdentityProvider] = [:]
    private var devices: [ConsumerID: Set<ConsumerID>] = [:]
    private var keys: [APIKeyID: APIKey] = [:]
    private(set) var notedUses = 0
    private var isBroken = false
    private var closed: Set<AccountID> = []
    /// How often the suspended brands were read.
    private(set) var suspendedReads = 0
    private var blocked: Set<ConsumerID> = []
    private var generations: [ConsumerID: Int] = [:]
    private var idleMinutes: [AccountID: Int] = [:]
    private(set) var notedSessionUses = 0
    private var changes: [AccessChange] = []
    private var secondFactors: [AgentID: SecondFactor] = [:]
    private var recoveryCodes: [AgentID: Set<[UInt8]>] = [:]
    private var requiring: Set<AccountID> = []

    /// From now on every question fails, as with a disk that is gone.
    func breakDown() {
        isBroken = true
    }

    private func check() throws(AdapterFailure) {
        if isBroken { throw AdapterFailure("disk I/O error at /secret/path", isRetryable: true) }
    }

    func account(_ id: AccountID) throws(AdapterFailure) -> Account? {
        try check()
        return brands[id]
    }

    func accounts(atMost limit: Int) throws(AdapterFailure) -> [Account] {
        try check()
        return Array(brands.values.sorted { $0.id < $1.id }.prefix(limit))
    }

    /// Leaves only these brands.
    func keep(_ accounts: [AccountID]) {
        brands = brands.filter { accounts.contains($0.key) }
    }

    func app(_ id: AppID, of account: AccountID) throws(AdapterFailure) -> App? {
        try check()
        return apps[id]?[account]
    }

    func allowedOrigins() throws(AdapterFailure) -> Set<String> {
        try check()
        return Set(apps.values.flatMap(\.values).flatMap(\.allowedOrigins))
    }

    func apps(of account: AccountID) -> [App] {
        apps.values.compactMap { $0[account] }.sorted { $0.id < $1.id }
    }

    func agent(email: String, of account: AccountID) throws(AdapterFailure) -> Agent? {
        try check()
        return agents.values.first { $0.email == email && $0.account == account }
    }

    func agent(_ id: AgentID) throws(AdapterFailure) -> Agent? {
        try check()
        return agents[id]
    }

    func profile(_ id: ProfileID, of account: AccountID) -> Profile? {
        profiles[id].flatMap { $0.account == account ? $0 : nil }
    }

    func profiles(of account: AccountID) -> [Profile] {
        profiles.values.filter { $0.account == account }.sorted { $0.id < $1.id }
    }

    func save(_ profile: Profile, isNew: Bool, atMost limit: Int, audit: AuditEntry) -> Bool {
        guard !isNew || profiles(of: profile.account).count < limit else { return false }
        profiles[profile.id] = profile
        record(audit)
        return true
    }

    func removeProfile(_ id: ProfileID, of account: AccountID, audit: AuditEntry) -> ProfileRemoval {
        guard profile(id, of: account) != nil else { return .notFound }
        guard !agents.values.contains(where: { $0.profile == id }) else { return .inUse }
        profiles[id] = nil
        record(audit)
        return .removed
    }

    func groups(of account: AccountID) -> [PeopleGroup] {
        groups.values.filter { $0.account == account }.sorted { $0.id < $1.id }
    }

    func save(_ group: PeopleGroup, isNew: Bool, atMost limit: Int, audit: AuditEntry) -> Bool {
        guard !isNew || groups(of: group.account).count < limit else { return false }
        groups[group.id] = group
        record(audit)
        return true
    }

    func removeGroup(_ id: GroupID, of account: AccountID, audit: AuditEntry) -> Bool {
        guard groups[id]?.account == account else { return false }
        groups[id] = nil
        record(audit)
        return true
    }

    func apiKey(_ id: APIKeyID) throws(AdapterFailure) -> APIKey? {
        try check()
        return keys[id]
    }

    func apiKeys(of account: AccountID) -> [APIKey] {
        keys.values.filter { $0.account == account }.sorted { ($1.made, $0.id) < ($0.made, $1.id) }
    }

    func add(_ key: APIKey, atMost limit: Int, audit: AuditEntry) -> Bool {
        guard apiKeys(of: key.account).count < limit else { return false }
        keys[key.id] = key
        record(audit)
        return true
    }

    func removeAPIKey(_ id: APIKeyID, of account: AccountID, audit: AuditEntry) -> Bool {
        guard keys[id]?.account == account else { return false }
        keys[id] = nil
        record(audit)
        return true
    }

    func noteUse(of id: APIKeyID, at now: Timestamp, unlessAfter earlier: Timestamp) {
        guard let key = keys[id], key.used.map({ $0 <= earlier }) ?? true else { return }
        keys[id]?.used = now
        notedUses += 1
    }

    func identityProvider(of account: AccountID) throws(AdapterFailure) -> IdentityProvider? {
        try check()
        return providers[account]
    }

    func save(_ provider: IdentityProvider?, of account: AccountID, audit: AuditEntry) {
        providers[account] = provider
        entries.append(audit)
    }

    func signIn(_ candidate: Consumer, device: ConsumerID?) throws(AdapterFailure) -> Consumer {
        try check()
        let known = consumers.values.first {
            $0.subject == candidate.subject && $0.account == candidate.account && $0.app == candidate.app
        }
        let consumer = known?.updated(by: candidate) ?? candidate
        consumers[consumer.id] = consumer
        if let device, consumers[device] != nil { devices[consumer.id, default: []].insert(device) }
        return consumer
    }

    func consumers(of subject: ProviderSubject, in account: AccountID) -> [Consumer] {
        consumers.values.filter { $0.account == account && $0.subject == subject }.sorted { $0.since < $1.since }
    }

    func related(to consumer: Consumer) -> [Consumer] {
        consumers.values.filter { other in
            other.id != consumer.id && other.account == consumer.account
                && (other.subject != nil && other.subject == consumer.subject
                    || devices[consumer.id]?.contains(other.id) == true
                    || devices[other.id]?.contains(consumer.id) == true)
        }
    }

    func consumer(_ id: ConsumerID) throws(AdapterFailure) -> Consumer? {
        try check()
        return consumers[id]
    }

    func agents(of account: AccountID) -> [Agent] {
        agents.values.filter { $0.account == account }.sorted { $0.id < $1.id }
    }

    func save(_ account: Account) { brands[account.id] = account }
    func save(_ account: Account, logo: [UInt8]?) {
        brands[account.id] = account
        logos[account.id] = logo
    }
    func logo(of account: AccountID) -> [UInt8]? { logos[account] }
    func save(_ app: App) { apps[app.id, default: [:]][app.account] = app }
    func save(_ agent: Agent) { agents[agent.id] = agent }
    func save(_ consumer: Consumer) { consumers[consumer.id] = consumer }
    func save(_ session: Session) { sessions[session.digest] = session }

    func keep(_ recording: RecordedMedia) -> RecordedMedia {
        let kept = recordings[recording.content.media] ?? recording
        recordings[recording.content.media] = kept
        return kept
    }

    /// Stores a recording as it is now.
    func replace(_ recording: RecordedMedia) { recordings[recording.content.media] = recording }

    func recordings(waitingForScanAfter media: MediaID?, limit: Int) -> [RecordedMedia] {
        let waiting = recordings.values.filter { $0.scan == .pending }.sorted { $0.content.media < $1.content.media }
        return Array(waiting.drop { $0.content.media <= media ?? MediaID(trusted: "") }.prefix(limit))
    }

    func unsentRecordings(finishedBefore limit: Timestamp, after last: RecordedMedia?, count: Int) -> [RecordedMedia] {
        []
    }

    func removeUnsent(_ media: MediaID, in conversation: ConversationID) -> Bool {
        guard recordings[media]?.sent == nil else { return false }
        recordings[media] = nil
        return true
    }

    /// As if a message carried the recording.
    func send(_ media: MediaID) { recordings[media]?.sent = 1 }

    func recordedBytes(of account: AccountID) -> Int { 0 }

    func settings(of account: AccountID) throws(AdapterFailure) -> AccountSettings? {
        try check()
        return settings[account]
    }

    func change(_ change: SettingsChange) throws(AdapterFailure) -> AccountSettings {
        try check()
        let changed = change.patch.applied(to: settings[change.account] ?? change.initial)
        settings[change.account] = changed
        record(change.audit)
        return changed
    }

    func change(_ change: PersonChange) throws(AdapterFailure) -> PersonChange.Outcome {
        try check()
        if let link = change.usedLink, links[link.agent]?.digest != link.digest { return .notFound }
        let outcome = change.outcome(among: Array(agents.values))
        guard case .changed(_, let agent) = outcome else { return outcome }
        agents[agent.id] = agent
        if outcome.endsLink { links[agent.id] = nil }
        if outcome.endsSessions {
            sessions = sessions.filter { $0.value.agent != agent.id || $0.key == change.keptSession }
        }
        record(change.audit)
        return outcome
    }

    func invite(_ agent: Agent, by link: PasswordLink, audit: AuditEntry) -> Bool {
        guard !agents.values.contains(where: { $0.email == agent.email && $0.account == agent.account }) else {
            return false
        }
        (agents[agent.id], links[agent.id]) = (agent, link)
        record(audit)
        return true
    }

    func save(_ link: PasswordLink, audit: AuditEntry) {
        links[link.agent] = link
        record(audit)
    }

    func passwordLink(_ digest: [UInt8], at now: Timestamp) -> PasswordLink? {
        links.values.first { $0.digest == digest && $0.expires > now }
    }

    func passwordLinks(of account: AccountID, at now: Timestamp) -> [PasswordLink] {
        links.values.filter { $0.account == account && $0.expires > now }
    }

    func removePasswordLink(of agent: AgentID, audit: AuditEntry) {
        if links.removeValue(forKey: agent) != nil { record(audit) }
    }

    func secondFactor(of agent: AgentID) -> SecondFactor? { secondFactors[agent] }
    func recoveryCodes(of agent: AgentID) -> Int { recoveryCodes[agent]?.count ?? 0 }

    func standing(of agent: AgentID, in account: AccountID) throws(AdapterFailure) -> SecondFactorStanding {
        try check()
        return SecondFactorStanding(isOn: secondFactors[agent] != nil, isRequired: requiring.contains(account))
    }

    func secondFactors(of account: AccountID) -> Set<AgentID> {
        Set(secondFactors.values.filter { $0.account == account }.map(\.agent))
    }

    func save(_ factor: SecondFactor, recoveryCodes codes: [[UInt8]], audit: AuditEntry) -> Bool {
        guard secondFactors[factor.agent] == nil else { return false }
        (secondFactors[factor.agent], recoveryCodes[factor.agent]) = (factor, Set(codes))
        record(audit)
        return true
    }

    func use(step: Int64, of agent: AgentID) -> Bool {
        guard let old = secondFactors[agent], old.lastStep < step else { return false }
        secondFactors[agent] = SecondFactor(
            agent: agent, account: old.account, sealed: old.sealed, lastStep: step, since: old.since)
        return true
    }

    func use(recoveryCode digest: [UInt8], of agent: AgentID, audit: AuditEntry) -> Int? {
        guard recoveryCodes[agent]?.remove(digest) != nil else { return nil }
        record(audit)
        return recoveryCodes(of: agent)
    }

    func removeSecondFactor(of agent: AgentID, endsSessions: Bool, audit: AuditEntry) -> Bool {
        guard secondFactors.removeValue(forKey: agent) != nil else { return false }
        recoveryCodes[agent] = nil
        if endsSessions { sessions = sessions.filter { $0.value.agent != agent } }
        record(audit)
        return true
    }

    func requireSecondFactor(_ isRequired: Bool, of account: AccountID, audit: AuditEntry) -> Bool {
        let before = requiring
        if isRequired { requiring.insert(account) } else { requiring.remove(account) }
        if requiring != before { record(audit) }
        return requiring != before
    }

    func suspended() -> Set<AccountID> {
        suspendedReads += 1
        return closed
    }

    func suspend(_ account: AccountID, _ isSuspended: Bool, audit: AuditEntry) {
        let before = closed
        if isSuspended { closed.insert(account) } else { closed.remove(account) }
        if closed != before { record(audit) }
    }

    func settingsStamp() -> Int64 { settings.values.reduce(0) { $0 + Int64($1.version) } }

    func settingsVersions() -> [AccountID: Int] { settings.mapValues(\.version) }

    func record(_ entry: AuditEntry) {
        guard entry.once == nil || !entries.contains(where: { $0.once == entry.once && $0.account == entry.account })
        else { return }
        entries.append(entry)
    }

    func audit(_ account: AccountID, _ query: AuditQuery) -> [AuditRow] {
        let rows = entries.enumerated().map { AuditRow(id: Int64($0.offset + 1), entry: $0.element) }
        let found = rows.filter { row in
            row.entry.account == account && row.id < query.before ?? .max
                && (query.by ?? row.entry.by) == row.entry.by
                && (query.conversation == nil || query.conversation == row.entry.conversation)
                && (query.actions.isEmpty || query.actions.contains(row.entry.what))
                && (query.from ?? row.entry.at) <= row.entry.at && query.to.map { row.entry.at < $0 } ?? true
        }
        return Array(found.reversed().prefix(query.limit))
    }

    func verifyAudit(of account: AccountID, known: [UInt8]?) -> AuditVerification {
        AuditVerification(
            entries: entries.count { $0.account == account }, head: [], firstBroken: nil, holdsKnown: known == nil)
    }

    func session(_ digest: [UInt8], at now: Timestamp) throws(AdapterFailure) -> Session? {
        try check()
        return sessions[digest].flatMap { $0.expires > now ? $0 : nil }
    }

    func noteUse(of session: [UInt8], at now: Timestamp, unlessAfter earlier: Timestamp) {
        guard let used = sessions[session]?.used, used > earlier, used <= now else {
            sessions[session]?.used = now
            notedSessionUses += 1
            return
        }
    }

    func idleMinutes(of account: AccountID) -> Int? { idleMinutes[account] }

    func save(idleMinutes minutes: Int, of account: AccountID, audit: AuditEntry) {
        guard idleMinutes.updateValue(minutes, forKey: account) != minutes else { return }
        record(audit)
    }

    func remove(session digest: [UInt8]) { sessions[digest] = nil }
    func removeSessions(expiredBy now: Timestamp, limit: Int) -> Int {
        let expired = sessions.values.filter { $0.expires <= now }.sorted { $0.expires < $1.expires }.prefix(limit)
        for session in expired { sessions[session.digest] = nil }
        return expired.count
    }

    func conversation(of media: MediaID) -> ConversationID? { recordings[media]?.conversation }

    func recording(_ media: MediaID, in conversation: ConversationID) -> RecordedMedia? {
        recordings[media].flatMap { $0.conversation == conversation ? $0 : nil }
    }

    func sessions(of agent: AgentID, at now: Timestamp) -> [Session] {
        sessions.values.filter { $0.agent == agent && $0.expires > now }.sorted { $0.expires > $1.expires }
    }

    func accessChanges(after id: Int64) -> [AccessChange] { changes.filter { $0.id > id } }
    func blockedConsumers() -> Set<ConsumerID> { blocked }

    func apply(_ block: ConsumerBlock) {
        let before = blocked
        if block.isBlocked { blocked.insert(block.consumer) } else { blocked.remove(block.consumer) }
        guard blocked != before else { return }
        record(block.audit)
        changes.append(AccessChange(id: Int64(changes.count + 1), subject: .consumer(block.consumer)))
    }

    func tokenGenerations() -> [ConsumerID: Int] { generations }

    func apply(_ signOut: ConsumerSignOut) {
        generations[signOut.consumer, default: 0] += 1
        record(signOut.audit)
        changes.append(AccessChange(id: Int64(changes.count + 1), subject: .consumer(signOut.consumer)))
    }

    /// Notes what a command did to a person.
    func noteChange(of agent: AgentID) {
        changes.append(AccessChange(id: Int64(changes.count + 1), subject: .agent(agent)))
    }

    /// Everything that a request of a person of the brand could change.
    struct Rows: Equatable {
        let brands: [AccountID: Account]
        let apps: [AppID: [AccountID: App]]
        let agents: [AgentID: Agent]
        let settings: [AccountID: AccountSettings]
        let profiles: [ProfileID: Profile]
        let groups: [GroupID: PeopleGroup]
        let providers: [AccountID: IdentityProvider]
        let keys: [APIKeyID: APIKey]
        let blocked: Set<ConsumerID>
        let requiring: Set<AccountID>
        let entries: Int
    }

    var rows: Rows {
        Rows(
            brands: brands, apps: apps, agents: agents, settings: settings, profiles: profiles, groups: groups,
            providers: providers, keys: keys, blocked: blocked, requiring: requiring, entries: entries.count)
    }

    var allConsumers: [Consumer] { Array(consumers.values) }
    var sessionCount: Int { sessions.count }
}
