/// An action that a profile may include. Consumers have no permissions: they may only use their own conversation.
///
/// This file is the only place that says what a permission is and who has it. The table of docs/protocol.md, the enum
/// of docs/openapi.yaml and Web/protocol/permissions.ts, from which the workspace takes its texts, are generated from
/// it.
public enum Permission: Hashable, Sendable, CaseIterable {
    /// What each of them allows, its `declaration` says.
    case readConversations, seeAllConversations, readHistory, searchConversations, readNotes,
        answerConversations, startVoiceCalls, startVideoCalls, closeConversations, closeOthersConversations,
        transferOthersConversations,
        takeOverConversations, joinConversations, seeWall, blockConsumers, exportConversations, readAudit,
        changeSettings, changeSeats, changeBrand, changeRetention, changeIdentityProvider, changePeople,
        manageKeys

    /// What is declared about a permission.
    public struct Declaration: Hashable, Sendable {
        /// The stable name on the wire.
        public let id: String
        /// The name that people see.
        public let name: String
        /// What the person may do, in one English sentence.
        public let sentence: String
        /// The permissions without which it would be of no use, or would lead past what the person may see.
        public let needs: [Permission]
        /// Whether a profile that a brand makes may have it.
        public let isForCustomProfiles: Bool

        init(_ id: String, _ name: String, _ sentence: String, needs: [Permission] = [], custom: Bool = true) {
            self.id = id
            self.name = name
            self.sentence = sentence
            self.needs = needs
            isForCustomProfiles = custom
        }
    }

    /// The declaration of this permission.
    public var declaration: Declaration {
        guard let declared = Self.declarations[self] else { preconditionFailure("\(self) is not declared") }
        return declared
    }

    private static let declarations = ofAgents.merging(ofManagers) { first, _ in first }.merging(ofAdministrators) {
        first, _ in first
    }

    private static let ids = Dictionary(uniqueKeysWithValues: declarations.map { ($1.id, $0) })

    /// The permission with this name on the wire. `nil` if there is none.
    public init?(rawValue: String) {
        guard let known = Self.ids[rawValue] else { return nil }
        self = known
    }

    /// Its stable name on the wire.
    public var rawValue: String { declaration.id }

    /// What the built-in profile of agents has.
    private static let ofAgents: [Permission: Declaration] = [
        .readConversations: .init(
            "conversations.read", "Read conversations",
            "Every profile has it: people read the conversations that they see."),
        .seeAllConversations: .init(
            "conversations.all", "See every conversation",
            "Without it, people see their own conversations, those that wait for their skills, and their groups’."),
        .readHistory: .init(
            "history.read", "Read closed conversations", "See every closed conversation of the brand."),
        .searchConversations: .init(
            "history.search", "Search", "Find conversations among those that the person sees."),
        .readNotes: .init(
            "notes.read", "Private notes", "Read and write private notes, and find them in a search."),
        .answerConversations: .init(
            "conversations.answer", "Answer",
            "Take conversations that wait, write and speak to customers, tag and transfer."),
        .startVoiceCalls: .init(
            "calls.voice", "Voice calls", "Invite customers to voice calls, where the brand has turned them on.",
            needs: [.answerConversations]),
        .startVideoCalls: .init(
            "calls.video", "Video calls", "Invite customers to video calls, where the brand has turned them on.",
            needs: [.answerConversations]),
        .closeConversations: .init(
            "conversations.close", "Close", "Close the conversations that the person answers."),
        .blockConsumers: .init(
            "consumers.block", "Block customers", "Block a customer, and lift the block."),
    ]

    /// What the built-in profile of managers has besides.
    private static let ofManagers: [Permission: Declaration] = [
        .closeOthersConversations: .init(
            "conversations.closeOthers", "Close colleagues’ conversations",
            "Close conversations that a colleague answers, or that wait.",
            needs: [.closeConversations]),
        .transferOthersConversations: .init(
            "conversations.transferOthers", "Transfer colleagues’ conversations",
            "Transfer conversations that a colleague answers, or that wait.",
            needs: [.answerConversations]),
        .takeOverConversations: .init(
            "conversations.takeOver", "Take over",
            "Answer in place of a colleague, and take what is offered to or reserved for one.",
            needs: [.answerConversations]),
        .joinConversations: .init(
            "conversations.join", "Join", "Write in a conversation beside the colleague who answers it.",
            needs: [.answerConversations]),
        .seeWall: .init(
            "wall.read", "See the wall", "Watch the live figures of the whole brand.", needs: [.seeAllConversations]),
        .exportConversations: .init(
            "conversations.export", "Export",
            "Download lists of conversations, and everything about a conversation with its recordings.",
            needs: [.searchConversations, .readNotes]),
        .readAudit: .init(
            "audit.read", "Read the audit log", "See who did what; it names every conversation.",
            needs: [.seeAllConversations]),
        .changeSettings: .init(
            "settings.change", "Change settings",
            "Change skills, hours, rules, messages, surveys and voice. They decide which conversations people see.",
            needs: [.seeAllConversations]),
        .changeSeats: .init(
            "seats.change", "Change seats", "Give people skills and capacity.",
            needs: [.seeAllConversations, .changeSettings]),
    ]

    /// What the built-in profile of administrators has besides.
    private static let ofAdministrators: [Permission: Declaration] = [
        .changeBrand: .init(
            "brand.change", "Change the brand",
            "Change the brand’s name, colour and greeting, and the sites that may show the widget."
        ),
        .changeRetention: .init(
            "retention.change", "Retention and erasure",
            "Say how long conversations are kept, place legal holds, and have customers erased.",
            needs: [.seeAllConversations]),
        .changeIdentityProvider: .init(
            "identityProvider.change", "Change the identity provider",
            "Say whose signature signs customers in: a way to sign in as any of them.",
            custom: false),
        .changePeople: .init(
            "people.change", "Change people",
            "Invite, change and remove people, and their profiles, groups and second factors.",
            custom: false),
        .manageKeys: .init(
            "keys.manage", "API keys", "Create and revoke API keys, which read everything.", custom: false),
    ]
}

/// The built-in profiles: what a person may do whom the brand gave no other profile. A role decides nothing else; a
/// test refuses `role ==` outside this file.
extension Permission {
    /// The built-in profiles, the lowest first. Each has what the one before it has.
    public static let builtInProfiles: [Role] = [.agent, .manager, .administrator]

    private static let all = Set(allCases)
    private static let managers = Set(ofAgents.keys).union(ofManagers.keys)
    private static let agents = Set(ofAgents.keys)

    /// The permissions of a built-in profile. A consumer has none.
    public static func of(_ role: Role) -> Set<Permission> {
        switch role {
        case .consumer: []
        case .agent: agents
        case .manager: managers
        case .administrator: all
        }
    }

    /// The built-in profiles that have this permission.
    public var builtIn: [Role] { Self.builtInProfiles.filter { Self.of($0).contains(self) } }

    /// What a profile that a brand made really allows: nothing that only a built-in profile may have, and nothing
    /// whose needs it lacks. Every profile may read.
    public static func allowed(of wanted: Set<Permission>) -> Set<Permission> {
        var allowed = wanted.filter(\.declaration.isForCustomProfiles).union([.readConversations])
        while let lacking = allowed.first(where: { !allowed.isSuperset(of: $0.declaration.needs) }) {
            allowed.remove(lacking)
        }
        return allowed
    }
}

extension Role {
    /// Whether routing gives the person every skill where the brand gave them no seat. Managers and administrators take
    /// conversations from the queue only where the brand gave them one.
    public var isRoutedWithoutSeat: Bool { self == .agent }
}

extension Rejection {
    /// The refusal of a caller who does not have a permission: it says what is missing and who can give it.
    public static func lacking(_ permission: Permission) -> Rejection {
        let declared = permission.declaration
        let way =
            declared.isForCustomProfiles
            ? "An administrator of your brand can add it to your profile." : "Only administrators have it."
        return Rejection(.forbidden, "You need the permission “\(declared.name)” for this. \(way)")
    }
}
