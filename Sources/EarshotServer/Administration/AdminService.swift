import EarshotCore
import EarshotModel
import EarshotStorage

/// Performs the operator's commands: adds and removes brands, apps and people, changes settings and passwords, suspends
/// brands. Everything that concerns a brand is in its audit log.
public struct AdminService: Sendable {
    /// The rows that commands change.
    typealias Store = AccessStore & AccountStore & AgentStore & AuditStore & SessionStore & SettingsStore

    let accounts: any Store
    let installation: any InstallationStore
    let conversations: any ConversationReads
    let environment: SystemEnvironment
    let keys: KeyFile
    let links: PasswordLinkService
    let secondFactors: any SecondFactorStore
    let apiKeys: APIKeyService
    /// Held as long as the commands run.
    private let lock: DataFolderLock?

    init(_ store: SQLiteStore, environment: SystemEnvironment, keys: KeyFile, lock: DataFolderLock? = nil) {
        accounts = store.accounts
        installation = store.installation
        conversations = store.log
        self.environment = environment
        self.keys = keys
        links = PasswordLinkService(links: store.links, accounts: store.accounts, environment: environment)
        secondFactors = store.secondFactors
        apiKeys = APIKeyService(keys: store.apiKeys, environment: environment)
        self.lock = lock
    }

    /// Whether a server runs on the data folder.
    var hasServer: Bool { lock?.isBesideServer ?? false }

    /// The address of the server that runs on the data folder; `nil` if none accepts connections.
    public var serverAddress: String? { lock?.server?.address }

    /// An argument that cannot be used, with the reason.
    public struct InvalidInput: Error, CustomStringConvertible, Equatable {
        /// What is wrong, and what to do.
        public let description: String
    }

    /// Adds a brand.
    /// - Throws: `InvalidInput`.
    public func addBrand(id: String, name: String, color: String, welcome: String) async throws {
        let id: AccountID = try slug(id, "a Brand ID")
        guard try await accounts.account(id) == nil else {
            throw InvalidInput(description: "The brand \(id) already exists. Choose another id.")
        }
        try await allowed { try BrandRules.check(color: color) }
        try await allowed { try BrandRules.check(welcome: welcome) }
        try await accounts.save(
            Account(
                id: id, name: try await named(name), color: color, welcome: welcome,
                audioLimitMs: Limits.audioDurationMs.upperBound))
        try await accounts.record(entry(.brandAdded, in: id))
    }

    /// Adds an app of a brand.
    /// - Throws: `InvalidInput`.
    public func addApp(id: String, brand: String, name: String, origins: [String]) async throws {
        let brand = try await known(brand)
        let id: AppID = try slug(id, "an App ID")
        guard try await accounts.app(id, of: brand) == nil else {
            throw InvalidInput(description: "The app \(id) already exists. To change it, run: earshot set app \(id)")
        }
        try await save(App(id: id, account: brand, name: try await named(name), allowedOrigins: origins))
    }

    /// Changes the name of an app, or the origins whose pages may embed it. What is `nil` stays as it is.
    /// - Parameter further: origins to allow beside the others.
    /// - Throws: `InvalidInput`.
    public func setApp(
        id: String, brand: String, name: String?, origins: [String]?, adding further: [String] = []
    ) async throws {
        var app = try await knownApp(id, of: known(brand))
        if let name { app.name = try await named(name) }
        if let origins { app.allowedOrigins = origins }
        app.allowedOrigins += further.filter { !app.allowedOrigins.contains($0) }
        try await save(app)
    }

    /// Removes an app: its pages can no longer embed the widget. Conversations that began there stay.
    /// - Throws: `InvalidInput`.
    public func removeApp(id: String, brand: String) async throws {
        let app = try await knownApp(id, of: known(brand))
        try await installation.remove(
            app.id, of: app.account, audit: entry(.appRemoved, in: app.account, app.id.rawValue))
    }

    /// Removes a brand to which no consumer ever came, with its apps, people and settings.
    /// - Throws: `InvalidInput` if it has consumers.
    public func removeBrand(id: String) async throws {
        let brand = try await known(id)
        guard try await installation.removeEmpty(brand, audit: entry(.brandRemoved, in: brand)) else {
            throw InvalidInput(
                description:
                    "\(brand) has consumers, and their conversations are kept. To shut it down, run: "
                    + "earshot suspend brand \(brand)")
        }
    }

    private func knownApp(_ id: String, of brand: AccountID) async throws -> App {
        guard let app = try await accounts.app(slug(id, "an App ID"), of: brand) else {
            throw InvalidInput(description: "\(brand) has no app \(id). To see its apps, run: earshot list apps")
        }
        return app
    }

    private func save(_ app: App) async throws {
        try await allowed { try BrandRules.check(origins: app.allowedOrigins) }
        try await accounts.save(app)
        try await accounts.record(entry(.appChanged, in: app.account, app.summary))
    }

    /// Changes one of a brand's settings by name, for example `messaging.audio.sharing.enabled`.
    /// - Returns: the new version of the settings; `nil` for a rule that the settings of clients do not have.
    /// - Throws: `InvalidInput`.
    public func set(brand: String, name: String, value: String) async throws -> Int? {
        let brand = try await known(brand)
        if name == SettingName.idleMinutes {
            let minutes = try SettingName.number(value)
            try await allowed { try IdleSessionService.check(minutes: minutes) }
            try await accounts.save(
                idleMinutes: minutes, of: brand,
                audit: IdleSessionService.entry(
                    minutes, of: brand, by: AuditEntry.operator_, at: environment.now()))
            return nil
        }
        let patch = try SettingName.patch(name, value)
        let service = SettingsService(accounts: accounts, environment: environment)
        do {
            return try await service.change(patch, of: brand, by: AuditEntry.operator_).version
        } catch let rejection as Rejection {
            throw InvalidInput(description: rejection.text)
        }
    }

    /// Suspends a brand, or lifts its suspension.
    /// - Throws: `InvalidInput`.
    public func suspend(brand: String, _ isSuspended: Bool) async throws {
        let brand = try await known(brand)
        try await accounts.suspend(
            brand, isSuspended,
            audit: AuditEntry(
                account: brand, at: environment.now(), by: AuditEntry.operator_,
                what: isSuspended ? .brandSuspended : .brandResumed))
    }

    func entry(_ what: AuditAction, in brand: AccountID, _ detail: String? = nil) -> AuditEntry {
        AuditEntry(account: brand, at: environment.now(), by: AuditEntry.operator_, what: what, detail: detail)
    }

    func known(_ brand: String) async throws -> AccountID {
        let id: AccountID = try slug(brand, "a Brand ID")
        guard try await accounts.account(id) != nil else {
            throw InvalidInput(
                description: "The brand \(brand) does not exist. Add it with: earshot add brand \(brand)")
        }
        return id
    }

    func slug<Tag>(_ text: String, _ what: String) throws -> Identifier<Tag> {
        guard text.wholeMatch(of: /[a-z0-9-]{1,64}/) != nil else {
            throw InvalidInput(description: "\(text) is not \(what). Use 1 to 64 characters out of a-z, 0-9 and -.")
        }
        return Identifier(trusted: text)
    }

    func named(_ name: String) async throws -> String {
        try await allowed { try BrandRules.check(name: name) }
        return name
    }

    /// Runs what the core may refuse, and turns its rejection into what a command says.
    func allowed<T>(_ body: () async throws -> T) async throws -> T {
        do { return try await body() } catch let rejection as Rejection {
            throw InvalidInput(description: rejection.text)
        }
    }
}
