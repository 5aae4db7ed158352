public import EarshotModel

/// Makes, changes and removes the profiles and groups of brands. A change is in force before it is answered: the
/// connections of those whom it may concern end, and come back with what they may do and see now.
public struct ProfileService: Sendable {
    /// Who and what groups are made of.
    struct People {
        let agents: any AgentStore
        let centres: any ContactCentreSource
    }

    private let store: any ProfileStore
    private let people: People
    private let sessions: SessionService
    private let environment: SystemEnvironment

    init(store: any ProfileStore, people: People, sessions: SessionService, environment: SystemEnvironment) {
        self.store = store
        self.people = people
        self.sessions = sessions
        self.environment = environment
    }

    /// Whether a brand made this profile.
    func has(_ id: ProfileID, of account: AccountID) async throws -> Bool {
        try await store.profile(id, of: account) != nil
    }

    // MARK: Profiles

    /// Reads the profiles that the brand made.
    /// - Throws: `forbidden` without the permission to change people.
    public func profiles(as manager: AgentCaller) async throws -> [Profile] {
        try manager.require(.changePeople)
        return try await store.profiles(of: manager.account)
    }

    /// Makes a profile.
    /// - Throws: `forbidden`, `bad_request`, `out_of_range` for one profile too many.
    public func make(_ name: String, _ permissions: Set<Permission>, as manager: AgentCaller) async throws -> Profile {
        try manager.require(.changePeople)
        try Profile.check(name: name, permissions)
        let profile = Profile(
            id: environment.id(), account: manager.account, name: name, permissions: permissions)
        guard
            try await store.save(
                profile, isNew: true, atMost: Profile.most, audit: entry(.profileChanged, "made", profile, manager))
        else { throw Self.tooMany("profiles", Profile.most) }
        return profile
    }

    /// Replaces the name and the permissions of a profile.
    /// - Throws: `not_found`, `forbidden`, `bad_request`.
    public func change(
        _ id: ProfileID, to name: String, _ permissions: Set<Permission>, as manager: AgentCaller
    ) async throws -> Profile {
        guard try await store.profile(id, of: manager.account) != nil else { throw Rejection.notFound }
        try manager.require(.changePeople)
        try Profile.check(name: name, permissions)
        let profile = Profile(id: id, account: manager.account, name: name, permissions: permissions)
        guard
            try await store.save(
                profile, isNew: false, atMost: Profile.most,
                audit: entry(.profileChanged, "changed", profile, manager))
        else { throw Rejection.notFound }
        try await sessions.reconnectProfiled(of: manager.account)
        return profile
    }

    /// Removes a profile that no one has.
    /// - Throws: `not_found`, `forbidden`, `bad_request` while someone has it.
    public func remove(_ id: ProfileID, as manager: AgentCaller) async throws {
        guard let profile = try await store.profile(id, of: manager.account) else { throw Rejection.notFound }
        try manager.require(.changePeople)
        let audit = entry(.profileChanged, "removed", profile, manager)
        switch try await store.removeProfile(id, of: manager.account, audit: audit) {
        case .removed: return
        case .notFound: throw Rejection.notFound
        case .inUse:
            throw Rejection(.badRequest, "People have this profile. Give them another one first.")
        }
    }

    // MARK: Groups

    /// Reads the groups of the brand.
    /// - Throws: `forbidden` without the permission to change people.
    public func groups(as manager: AgentCaller) async throws -> [PeopleGroup] {
        try manager.require(.changePeople)
        return try await store.groups(of: manager.account)
    }

    /// Makes a group.
    /// - Throws: `forbidden`, `bad_request`, `out_of_range`, `unknown_skill`, `unknown_agent`.
    public func make(_ wish: GroupWish, as manager: AgentCaller) async throws -> PeopleGroup {
        try manager.require(.changePeople)
        let group = try await checked(wish, id: environment.id(), as: manager)
        guard
            try await store.save(
                group, isNew: true, atMost: PeopleGroup.most, audit: entry("made", group, manager))
        else { throw Self.tooMany("groups", PeopleGroup.most) }
        try await sessions.reconnectProfiled(of: manager.account)
        return group
    }

    /// Replaces a group.
    /// - Throws: `not_found`, and what `make` throws.
    public func change(_ id: GroupID, to wish: GroupWish, as manager: AgentCaller) async throws -> PeopleGroup {
        _ = try await known(id, as: manager)
        try manager.require(.changePeople)
        let group = try await checked(wish, id: id, as: manager)
        guard
            try await store.save(
                group, isNew: false, atMost: PeopleGroup.most, audit: entry("changed", group, manager))
        else { throw Rejection.notFound }
        try await sessions.reconnectProfiled(of: manager.account)
        return group
    }

    /// Removes a group.
    /// - Throws: `not_found`, `forbidden`.
    public func remove(_ id: GroupID, as manager: AgentCaller) async throws {
        let group = try await known(id, as: manager)
        try manager.require(.changePeople)
        guard
            try await store.removeGroup(id, of: manager.account, audit: entry("removed", group, manager))
        else { throw Rejection.notFound }
        try await sessions.reconnectProfiled(of: manager.account)
    }

    private func known(_ id: GroupID, as manager: AgentCaller) async throws -> PeopleGroup {
        guard let group = try await store.groups(of: manager.account).first(where: { $0.id == id }) else {
            throw Rejection.notFound
        }
        return group
    }

    private func checked(_ wish: GroupWish, id: GroupID, as manager: AgentCaller) async throws -> PeopleGroup {
        let group = PeopleGroup(
            id: id, account: manager.account, name: wish.name, skills: wish.skills, people: wish.people)
        try group.check(
            among: Set(try await people.centres.centre(of: manager.account).skills.map(\.id)),
            Set(try await people.agents.agents(of: manager.account).map(\.id)))
        return group
    }

    private static func tooMany(_ what: String, _ limit: Int) -> Rejection {
        Rejection(.outOfRange, "Your brand has \(limit) \(what). Remove one first.", limit: limit)
    }

    private func entry(_ what: AuditAction, _ verb: String, _ profile: Profile, _ manager: AgentCaller) -> AuditEntry {
        let names = profile.permissions.map(\.rawValue).sorted().joined(separator: ",")
        return entry(what, "\(verb) \(profile.id) \(names) \(profile.name)", manager)
    }

    private func entry(_ verb: String, _ group: PeopleGroup, _ manager: AgentCaller) -> AuditEntry {
        entry(
            .groupChanged,
            "\(verb) \(group.id) skills: \(group.skills.count), people: \(group.people.count) \(group.name)", manager)
    }

    private func entry(_ what: AuditAction, _ detail: String, _ manager: AgentCaller) -> AuditEntry {
        AuditEntry(
            account: manager.account, at: environment.now(), by: manager.id.rawValue, what: what, detail: detail)
    }
}

/// What a manager wants a group to be.
public struct GroupWish: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The skills whose conversations its people see.
    public let skills: Set<SkillID>
    /// Its people.
    public let people: Set<AgentID>

    /// Makes the value.
    public init(name: String, skills: Set<SkillID>, people: Set<AgentID>) {
        self.name = name
        self.skills = skills
        self.people = people
    }
}
