import EarshotCore
import EarshotModel

/// Performs the operator's commands: adds brands, apps and people, changes settings, suspends brands.
public struct AdminService: Sendable {
    private let accounts: any AccountStore & AgentStore & SettingsStore
    private let environment: SystemEnvironment
    /// Held as long as the commands run.
    private let lock: DataFolderLock?

    init(
        accounts: any AccountStore & AgentStore & SettingsStore, environment: SystemEnvironment,
        lock: DataFolderLock? = nil
    ) {
        self.accounts = accounts
        self.environment = environment
        self.lock = lock
    }

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
        guard color.wholeMatch(of: /#[0-9a-fA-F]{6}/) != nil else {
            throw InvalidInput(description: "Write the colour as #rrggbb.")
        }
        try await accounts.save(
            Account(
                id: id, name: try named(name), color: color, welcome: welcome,
                audioLimitMs: Limits.audioDurationMs.upperBound))
    }

    /// Adds an app of a brand.
    /// - Throws: `InvalidInput`.
    public func addApp(id: String, brand: String, name: String, origins: [String]) async throws {
        let brand = try await known(brand)
        for origin in origins where origin.wholeMatch(of: /https?:\/\/[a-z0-9.-]+(:[0-9]+)?/) == nil {
            throw InvalidInput(
                description:
                    "\(origin) is not an origin. Write it like https://shop.example: in lower case and without a path.")
        }
        try await accounts.save(
            App(id: try slug(id, "an App ID"), account: brand, name: try named(name), allowedOrigins: origins))
    }

    /// Adds an agent or a manager.
    /// - Throws: `InvalidInput`.
    public func addPerson(email: String, brand: String, name: String, isManager: Bool, password: String) async throws {
        let brand = try await known(brand)
        let email = email.lowercased()
        guard email.wholeMatch(of: /[^@\s]+@[^@\s]+/) != nil, email.utf8.count <= 254 else {
            throw InvalidInput(description: "\(email) is not an e-mail address.")
        }
        guard Passwords.length.contains(password.utf8.count) else {
            throw InvalidInput(
                description:
                    "A password must have \(Passwords.length.lowerBound) to \(Passwords.length.upperBound) bytes.")
        }
        guard try await accounts.agent(email: email, of: brand) == nil else {
            throw InvalidInput(description: "\(email) already exists in this brand.")
        }
        try await accounts.save(
            Agent(
                id: environment.id(), account: brand, email: email, name: try named(name),
                role: isManager ? .manager : .agent,
                password: try Passwords.hash(password, salt: environment.random(Passwords.saltBytes))))
    }

    /// Changes one of a brand's settings by name, for example `messaging.audio.sharing.enabled`.
    /// - Returns: the new version of the settings.
    /// - Throws: `InvalidInput`.
    public func set(brand: String, name: String, value: String) async throws -> Int {
        let brand = try await known(brand)
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

    private func known(_ brand: String) async throws -> AccountID {
        let id: AccountID = try slug(brand, "a Brand ID")
        guard try await accounts.account(id) != nil else {
            throw InvalidInput(
                description: "The brand \(brand) does not exist. Add it with: earshot add brand \(brand)")
        }
        return id
    }

    private func slug<Tag>(_ text: String, _ what: String) throws -> Identifier<Tag> {
        guard text.wholeMatch(of: /[a-z0-9-]{1,64}/) != nil else {
            throw InvalidInput(description: "\(text) is not \(what). Use 1 to 64 characters out of a-z, 0-9 and -.")
        }
        return Identifier(trusted: text)
    }

    private func named(_ name: String) throws -> String {
        guard (1...100).contains(name.count) else {
            throw InvalidInput(description: "A name must have 1 to 100 characters.")
        }
        return name
    }
}
