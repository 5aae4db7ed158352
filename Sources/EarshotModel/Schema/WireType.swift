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
    /// One of these texts. A reader treats an unknown text as the last of them.
    case choice([String])
    /// An object without members.
    case empty
    /// This value or `null`.
    case nullable(WireType)
    /// A list of values of one type.
    case list(WireType)
    /// A list of exactly these values. The names are those that readers give them; they are not on the wire.
    case tuple([WireField])
    /// A type of `WireSchema.types`, by its name.
    case named(String)
    /// An object with these members.
    case object([WireField])
    /// A number for each name: an object with members of any name.
    case map(WireType)
}

extension WireType {
    /// A person's role. A reader treats an unknown one as an agent's.
    static let role = choice(["consumer", "administrator", "manager", "agent"])
    /// What is said in a call.
    static let callKind = choice(CallKind.allCases.map(\.rawValue))
}

/// A member of an object on the wire.
public struct WireField: Hashable, Sendable {
    /// The member's name.
    public let name: String
    /// The type of its value.
    public let type: WireType
    /// Whether it can be omitted.
    public let isOptional: Bool
    /// The name of the Swift property that has the value.
    public let property: String
    /// The unit of a number that people see in another unit than on the wire.
    public let unit: Unit?

    /// The unit of a number.
    public enum Unit: String, Hashable, Sendable {
        /// Shown as minutes, hours or days where that is shorter.
        case seconds
        /// Hundredths.
        case percent
        /// Thousandths, shown as a decimal fraction.
        case thousandths
    }

    /// Creates a member. It is required unless `optional` is true, and its Swift property has the same name unless
    /// `property` gives another.
    public init(
        _ name: String, _ type: WireType, optional: Bool = false, as property: String? = nil, in unit: Unit? = nil
    ) {
        self.name = name
        self.type = type
        isOptional = optional
        self.property = property ?? name
        self.unit = unit
    }
}

extension WireField {
    /// The conversation that a frame is about. A consumer has one conversation and omits it.
    static let conversation = WireField("c", .id, optional: true, as: "conversation")
}

/// One frame of the socket.
public struct WireFrame: Hashable, Sendable {
    /// The member that names its kind.
    public let kind: String
    /// The name in the schema. It is unique among the frames of one direction.
    public let title: String
    /// Who sends it to the server, or who gets it from the server.
    public let audience: Audience
    /// All members, the kind first.
    public let fields: [WireField]
    /// What one of the brand's people needs to send it; `nil`: nothing, or it comes from the server.
    public let permission: Permission?
    /// The meaning of the frame, in one or a few sentences.
    public let about: String

    /// Who sends or gets a frame.
    public enum Audience: String, Hashable, Sendable {
        /// Only a consumer's client.
        case consumer
        /// A client of one of the brand's people.
        case agent
        /// The clients of consumers and of the brand's people.
        case both
    }

    init(
        _ title: String, _ audience: Audience, needs permission: Permission? = nil, _ fields: [WireField],
        _ about: String
    ) {
        self.kind = fields[0].name
        self.permission = permission
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
    /// The numbers of the participants that can be its author, in the notation of the table in docs/protocol.md.
    public let by: String
    /// Whether only the brand's people get it.
    public let isPrivate: Bool
    /// The meaning of the event.
    public let about: String

    init(_ name: String, _ type: WireType, by: String, isPrivate: Bool = false, _ about: String) {
        self.name = name
        self.type = type
        self.by = by
        self.isPrivate = isPrivate
        self.about = about
    }
}

/// One limit, as the documentation and the clients know it.
public struct WireLimit: Hashable, Sendable {
    /// The name in `Limits` and in Web/protocol/limits.ts.
    public let name: String
    /// The smallest value; `nil` if there is only a largest one.
    public let least: Int?
    /// The largest value.
    public let most: Int
    /// The unit, as a plural noun.
    public let unit: String
    /// What is limited, and what happens beyond it.
    public let about: String

    init(_ name: String, _ most: Int, _ unit: String, _ about: String) {
        (self.name, least, self.most, self.unit, self.about) = (name, nil, most, unit, about)
    }

    init(_ name: String, _ range: ClosedRange<Int>, _ unit: String, _ about: String) {
        (self.name, least, most, self.unit, self.about) = (name, range.lowerBound, range.upperBound, unit, about)
    }
}
