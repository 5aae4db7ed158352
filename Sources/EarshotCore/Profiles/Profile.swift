public import EarshotModel

/// Marks an `Identifier` as a profile's.
public enum ProfileTag {}
/// Marks an `Identifier` as a group's.
public enum GroupTag {}
/// One profile of a brand.
public typealias ProfileID = Identifier<ProfileTag>
/// One group of a brand.
public typealias GroupID = Identifier<GroupTag>

/// A named set of permissions that a brand made. A person without one has the built-in profile of the role.
public struct Profile: Hashable, Codable, Sendable {
    /// The most profiles of a brand.
    public static let most = 50
    /// The allowed length of a profile's name, in Unicode scalars.
    public static let nameLength = 1...60

    /// The profile's id.
    public let id: ProfileID
    /// The brand.
    public let account: AccountID
    /// The name that managers see.
    public let name: String
    /// What its people may do.
    public let permissions: Set<Permission>

    /// Creates a profile. Permissions that it may not have, or whose needs it lacks, are left out.
    public init(id: ProfileID, account: AccountID, name: String, permissions: Set<Permission>) {
        self.id = id
        self.account = account
        self.name = name
        self.permissions = Permission.allowed(of: permissions)
    }

    private enum Key: CodingKey { case id, account, name, permissions }

    /// Reads a profile. A permission that this version does not know allows nothing.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        self.init(
            id: try fields.decode(ProfileID.self, forKey: .id),
            account: try fields.decode(AccountID.self, forKey: .account),
            name: try fields.decode(String.self, forKey: .name),
            permissions: Set(
                try fields.decode([String].self, forKey: .permissions).compactMap(Permission.init(rawValue:))))
    }

    /// Writes a profile.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(id, forKey: .id)
        try fields.encode(account, forKey: .account)
        try fields.encode(name, forKey: .name)
        try fields.encode(permissions.map(\.rawValue).sorted(), forKey: .permissions)
    }

    /// Validates a name, and permissions that somebody wants a profile to have.
    /// - Throws: `bad_request`.
    static func check(name: String, _ permissions: Set<Permission>) throws(Rejection) {
        try check(name: name, of: "profile", nameLength)
        for permission in Permission.allCases where permissions.contains(permission) {
            let declared = permission.declaration
            guard declared.isForCustomProfiles else {
                throw Rejection(.badRequest, "Only a built-in profile has \(permission.rawValue).")
            }
            guard let lacking = declared.needs.first(where: { !permissions.contains($0) }) else { continue }
            throw Rejection(.badRequest, "\(permission.rawValue) needs \(lacking.rawValue).")
        }
    }

    static func check(name: String, of kind: String, _ length: ClosedRange<Int>) throws(Rejection) {
        let scalars = name.unicodeScalars
        guard length.contains(scalars.count), scalars.contains(where: { !$0.properties.isWhitespace }),
            !scalars.contains(where: { $0.properties.generalCategory == .control })
        else {
            throw Rejection(
                .badRequest, "A \(kind)'s name must be one line of 1 to \(length.upperBound) characters.",
                limit: length.upperBound)
        }
    }
}

/// People of a brand who see each other's conversations, and those of some skills.
public struct PeopleGroup: Hashable, Codable, Sendable {
    /// The most groups of a brand.
    public static let most = 50
    /// The allowed length of a group's name, in Unicode scalars.
    public static let nameLength = 1...60
    /// The most people of a group.
    public static let mostPeople = 100
    /// The most skills of a group.
    public static let mostSkills = 50

    /// The group's id.
    public let id: GroupID
    /// The brand.
    public let account: AccountID
    /// The name that managers see.
    public let name: String
    /// The skills whose conversations its people see.
    public let skills: Set<SkillID>
    /// Its people, who see each other's conversations.
    public let people: Set<AgentID>

    /// Creates a group.
    public init(id: GroupID, account: AccountID, name: String, skills: Set<SkillID>, people: Set<AgentID>) {
        self.id = id
        self.account = account
        self.name = name
        self.skills = skills
        self.people = people
    }

    /// Validates the values.
    /// - Parameters:
    ///   - skills: the skills of the brand.
    ///   - people: the people of the brand.
    /// - Throws: `bad_request`, `out_of_range`, `unknown_skill`, `unknown_agent`.
    func check(among skills: Set<SkillID>, _ people: Set<AgentID>) throws(Rejection) {
        try Profile.check(name: name, of: "group", Self.nameLength)
        guard self.people.count <= Self.mostPeople else {
            throw Rejection(
                .outOfRange, "A group has at most \(Self.mostPeople) people.", limit: Self.mostPeople)
        }
        guard self.skills.count <= Self.mostSkills else {
            throw Rejection(
                .outOfRange, "A group has at most \(Self.mostSkills) skills.", limit: Self.mostSkills)
        }
        guard self.skills.isSubset(of: skills) else {
            throw Rejection(.unknownSkill, "A skill of the group does not exist.")
        }
        guard self.people.isSubset(of: people) else {
            throw Rejection(.unknownAgent, "A person of the group does not exist.")
        }
    }
}
