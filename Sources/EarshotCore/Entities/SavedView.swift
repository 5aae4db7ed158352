/// A filter of the inbox that an agent saved under a name.
public struct SavedView: Hashable, Codable, Sendable {
    /// The view's id, which the client chooses. Unique among the views of one agent.
    public var id: String
    /// The view's name.
    public var name: String
    /// Whether colleagues see the view too.
    public var shared: Bool
    /// The filter. The client defines its fields; the server only stores them.
    public var filter: [String: FilterValue]

    /// Creates a view.
    public init(id: String, name: String, shared: Bool, filter: [String: FilterValue]) {
        self.id = id
        self.name = name
        self.shared = shared
        self.filter = filter
    }
}

/// The value of one field of a filter. Its JSON form is the plain value.
public enum FilterValue: Hashable, Codable, Sendable {
    /// `true` or `false`.
    case flag(Bool)
    /// A whole number.
    case number(Int)
    /// A text.
    case text(String)
    /// A list of texts.
    case list([String])

    /// Decodes the plain JSON value.
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

    /// Encodes the plain JSON value.
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
