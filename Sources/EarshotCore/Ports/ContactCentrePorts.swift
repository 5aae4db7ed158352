public import EarshotModel

/// What a contact centre is run by, as plain rows: its settings with their history, saved views; and what is looked for across conversations.
public protocol ContactCentreStore: Sendable {
    /// The sections of an account's centre that anybody ever changed.
    func centre(of account: AccountID) async throws(AdapterFailure) -> [ContactCentreSettings.Section: StoredSection]
    /// Changes one section: its row, a revision and the audit entry in one transaction.
    /// - Returns: the centre's version from here on; `nil` where the section was changed since `seen`, and nothing was written.
    func change(_ change: ContactCentreChange) async throws(AdapterFailure) -> Int?
    /// The newest revisions below the version `before`, newest first, at most `limit`.
    func revisions(of account: AccountID, before: Int?, limit: Int) async throws(AdapterFailure)
        -> [ContactCentreRevision]
    func revision(_ version: Int, of account: AccountID) async throws(AdapterFailure) -> ContactCentreRevision?

    /// Everybody's saved views.
    func views(of account: AccountID) async throws(AdapterFailure) -> [AgentID: [SavedView]]
    func save(_ views: [SavedView], of agent: AgentID, in account: AccountID) async throws(AdapterFailure)

    /// Conversations that fit, newest change first.
    func search(_ search: Search, in account: AccountID) async throws(AdapterFailure) -> [Found]
    /// Makes at most so many more events findable. `search` does so by itself before it looks.
    /// - Returns: how many it were; 0: all are.
    func index(atMost limit: Int) async throws(AdapterFailure) -> Int
}

/// A section of the centre as it is stored: the JSON of its value.
public struct StoredSection: Hashable, Sendable {
    public let version: Int
    public let body: [UInt8]

    public init(version: Int, body: [UInt8]) {
        self.version = version
        self.body = body
    }
}

/// One change of one section.
public struct ContactCentreChange: Sendable {
    public let account: AccountID
    public let section: ContactCentreSettings.Section
    /// The version of the centre that the author saw.
    public let seen: Int
    /// What is in force where the section was never changed, and what shall be: JSON.
    public let initial: [UInt8]
    public let value: [UInt8]
    public let at: Timestamp
    public let by: String
    public let undoes: Int?

    public init(
        account: AccountID, section: ContactCentreSettings.Section, seen: Int, initial: [UInt8], value: [UInt8],
        at: Timestamp, by: String, undoes: Int? = nil
    ) {
        self.account = account
        self.section = section
        self.seen = seen
        self.initial = initial
        self.value = value
        self.at = at
        self.by = by
        self.undoes = undoes
    }
}

/// One line of the centre's history.
public struct ContactCentreRevision: Hashable, Sendable {
    public let version: Int
    public let at: Timestamp
    public let by: String
    public let section: ContactCentreSettings.Section
    public let undoes: Int?
    /// The section's value, as JSON.
    public let before: [UInt8]
    public let after: [UInt8]

    public init(
        version: Int, at: Timestamp, by: String, section: ContactCentreSettings.Section, undoes: Int?, before: [UInt8],
        after: [UInt8]
    ) {
        self.version = version
        self.at = at
        self.by = by
        self.section = section
        self.undoes = undoes
        self.before = before
        self.after = after
    }
}

/// A filter that somebody keeps.
public struct SavedView: Hashable, Codable, Sendable {
    public var id: String
    public var name: String
    public var shared: Bool
    /// The client's: kept, and not understood here.
    public var filter: [String: FilterValue]

    public init(id: String, name: String, shared: Bool, filter: [String: FilterValue]) {
        self.id = id
        self.name = name
        self.shared = shared
        self.filter = filter
    }
}

/// A value of a filter, as JSON.
public enum FilterValue: Hashable, Codable, Sendable {
    case flag(Bool)
    case number(Int)
    case text(String)
    case list([String])

    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let flag = try? value.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? value.decode(Int.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else {
            self = .list(try value.decode([String].self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .flag(let flag): try value.encode(flag)
        case .number(let number): try value.encode(number)
        case .text(let text): try value.encode(text)
        case .list(let list): try value.encode(list)
        }
    }
}
