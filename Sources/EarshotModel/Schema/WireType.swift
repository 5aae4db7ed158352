/// The type of a value on the wire.
public indirect enum WireType: Hashable, Sendable {
    /// Any text.
    case string
    /// A whole number within a range.
    case integer(ClosedRange<Int>?)
    /// `true` or `false`.
    case boolean
    /// Milliseconds since 1970.
    case time
    /// A conversation's or a recording's id: 22 characters of base64url.
    case id
    /// An id that the brand or the server chose: an agent, a skill, an app.
    case name
    /// An idempotency key, 1 to 64 of `[A-Za-z0-9_-]`.
    case key
    /// One of these texts. A reader treats one that it does not know as the last of them.
    case choice([String])
    /// An object without members.
    case empty
    /// This value or `null`.
    case nullable(WireType)
    /// A list of values of one type.
    case list(WireType)
    /// A list of exactly these values.
    case tuple([WireType])
    /// A type of `WireSchema.types`, by its name.
    case named(String)
    /// An object with these members.
    case object([WireField])
    /// A number for each name: an object with members of any name.
    case map(WireType)
}

/// A member of an object on the wire.
public struct WireField: Hashable, Sendable {
    /// The member's name.
    public let name: String
    /// The type of its value.
    public let type: WireType
    /// Whether it can be omitted.
    public let isOptional: Bool

    /// A member that is always there, unless `optional`.
    public init(_ name: String, _ type: WireType, optional: Bool = false) {
        self.name = name
        self.type = type
        isOptional = optional
    }
}

/// One frame of the socket.
public struct WireFrame: Hashable, Sendable {
    /// The member that names its kind.
    public let kind: String
    /// A name for the schema, unique among all frames of this direction.
    public let title: String
    /// Who sends it to the server, or who gets it from the server.
    public let audience: Audience
    /// All members, the kind first.
    public let fields: [WireField]
    /// What it means, in one or a few sentences.
    public let about: String

    /// Who sends or gets a frame.
    public enum Audience: String, Hashable, Sendable {
        case consumer, agent, manager, both
    }

    init(_ title: String, _ audience: Audience, _ fields: [WireField], _ about: String) {
        self.kind = fields[0].name
        self.title = title
        self.audience = audience
        self.fields = fields
        self.about = about
    }
}

/// One kind of event.
public struct WireEventKind: Hashable, Sendable {
    /// The member that names the kind.
    public let name: String
    /// The type of its value.
    public let type: WireType
    /// Which participants can be its author, as the table writes it.
    public let by: String
    /// Whether no consumer ever gets it.
    public let isPrivate: Bool
    /// What it means.
    public let about: String

    init(_ name: String, _ type: WireType, by: String, isPrivate: Bool = false, _ about: String) {
        self.name = name
        self.type = type
        self.by = by
        self.isPrivate = isPrivate
        self.about = about
    }
}
