public import EarshotModel

/// A section of the contact-centre settings as it is stored.
public struct StoredSection: Hashable, Sendable {
    /// The version of the settings that last changed the section.
    public let version: Int
    /// The section's value as JSON.
    public let body: [UInt8]

    /// Creates a stored section.
    public init(version: Int, body: [UInt8]) {
        self.version = version
        self.body = body
    }
}

/// One change of one section of the contact-centre settings.
public struct ContactCentreChange: Sendable {
    /// A section's old and new values, both as JSON.
    public struct Values: Sendable {
        /// The value that is in force if the section was never changed.
        public let initial: [UInt8]
        /// The new value.
        public let new: [UInt8]

        /// Creates a pair of values.
        public init(initial: [UInt8], new: [UInt8]) {
            self.initial = initial
            self.new = new
        }
    }

    /// Who makes a change, and on which grounds.
    public struct Author: Sendable {
        /// An agent's id, or `AuditEntry.operator_`.
        public let id: String
        /// The version of the settings that the author saw.
        public let seen: Int
        /// The version that the change undoes, if it is an undo.
        public let undoes: Int?

        /// Creates an author.
        public init(id: String, seen: Int, undoes: Int? = nil) {
            self.id = id
            self.seen = seen
            self.undoes = undoes
        }
    }

    /// The brand.
    public let account: AccountID
    /// The section to change.
    public let section: ContactCentreSettings.Section
    /// The section's values.
    public let values: Values
    /// When the change is made.
    public let at: Timestamp
    /// Who makes the change.
    public let author: Author

    /// Creates a change.
    public init(
        account: AccountID, section: ContactCentreSettings.Section, values: Values, at: Timestamp, author: Author
    ) {
        self.account = account
        self.section = section
        self.values = values
        self.at = at
        self.author = author
    }
}

/// One entry of the history of the contact-centre settings.
public struct ContactCentreRevision: Hashable, Sendable {
    /// The version of the settings after the change.
    public let version: Int
    /// When the change was made.
    public let at: Timestamp
    /// An agent's id, or `AuditEntry.operator_`.
    public let by: String
    /// The section that was changed.
    public let section: ContactCentreSettings.Section
    /// The version that this change undid, if it was an undo.
    public let undoes: Int?
    /// The section's value before the change, as JSON.
    public let before: [UInt8]
    /// The section's value after the change, as JSON.
    public let after: [UInt8]

    /// Creates a revision.
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
