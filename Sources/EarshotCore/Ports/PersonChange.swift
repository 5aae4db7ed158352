public import EarshotModel

/// What somebody wants changed of one of the brand's people. What is `nil` stays as it is.
public struct PersonPatch: Hashable, Sendable {
    public var role: Role?
    public var isDisabled: Bool?
    public var name: String?

    public init(role: Role? = nil, isDisabled: Bool? = nil, name: String? = nil) {
        self.role = role
        self.isDisabled = isDisabled
        self.name = name
    }
}

/// One change of one person. A store applies it to what it holds, and decides nothing itself.
public struct PersonChange: Sendable {
    public let account: AccountID
    public let person: AgentID
    public let patch: PersonPatch
    /// Written with the change, where anything changes.
    public let audit: AuditEntry

    public init(account: AccountID, person: AgentID, patch: PersonPatch, audit: AuditEntry) {
        self.account = account
        self.person = person
        self.patch = patch
        self.audit = audit
    }

    public enum Outcome: Hashable, Sendable {
        case changed(from: Agent, to: Agent)
        /// They were like that before: nothing is written.
        case same(Agent)
        /// Nobody of that id is at the brand.
        case nobody
        /// Nobody would be left who may change people.
        case lastManager
    }

    /// What comes of it.
    /// - Parameter people: everybody of the brand, as they are now.
    public func outcome(among people: [Agent]) -> Outcome {
        guard let before = people.first(where: { $0.id == person && $0.account == account }) else { return .nobody }
        var after = before
        after.role = patch.role ?? before.role
        after.isDisabled = patch.isDisabled ?? before.isDisabled
        after.name = patch.name ?? before.name
        guard after != before else { return .same(before) }
        let managersLeft = people.contains { $0.account == account && ($0.id == person ? after : $0).isManaging }
        return before.isManaging && !managersLeft ? .lastManager : .changed(from: before, to: after)
    }
}

extension PersonChange.Outcome {
    /// Whether whoever is signed in as this person has to sign in again.
    public var endsSessions: Bool {
        guard case .changed(let before, let after) = self else { return false }
        return before.role != after.role || (after.isDisabled && !before.isDisabled)
    }
}

extension Agent {
    /// May sign in, and change people.
    fileprivate var isManaging: Bool { !isDisabled && Permission.of(role).contains(.changePeople) }
}
