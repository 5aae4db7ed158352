public import EarshotModel

/// The fields of one of the brand's people to change. A field that is `nil` stays as it is.
public struct PersonPatch: Hashable, Sendable {
    /// The new role.
    public var role: Role?
    /// Whether the person may no longer sign in.
    public var isDisabled: Bool?
    /// The new name.
    public var name: String?
    /// The hash of the new password.
    public var password: PasswordHash?
    /// The new profile.
    public var profile: ProfileChoice?
    /// Whether to take the person out of the brand: disabled, without address and password. The name stays, because
    /// the log refers to it.
    public var isRemoval = false

    /// Creates a patch.
    public init(role: Role? = nil, isDisabled: Bool? = nil, name: String? = nil) {
        self.role = role
        self.isDisabled = isDisabled
        self.name = name
    }

    /// Creates a patch that sets a password, and the name where there is one.
    public init(password: PasswordHash, name: String? = nil) {
        self.password = password
        self.name = name
    }

    /// Takes the person out of the brand.
    public static let removal = {
        var patch = PersonPatch()
        patch.isRemoval = true
        return patch
    }()

    /// A profile to give a person.
    public enum ProfileChoice: Hashable, Sendable {
        /// The built-in one of the role.
        case builtIn
        /// One that the brand made.
        case made(ProfileID)

        /// The id of a profile that the brand made.
        public var id: ProfileID? { if case .made(let id) = self { id } else { nil } }
    }

    fileprivate func applied(to agent: Agent) -> Agent {
        var agent = agent
        agent.role = role ?? agent.role
        agent.isDisabled = isRemoval || isDisabled ?? agent.isDisabled
        agent.name = name ?? agent.name
        if let profile { agent.profile = profile.id }
        agent.password = password ?? agent.password
        if isRemoval {
            agent.email = "removed-\(agent.id)"
            agent.password = .none
        }
        return agent
    }
}

/// A change of one person. A store applies it to the rows that it holds; the rules are in `outcome(among:)`.
public struct PersonChange: Sendable {
    /// The brand of the person, and of the manager who makes the change.
    public let account: AccountID
    /// The person to change.
    public let person: AgentID
    /// What to change.
    public let patch: PersonPatch
    /// The audit entry to write with the change. It is not written if nothing changes.
    public let audit: AuditEntry
    /// The digest of a session that does not end although the others do: the one in which a person changes the own
    /// password.
    public let keptSession: [UInt8]?
    /// The link that the change uses up: without it nothing changes, and the outcome is `notFound`.
    public let usedLink: PasswordLink?

    /// Creates a change.
    public init(
        account: AccountID, person: AgentID, patch: PersonPatch, audit: AuditEntry, keptSession: [UInt8]? = nil,
        usedLink: PasswordLink? = nil
    ) {
        self.keptSession = keptSession
        self.usedLink = usedLink
        self.account = account
        self.person = person
        self.patch = patch
        self.audit = audit
    }

    /// The result of a change.
    public enum Outcome: Hashable, Sendable {
        /// The person was changed.
        case changed(from: Agent, to: Agent)
        /// The person already had these values; nothing is written.
        case unchanged(Agent)
        /// The brand has no person with this id.
        case notFound
        /// The change would leave the brand without an administrator.
        case lastAdministrator
    }

    /// Decides what the change does.
    /// - Parameter people: everyone who works for the brand, as stored now.
    public func outcome(among people: [Agent]) -> Outcome {
        guard let before = people.first(where: { $0.id == person && $0.account == account }) else { return .notFound }
        let after = patch.applied(to: before)
        guard after != before else { return .unchanged(before) }
        let isOneLeft = people.contains { $0.account == account && ($0.id == person ? after : $0).isAdministering }
        return before.isAdministering && !isOneLeft ? .lastAdministrator : .changed(from: before, to: after)
    }
}

extension PersonChange.Outcome {
    /// Whether the person's sessions end, so that they have to sign in again.
    public var endsSessions: Bool {
        guard case .changed(let before, let after) = self else { return false }
        return before.role != after.role || endsLink
    }

    /// Whether the link with which the person could set the password ends.
    public var endsLink: Bool {
        guard case .changed(let before, let after) = self else { return false }
        return before.password != after.password || (after.isDisabled && !before.isDisabled)
    }
}

extension Agent {
    /// Whether this person may sign in and change people.
    fileprivate var isAdministering: Bool {
        !isDisabled && !isInvited && profile == nil && Permission.of(role).contains(.changePeople)
    }
}
