import EarshotCore
import EarshotModel

/// Where an operator adds what a brand begins with.
public struct AdminService: Sendable {
    let accounts: any AccountStore
    let environment: SystemEnvironment

    /// Something that an operator typed cannot be.
    public struct Fault: Error, CustomStringConvertible, Equatable {
        public let description: String
    }

    public func addBrand(id: String, name: String, color: String, welcome: String) async throws {
        let id: AccountID = try slug(id, "a Brand ID")
        guard try await accounts.account(id) == nil else { throw Fault(description: "There is a brand \(id) already.") }
        guard color.wholeMatch(of: /#[0-9a-fA-F]{6}/) != nil else {
            throw Fault(description: "A colour is written #rrggbb.")
        }
        try await accounts.save(
            Account(
                id: id, name: try named(name), color: color, welcome: welcome,
                audioLimitMs: Limits.audioDurationMs.upperBound))
    }

    public func addApp(id: String, brand: String, name: String, origins: [String]) async throws {
        let brand = try await known(brand)
        for origin in origins where origin.wholeMatch(of: /https?:\/\/[a-z0-9.-]+(:[0-9]+)?/) == nil {
            throw Fault(
                description:
                    "\(origin) is not an origin: write it like https://shop.example, without a path, in lower case.")
        }
        try await accounts.save(
            App(id: try slug(id, "an App ID"), account: brand, name: try named(name), allowedOrigins: origins))
    }

    public func addPerson(email: String, brand: String, name: String, isManager: Bool, password: String) async throws {
        let brand = try await known(brand)
        let email = email.lowercased()
        guard email.wholeMatch(of: /[^@\s]+@[^@\s]+/) != nil, email.utf8.count <= 254 else {
            throw Fault(description: "\(email) is not an e-mail address.")
        }
        guard Passwords.length.contains(password.utf8.count) else {
            throw Fault(
                description: "A password has \(Passwords.length.lowerBound) to \(Passwords.length.upperBound) bytes.")
        }
        guard try await accounts.agent(email: email, of: brand) == nil else {
            throw Fault(description: "\(email) is there already.")
        }
        try await accounts.save(
            Agent(
                id: environment.id(), account: brand, email: email, name: try named(name),
                role: isManager ? .manager : .agent,
                password: try Passwords.hash(password, salt: environment.random(Passwords.saltBytes))))
    }

    /// Sets one of a brand's settings by its name, e.g. `messaging.audio.sharing.enabled`.
    /// - Returns: the version of the settings now.
    public func set(brand: String, name: String, value: String) async throws -> Int {
        let brand = try await known(brand)
        let patch = try SettingName.patch(name, value)
        let service = SettingsService(accounts: accounts, environment: environment)
        do {
            return try await service.change(patch, of: brand, by: AuditEntry.operator_).version
        } catch let rejection as Rejection {
            throw Fault(description: rejection.text)
        }
    }

    /// Suspends a brand, or takes that back.
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
            throw Fault(description: "There is no brand \(brand). earshot add brand makes it.")
        }
        return id
    }

    private func slug<Tag>(_ text: String, _ what: String) throws -> Identifier<Tag> {
        guard text.wholeMatch(of: /[a-z0-9-]{1,64}/) != nil else {
            throw Fault(description: "\(text) is not \(what): 1 to 64 of a-z, 0-9 and -.")
        }
        return Identifier(trusted: text)
    }

    private func named(_ name: String) throws -> String {
        guard (1...100).contains(name.count) else { throw Fault(description: "A name has 1 to 100 characters.") }
        return name
    }
}
