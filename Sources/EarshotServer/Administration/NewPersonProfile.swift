import EarshotModel

/// The built-in profile of a person who is added on the command line.
public enum NewPersonProfile: String, CaseIterable, Sendable {
    /// A case for each of `Permission.builtInProfiles`.
    case agent, manager, administrator

    var role: Role {
        switch self {
        case .agent: .agent
        case .manager: .manager
        case .administrator: .administrator
        }
    }
}
