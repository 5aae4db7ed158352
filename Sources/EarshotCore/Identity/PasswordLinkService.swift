import Crypto
import EarshotDomain
public import EarshotModel

/// Makes the one-time links with which people join a brand or replace a forgotten password, and uses them up.
public struct PasswordLinkService: Sendable {
    /// How long an invitation lasts.
    public static let invitationMs: Int64 = 7 * 24 * 3600 * 1000
    /// How long a link for a forgotten password lasts.
    public static let forgottenMs: Int64 = 24 * 3600 * 1000

    private static let tokenBytes = 32
    /// The most UTF-8 bytes of a token that is looked up.
    private static let tokenLength = 64
    /// The most UTF-8 bytes of an e-mail address.
    public static let emailBytes = 254

    private let links: any PasswordLinkStore
    private let accounts: any AccountStore & AgentStore
    private let environment: SystemEnvironment

    /// Creates the service.
    public init(links: any PasswordLinkStore, accounts: any AccountStore & AgentStore, environment: SystemEnvironment) {
        self.links = links
        self.accounts = accounts
        self.environment = environment
    }

    /// A person who is invited.
    public struct Invitation: Hashable, Sendable {
        let email: String
        let name: String
        let role: Role

        /// Creates an invitation.
        public init(email: String, name: String, role: Role) {
            self.email = email.lowercased()
            self.name = name
            self.role = role
        }
    }

    // MARK: Making links

    /// Adds a person who has no password, and makes the link with which they set one.
    /// - Throws: `forbidden` without the permission, `bad_request`, `address_taken`.
    public func invite(_ invitation: Invitation, as manager: AgentCaller) async throws -> (Agent, NewPasswordLink) {
        try manager.require(.changePeople)
        return try await invite(invitation, to: manager.account, by: manager.id.rawValue)
    }

    /// Adds a person on behalf of `author`, who may do that.
    public func invite(_ invitation: Invitation, to account: AccountID, by author: String) async throws
        -> (Agent, NewPasswordLink)
    {
        try PersonPatch(role: invitation.role, name: invitation.name).check()
        guard invitation.email.wholeMatch(of: /[^@\s]+@[^@\s]+/) != nil,
            invitation.email.utf8.count <= Self.emailBytes
        else { throw Rejection(.badRequest, "This is not an e-mail address.") }
        let agent = Agent(
            id: environment.id(), account: account, email: invitation.email, name: invitation.name,
            role: invitation.role, password: .none)
        let (link, new) = make(for: agent)
        let audit = entry(.personInvited, of: agent, by: author, detail: "\(agent.id) \(agent.role.rawValue)")
        guard try await links.invite(agent, by: link, audit: audit) else {
            throw Rejection(.addressTaken, "The brand has a person with this e-mail address already.")
        }
        return (agent, new)
    }

    /// Makes a new link for a person, in place of the one before: an invitation for who has not joined yet, otherwise
    /// one for a forgotten password.
    /// - Throws: `not_found`, `forbidden` without the permission, `bad_request` for a person who may not sign in.
    public func renew(for person: AgentID, as manager: AgentCaller) async throws -> NewPasswordLink {
        try await renew(for: try await known(person, to: manager), by: manager.id.rawValue)
    }

    /// Makes a new link on behalf of `author`, who may do that.
    public func renew(for agent: Agent, by author: String) async throws -> NewPasswordLink {
        guard !agent.isDisabled else {
            throw Rejection(.badRequest, "This person may not sign in. Allow that first.")
        }
        let (link, new) = make(for: agent)
        try await links.save(link, audit: entry(.linkMade, of: agent, by: author))
        return new
    }

    /// Revokes the link of a person. Does nothing where there is none.
    /// - Throws: `not_found`, `forbidden` without the permission.
    public func revoke(of person: AgentID, as manager: AgentCaller) async throws {
        let agent = try await known(person, to: manager)
        try await links.removePasswordLink(
            of: agent.id, audit: entry(.linkRevoked, of: agent, by: manager.id.rawValue))
    }

    /// When the links of the brand's people end.
    /// - Throws: `forbidden` without the permission.
    public func ends(as manager: AgentCaller) async throws -> [AgentID: Timestamp] {
        try manager.require(.changePeople)
        let all = try await links.passwordLinks(of: manager.account, at: environment.now())
        return Dictionary(all.map { ($0.agent, $0.expires) }) { first, _ in first }
    }

    // MARK: Using a link

    /// What a link is for.
    /// - Throws: `link_invalid`.
    public func purpose(of token: String) async throws -> PasswordLinkPurpose {
        let (link, agent) = try await found(token)
        guard let brand = try await accounts.account(link.account) else { throw Self.invalid }
        return PasswordLinkPurpose(brand: brand.name, person: agent, expires: link.expires)
    }

    /// Uses a link up: sets the password of its person, and ends the person's sessions.
    /// - Parameters:
    ///   - name: the name that an invited person wants to have; ignored for others.
    ///   - logins: computes the hash when it is the turn of this address.
    /// - Returns: what was changed, and the person's row.
    /// - Throws: `link_invalid`, `out_of_range` for the length of the password, `bad_request` for the name,
    ///   `unavailable` if too many passwords wait.
    func use(_ token: String, password: String, name: String?, by logins: LoginLimiter, _ address: String) async throws
        -> Agent
    {
        guard Passwords.length.contains(password.utf8.count) else { throw Passwords.lengthRejection(password) }
        let (link, agent) = try await found(token)
        let name = agent.isInvited ? name : nil
        try PersonPatch(name: name).check()
        let hash = try await logins.hash(
            password, salt: environment.random(Passwords.saltBytes), from: .address(address))
        let change = PersonChange(
            account: link.account, person: agent.id, patch: PersonPatch(password: hash, name: name),
            audit: entry(.passwordChanged, of: agent, by: agent.id.rawValue, detail: "\(agent.id) by link"),
            usedLink: link)
        guard case .changed(_, let changed) = try await accounts.change(change) else { throw Self.invalid }
        return changed
    }

    private static let invalid = Rejection(
        .linkInvalid, "This link was used, was replaced or has ended. Ask a manager for a new one.")

    private func found(_ token: String) async throws -> (PasswordLink, Agent) {
        guard token.utf8.count <= Self.tokenLength,
            let link = try await links.passwordLink(Self.digest(token), at: environment.now()),
            link.expires <= environment.now().adding(milliseconds: Self.invitationMs),
            let agent = try await accounts.agent(link.agent), !agent.isDisabled
        else { throw Self.invalid }
        return (link, agent)
    }

    private func known(_ person: AgentID, to manager: AgentCaller) async throws -> Agent {
        guard let agent = try await accounts.agent(person), agent.account == manager.account else {
            throw Rejection.notFound
        }
        try manager.require(.changePeople)
        return agent
    }

    private func make(for agent: Agent) -> (PasswordLink, NewPasswordLink) {
        let token = Base64URL.encode(environment.random(Self.tokenBytes))
        let expires = environment.now().adding(milliseconds: agent.isInvited ? Self.invitationMs : Self.forgottenMs)
        let link = PasswordLink(
            digest: Self.digest(token), agent: agent.id, account: agent.account, expires: expires)
        return (link, NewPasswordLink(token: token, expires: expires))
    }

    private static func digest(_ token: String) -> [UInt8] { Array(SHA256.hash(data: Array(token.utf8))) }

    private func entry(_ what: AuditAction, of agent: Agent, by author: String, detail: String? = nil) -> AuditEntry {
        AuditEntry(
            account: agent.account, at: environment.now(), by: author, what: what,
            detail: detail ?? agent.id.rawValue)
    }
}
