import EarshotCore
public import EarshotModel
import Foundation

/// Creates the brand that `earshot demo` starts with: one shop, six agents in two time zones and an administrator.
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

    /// Returns the logins. Creates the brand the first time, and continues where an earlier start was ended meanwhile.
    public func prepare() async throws -> [Login] {
        let path = folder + "/" + Self.loginsFile
        if let known = try logins(at: path) { return known }
        let unfinished = path + ".new"
        if let begun = try logins(at: unfinished) { return try await make(begun, from: unfinished, to: path) }
        guard try await accounts.account(Self.account) == nil else {
            throw AdminService.InvalidInput(
                description:
                    "\(folder) has the demo brand, but not the file \(Self.loginsFile) with its passwords: perhaps it "
                    + "was restored from a backup. Run earshot serve, and set passwords with earshot set-password.")
        }
        let logins = Self.people.map { user, name, role in
            Login(
                email: "\(user)@demo.example", name: name, role: role,
                password: OneTimePassword.make(random: environment.random))
        }
        let made = FileManager.default.createFile(
            atPath: unfinished, contents: try JSONEncoder().encode(logins), attributes: [.posixPermissions: 0o600])
        guard made else {
            throw AdapterFailure("the demo's logins cannot be written to the data folder", isRetryable: false)
        }
        return try await make(logins, from: unfinished, to: path)
    }

    private func logins(at path: String) throws -> [Login]? {
        try FileManager.default.contents(atPath: path).map { try JSONDecoder().decode([Login].self, from: $0) }
    }

    /// Those of the people whom the person who tries the demo can be. They are not played.
    static let visitors = [
        (email: "dana@demo.example", name: "Dana, agent"), (email: "mira@demo.example", name: "Mira, administrator"),
    ]

    private static let people: [(user: String, name: String, role: Role)] = [
        ("dana", "Dana", .agent), ("omar", "Omar", .agent), ("mira", "Mira", .administrator), ("lea", "Lea", .agent),
        ("noah", "Noah", .agent), ("ines", "Ines", .agent), ("kenji", "Kenji", .agent),
    ]

    /// Stores the brand and the people that are missing. The file gets its name when all are there.
    private func make(_ logins: [Login], from unfinished: String, to path: String) async throws -> [Login] {
        try await accounts.save(
            Account(
                id: Self.account, name: "Fernweh Outfitters", color: "#1f6f5c",
                welcome: "Hi there! Ask us anything about tents, boots or your order. Type, or just say it.",
                audioLimitMs: Limits.audioDurationMs.upperBound))
        // The demo's shop is served by Earshot itself: no other site needs to be allowed.
        try await accounts.save(App(id: Self.app, account: Self.account, name: "Shop", allowedOrigins: []))
        for login in logins where try await accounts.agent(email: login.email, of: Self.account) == nil {
            try await accounts.save(agent(login))
        }
        try FileManager.default.moveItem(atPath: unfinished, toPath: path)
        return logins
    }

    private func agent(_ login: Login) throws -> Agent {
        Agent(
            id: environment.id(), account: Self.account, email: login.email, name: login.name, role: login.role,
            password: try Passwords.hash(login.password, salt: environment.random(Passwords.saltBytes)))
    }
}
