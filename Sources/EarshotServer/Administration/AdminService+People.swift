import EarshotCore
import EarshotDomain
import EarshotModel

extension AdminService {
    /// Adds a person.
    /// - Throws: `InvalidInput`.
    public func addPerson(
        email: String, brand: String, name: String, profile: NewPersonProfile, password: String
    ) async throws {
        let brand = try await known(brand)
        let email = email.lowercased()
        guard email.wholeMatch(of: /[^@\s]+@[^@\s]+/) != nil, email.utf8.count <= 254 else {
            throw InvalidInput(description: "\(email) is not an e-mail address.")
        }
        guard try await accounts.agent(email: email, of: brand) == nil else {
            throw InvalidInput(description: "\(email) already exists in this brand.")
        }
        let agent = Agent(
            id: environment.id(), account: brand, email: email, name: try await named(name),
            role: profile.role, password: try hash(password))
        try await accounts.save(agent)
        try await accounts.record(entry(.personAdded, in: brand, "\(agent.id) \(agent.role.rawValue)"))
    }

    /// Adds a person without a password.
    /// - Returns: the path of the page on which the person sets one, once. It is stored nowhere.
    /// - Throws: `InvalidInput`.
    public func invitePerson(email: String, brand: String, name: String, profile: NewPersonProfile) async throws
        -> String
    {
        let brand = try await known(brand)
        return try await allowed {
            try await links.invite(
                .init(email: email, name: name, role: profile.role), to: brand,
                by: AuditEntry.operator_
            ).1.path
        }
    }

    /// Makes a link with which a person sets a password, in place of the one before.
    /// - Returns: the path of the page on which the person does that, once. It is stored nowhere.
    /// - Throws: `InvalidInput`.
    public func passwordLink(email: String, brand: String) async throws -> String {
        let agent = try await person(email, of: known(brand))
        return try await allowed { try await links.renew(for: agent, by: AuditEntry.operator_).path }
    }

    /// Sets a person's password, and ends all of the person's sessions.
    /// - Throws: `InvalidInput`.
    public func setPassword(email: String, brand: String, password: String) async throws {
        let agent = try await person(email, of: known(brand))
        try await change(agent, PersonPatch(password: try hash(password)), .passwordChanged)
    }

    /// Takes a person out of a brand: signed out, without address and password. The name stays in conversations.
    /// The API keys that the person made go on working, unless they are revoked too.
    /// - Returns: the id and the name of each such key that has not ended.
    /// - Throws: `InvalidInput` if the brand would have no administrator left.
    public func removePerson(email: String, brand: String, revokesKeys: Bool) async throws -> [String] {
        let agent = try await person(email, of: known(brand))
        let made = try await apiKeys.keys(of: agent.account).filter {
            $0.by == agent.id.rawValue && environment.now() < $0.expires
        }
        try await change(agent, .removal, .personRemoved)
        for key in made where revokesKeys {
            try await apiKeys.revoke(key.id, of: agent.account, by: AuditEntry.operator_)
        }
        return made.map { "\($0.id) \($0.name)" }
    }

    /// Removes the second factor of a person who lost it, and ends all of the person's sessions.
    /// - Throws: `InvalidInput` if the person has none.
    public func removeSecondFactor(email: String, brand: String) async throws {
        let agent = try await person(email, of: known(brand))
        let audit = entry(.secondFactorRemoved, in: agent.account, agent.id.rawValue)
        guard try await secondFactors.removeSecondFactor(of: agent.id, endsSessions: true, audit: audit) else {
            throw InvalidInput(description: "\(email) has no second factor.")
        }
    }

    /// Reads the sessions of a person.
    func sessions(of email: String, brand: String) async throws -> [Session] {
        try await accounts.sessions(of: person(email, of: known(brand)).id, at: environment.now())
    }

    /// Ends the sessions of a person, or one of them. The person may sign in again.
    /// - Returns: how many were ended.
    /// - Throws: `InvalidInput` if the person has no such session.
    public func endSessions(of email: String, brand: String, session: String?) async throws -> Int {
        let agent = try await person(email, of: known(brand))
        let sessions = try await accounts.sessions(of: agent.id, at: environment.now())
        let ended = sessions.filter { session == nil || $0.id == session }
        if let session, ended.isEmpty { throw InvalidInput(description: "\(email) has no session \(session).") }
        for one in ended {
            try await accounts.remove(session: one.digest)
            try await accounts.record(entry(.signedOut, in: agent.account, "\(agent.id) session \(one.id)"))
        }
        return ended.count
    }

    /// Finds a conversation of a brand.
    /// - Throws: `InvalidInput` if the brand has no such conversation.
    func found(_ conversation: String, in brand: String) async throws -> ConversationIdentity {
        let account = try await known(brand)
        guard let id = ConversationID(conversation), let found = try await conversations.identity(of: id),
            found.account == account
        else { throw InvalidInput(description: "\(brand) has no conversation \(conversation).") }
        return found
    }

    /// Makes a new key for consumers' tokens. What the old key signed is accepted for some days.
    /// - Returns: the day on which the old key ends, in UTC.
    /// - Throws: `InvalidInput`.
    public func rotateKeys(acceptingOldFor days: Int) throws -> String {
        guard (0...Self.keyDays).contains(days) else {
            throw InvalidInput(description: "The days must be 0 to \(Self.keyDays).")
        }
        return try keys.rotate(acceptingOldFor: days).day
    }

    /// The longest time for which an old key is accepted: as long as a token is valid.
    public static let keyDays = 400

    private func change(_ agent: Agent, _ patch: PersonPatch, _ what: AuditAction) async throws {
        let change = PersonChange(
            account: agent.account, person: agent.id, patch: patch,
            audit: entry(what, in: agent.account, agent.id.rawValue))
        switch try await accounts.change(change) {
        case .changed, .unchanged: return
        case .lastAdministrator:
            throw InvalidInput(
                description: "\(agent.email) is the last administrator of \(agent.account). Add another one first.")
        case .notFound: throw InvalidInput(description: "\(agent.email) was removed meanwhile.")
        }
    }

    private func person(_ email: String, of brand: AccountID) async throws -> Agent {
        guard let agent = try await accounts.agent(email: email.lowercased(), of: brand) else {
            throw InvalidInput(
                description: "\(brand) has no \(email). To see its people, run: earshot list people --brand \(brand)")
        }
        return agent
    }

    private func hash(_ password: String) throws -> PasswordHash {
        guard Passwords.length.contains(password.utf8.count) else {
            throw InvalidInput(
                description:
                    "A password must have \(Passwords.length.lowerBound) to \(Passwords.length.upperBound) bytes.")
        }
        return try Passwords.hash(password, salt: environment.random(Passwords.saltBytes))
    }
}
