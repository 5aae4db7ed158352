public import EarshotModel

/// Reads and changes what consumers see of a brand, and where its apps may be embedded, on behalf of managers.
public struct BrandService: Sendable {
    private let accounts: any AccountStore & AuditStore
    private let environment: SystemEnvironment

    /// Creates the service.
    public init(accounts: any AccountStore & AuditStore, environment: SystemEnvironment) {
        self.accounts = accounts
        self.environment = environment
    }

    /// A change of a brand. What is `nil` stays as it is.
    public struct BrandPatch: Sendable {
        let name: String?
        let color: String?
        let welcome: String?
        let logo: String?

        /// Creates a patch. `logo` is a PNG file as a `data:` address; an empty one removes the logo.
        public init(name: String? = nil, color: String? = nil, welcome: String? = nil, logo: String? = nil) {
            (self.name, self.color, self.welcome, self.logo) = (name, color, welcome, logo)
        }
    }

    /// A change of an app. What is `nil` stays as it is.
    public struct AppPatch: Sendable {
        let name: String?
        let origins: [String]?
        let side: String?
        let icon: String?
        let label: String?

        /// Creates a patch. `side`, `icon` and `label` are the launcher's.
        public init(
            name: String? = nil, origins: [String]? = nil, side: String? = nil, icon: String? = nil,
            label: String? = nil
        ) {
            (self.name, self.origins) = (name, origins)
            (self.side, self.icon, self.label) = (side, icon, label)
        }

        fileprivate func launcher(from before: Launcher?) throws(Rejection) -> Launcher? {
            var launcher = before ?? Launcher()
            if let side { launcher.side = try BrandRules.choice(side, at: "side") }
            if let icon { launcher.icon = try BrandRules.choice(icon, at: "icon") }
            if let label {
                try BrandRules.check(label: label)
                launcher.label = label
            }
            return launcher == before ?? Launcher() ? before : launcher
        }
    }

    /// Reads the brand and its apps.
    /// - Throws: `forbidden` without the permission to change the brand.
    public func brand(as agent: AgentCaller) async throws -> (account: Account, apps: [App]) {
        try agent.require(.changeBrand)
        return (try await account(of: agent), try await accounts.apps(of: agent.account))
    }

    /// Reads what a page that embeds an app shows; `nil` for what does not exist.
    public func embedding(of app: AppID, in account: AccountID) async throws -> (account: Account?, app: App?) {
        (try await accounts.account(account), try await accounts.app(app, of: account))
    }

    /// Reads the logo of an account; `nil` where it has none.
    public func logo(of account: AccountID) async throws -> BrandLogo? {
        try await accounts.logo(of: account).map(BrandLogo.init)
    }

    /// Changes the brand. Consumers see it when they open the widget the next time.
    /// - Throws: `out_of_range`, `forbidden` without the permission to change the brand.
    public func change(_ patch: BrandPatch, as agent: AgentCaller) async throws -> Account {
        try agent.require(.changeBrand)
        if let name = patch.name { try BrandRules.check(name: name) }
        if let color = patch.color { try BrandRules.check(color: color) }
        if let welcome = patch.welcome { try BrandRules.check(welcome: welcome) }
        let logo = try patch.logo.flatMap { $0.isEmpty ? nil : try BrandLogo(address: $0) }
        let before = try await account(of: agent)
        var account = before
        account.name = patch.name ?? account.name
        account.color = patch.color ?? account.color
        account.welcome = patch.welcome ?? account.welcome
        if patch.logo != nil { account.logo = logo?.version }
        guard account != before else { return before }
        if account.logo == before.logo {
            try await accounts.save(account)
        } else {
            try await accounts.save(account, logo: logo?.bytes)
        }
        try await record(.brandChanged, by: agent, Self.changes(from: before, to: account))
        return account
    }

    /// What a change of a brand was, for the audit log.
    private static func changes(from before: Account, to account: Account) -> String {
        [
            account.name == before.name ? nil : "name=\(account.name)",
            account.color == before.color ? nil : "color=\(account.color)",
            account.welcome == before.welcome ? nil : "welcome",
            account.logo == before.logo ? nil : account.logo.map { "logo=\($0)" } ?? "logo removed",
        ].compactMap(\.self).joined(separator: " ")
    }

    /// Changes an app.
    /// - Throws: `not_found`, `out_of_range`, `forbidden` without the permission to change the brand.
    public func change(_ patch: AppPatch, of app: AppID, as agent: AgentCaller) async throws -> App {
        guard let before = try await accounts.app(app, of: agent.account) else { throw Rejection.notFound }
        try agent.require(.changeBrand)
        if let name = patch.name { try BrandRules.check(name: name) }
        if let origins = patch.origins { try BrandRules.check(origins: origins) }
        var app = before
        app.name = patch.name ?? app.name
        app.allowedOrigins = patch.origins ?? app.allowedOrigins
        app.launcher = try patch.launcher(from: before.launcher)
        guard app != before else { return before }
        try await accounts.save(app)
        try await record(.appChanged, by: agent, app.summary)
        return app
    }

    private func account(of agent: AgentCaller) async throws -> Account {
        guard let account = try await accounts.account(agent.account) else { throw Rejection.notFound }
        return account
    }

    private func record(_ what: AuditAction, by agent: AgentCaller, _ detail: String) async throws {
        try await accounts.record(
            AuditEntry(
                account: agent.account, at: environment.now(), by: agent.id.rawValue, what: what, detail: detail))
    }
}

extension App {
    /// The app, its origins and its launcher where it was changed, for the audit log.
    public var summary: String {
        let shown = launcher.map { " launcher=\($0.side.rawValue),\($0.icon.rawValue),\($0.label)" } ?? ""
        return "\(id) \(allowedOrigins.joined(separator: " "))\(shown)"
    }
}
