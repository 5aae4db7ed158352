import EarshotCore
public import EarshotModel
import Foundation

/// Creates the brand that `earshot demo` starts with: one shop, six agents in two time zones and a manager.
public struct DemoBrand: Sendable {
    /// The demo brand's id.
    public static let account = AccountID(trusted: "demo")
    /// The demo app's id.
    public static let app = AppID(trusted: "shop")
    /// The file with the logins, readable by its owner only. Every start prints them.
    static let loginsFile = "demo-logins.json"

    /// How to sign in as one of the demo's people.
    public struct Login: Codable, Hashable, Sendable {
        /// The e-mail address.
        public let email: String
        /// The name.
        public let name: String
        /// The role.
        public let role: Role
        /// The password.
        public let password: String
    }

    let accounts: any AccountStore & AgentStore
    let environment: SystemEnvironment
    let folder: String

    /// Returns the logins. Creates the brand the first time.
    public func prepare() async throws -> [Login] {
        let path = folder + "/" + Self.loginsFile
        if let known = FileManager.default.contents(atPath: path) {
            return try JSONDecoder().decode([Login].self, from: known)
        }
        guard try await accounts.account(Self.account) == nil else {
            throw AdminService.InvalidInput(
                description:
                    "\(folder) has the demo brand, but not the file \(Self.loginsFile) with its passwords: perhaps it "
                    + "was restored from a backup. Run earshot serve, and set passwords with earshot set-password.")
        }
        return try await make(loginsAt: path)
    }

    private func make(loginsAt path: String) async throws -> [Login] {
        try await accounts.save(
            Account(
                id: Self.account, name: "Fernweh Outfitters", color: "#1f6f5c",
                welcome: "Hi there! Ask us anything about tents, boots or your order. Type, or just say it.",
                audioLimitMs: Limits.audioDurationMs.upperBound))
        // The demo's shop is served by Earshot itself: no other site needs to be allowed.
        try await accounts.save(App(id: Self.app, account: Self.account, name: "Shop", allowedOrigins: []))
        let people: [(String, String, Role)] = [
            ("dana", "Dana", .agent), ("omar", "Omar", .agent), ("mira", "Mira", .manager), ("lea", "Lea", .agent),
            ("noah", "Noah", .agent), ("ines", "Ines", .agent),
            ("kenji", "Kenji", .agent),
        ]
        var logins: [Login] = []
        for (user, name, role) in people {
            let password = OneTimePassword.make(random: environment.random)
            logins.append(Login(email: "\(user)@demo.example", name: name, role: role, password: password))
        }
        for login in logins { try await accounts.save(agent(login)) }
        let made = FileManager.default.createFile(
            atPath: path, contents: try JSONEncoder().encode(logins), attributes: [.posixPermissions: 0o600])
        guard made else {
            throw AdapterFailure("the demo's logins cannot be written to the data folder", isRetryable: false)
        }
        return logins
    }

    private func agent(_ login: Login) throws -> Agent {
        Agent(
            id: environment.id(), account: Self.account, email: login.email, name: login.name, role: login.role,
            password: try Passwords.hash(login.password, salt: environment.random(Passwords.saltBytes)))
    }
}
