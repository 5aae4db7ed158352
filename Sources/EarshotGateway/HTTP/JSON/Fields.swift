import EarshotModel

/// One field that a route's body may have. Routes declare their fields, so that any other field is refused before the
/// handler runs, and so that the tests can try each field with each wrong type.
struct Field: Hashable, Sendable {
    indirect enum Kind: Hashable, Sendable {
        /// A text of at most so many UTF-8 bytes.
        case text(bytes: Int)
        /// `[A-Za-z0-9_-]`, 1 to 64.
        case identifier
        /// A SHA-256 in 64 hexadecimal digits.
        case sha256
        case integer(ClosedRange<Int>)
        case boolean
        /// An object of booleans with names of its own.
        case switches
        /// An object of texts with names of its own, all together at most so many UTF-8 bytes.
        case texts(bytes: Int)
        /// A list of texts, all together at most so many UTF-8 bytes.
        case textList(bytes: Int)
        /// Anything but null; the handler checks it.
        case anything
        /// An object with these fields and no other.
        case object([Field])
    }

    let name: String
    let kind: Kind
    let isRequired: Bool

    static func required(_ name: String, _ kind: Kind) -> Field { Field(name: name, kind: kind, isRequired: true) }
    static func optional(_ name: String, _ kind: Kind) -> Field { Field(name: name, kind: kind, isRequired: false) }
}

/// The body of a request, checked against what its route declared.
struct Fields: Sendable {
    private let values: [String: JSONValue]

    static let none = Fields(values: [:])

    private init(values: [String: JSONValue]) {
        self.values = values
    }

    /// - Throws: `bad_request` or `unknown_field`.
    init(_ bytes: [UInt8], declared: [Field]) throws(Rejection) {
        guard case .object(let values) = try StrictJSON.parse(bytes) else {
            throw Rejection(.badRequest, "The body must be a JSON object.")
        }
        try Self.check(values, declared)
        self.values = values
    }

    /// - Parameter path: what the fields are in, as the beginning of their paths: empty for the body.
    fileprivate static func check(_ values: [String: JSONValue], _ declared: [Field], in path: String = "")
        throws(Rejection)
    {
        if let unknown = values.keys.sorted().first(where: { name in !declared.contains { $0.name == name } }) {
            let name = String(unknown.prefix(40))
            throw Rejection(.unknownField, "This route has no field \"\(name)\".", at: path + name)
        }
        for field in declared { try field.check(values[field.name], at: path + field.name) }
    }

    /// A declared, required text. Reading an undeclared field is a programming error.
    func text(_ name: String) -> String {
        guard let text = optionalText(name) else { preconditionFailure("the route does not declare \(name)") }
        return text
    }

    func optionalText(_ name: String) -> String? {
        guard case .string(let text) = values[name] else { return nil }
        return text
    }

    func identifier<Tag>(_ name: String, _: Identifier<Tag>.Type = Identifier<Tag>.self) -> Identifier<Tag> {
        guard let identifier = Identifier<Tag>(text(name)) else {
            preconditionFailure("the route declares \(name) as an identifier")
        }
        return identifier
    }

    func optionalInteger(_ name: String) -> Int? {
        guard case .integer(let integer) = values[name] else { return nil }
        return integer
    }

    func optionalFlag(_ name: String) -> Bool? {
        guard case .bool(let flag) = values[name] else { return nil }
        return flag
    }

    func optionalSwitches(_ name: String) -> [String: Bool]? {
        guard case .object(let members) = values[name] else { return nil }
        return members.compactMapValues { if case .bool(let flag) = $0 { flag } else { nil } }
    }

    func optionalTexts(_ name: String) -> [String: String]? {
        guard case .object(let members) = values[name] else { return nil }
        return members.compactMapValues { if case .string(let text) = $0 { text } else { nil } }
    }

    func optionalTextList(_ name: String) -> [String]? {
        guard case .array(let items) = values[name] else { return nil }
        return items.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }

    /// A declared, required value as JSON again.
    func anything(_ name: String) -> [UInt8] {
        guard let value = values[name] else { preconditionFailure("the route does not declare \(name)") }
        return value.encoded
    }

    /// A declared, optional value as JSON again.
    func optionalAnything(_ name: String) -> [UInt8]? { values[name]?.encoded }

    /// The fields of a declared, optional object.
    func optionalObject(_ name: String) -> Fields? {
        guard case .object(let members)? = values[name] else { return nil }
        return Fields(values: members)
    }

    /// The fields of a declared, required object.
    func object(_ name: String) -> Fields {
        guard case .object(let members) = values[name] else {
            preconditionFailure("the route does not declare \(name)")
        }
        return Fields(values: members)
    }

    func integer(_ name: String) -> Int {
        guard case .integer(let integer) = values[name] else {
            preconditionFailure("the route does not declare \(name)")
        }
        return integer
    }
}

extension Field {
    fileprivate func check(_ value: JSONValue?, at path: String) throws(Rejection) {
        switch (kind, value) {
        case (_, nil) where !isRequired, (_, .some(.null)) where !isRequired: return
        case (_, nil): throw Rejection(.badRequest, "The field \"\(name)\" is missing.", at: path)
        case (.text(let limit), .some(.string(let text))):
            guard text.utf8.count <= limit else {
                throw Rejection(.badRequest, "The field \"\(name)\" is too long.", at: path, limit: limit)
            }
        case (.identifier, .some(.string(let text))):
            guard IdentifierRules.isWellFormed(text) else {
                throw Rejection(.badRequest, "The field \"\(name)\" is not an id.", at: path)
            }
        case (.sha256, .some(.string(let text))):
            guard ContentDigest.sha256(hexadecimal: text) != nil else {
                throw Rejection(.badRequest, "The field \"\(name)\" must be 64 hexadecimal digits.", at: path)
            }
        case (.integer(let range), .some(.integer(let value))):
            guard range.contains(value) else {
                throw Rejection(
                    .badRequest, "The field \"\(name)\" is out of range.", at: path, limit: range.upperBound)
            }
        case (.boolean, .some(.bool)): return
        case (.switches, .some(.object(let members))):
            guard members.values.allSatisfy({ if case .bool = $0 { true } else { false } }) else {
                throw Rejection(.badRequest, "The field \"\(name)\" must have true or false for each name.", at: path)
            }
        case (.texts(let limit), .some(.object(let members))):
            let texts = members.compactMap { name, value in
                if case .string(let text) = value { name.utf8.count + text.utf8.count } else { nil }
            }
            guard texts.count == members.count else {
                throw Rejection(.badRequest, "The field \"\(name)\" must have a text for each name.", at: path)
            }
            guard texts.reduce(0, +) <= limit else {
                throw Rejection(.badRequest, "The field \"\(name)\" is too long.", at: path, limit: limit)
            }
        case (.textList(let limit), .some(.array(let items))):
            let lengths = items.compactMap { if case .string(let text) = $0 { text.utf8.count } else { nil } }
            guard lengths.count == items.count else {
                throw Rejection(.badRequest, "The field \"\(name)\" must be a list of texts.", at: path)
            }
            guard lengths.reduce(0, +) <= limit else {
                throw Rejection(.badRequest, "The field \"\(name)\" is too long.", at: path, limit: limit)
            }
        case (.anything, .some(let value)) where value != .null: return
        case (.object(let declared), .some(.object(let members))): try Fields.check(members, declared, in: path + ".")
        case (_, .some(let value)):
            throw Rejection(.badRequest, "The field \"\(name)\" may not be \(value.kindName).", at: path)
        }
    }
}
