public import EarshotModel
import Foundation

/// The JSON form of each section.
extension ContactCentreSettings {
    /// Combines the stored sections with the defaults for those that were never changed.
    init(stored: [Section: StoredSection]) throws {
        self.init()
        for (section, stored) in stored { self = try replacing(section, with: stored.body) }
        version = stored.values.map(\.version).max() ?? 1
    }

    /// Returns the settings with another value of one section.
    /// - Throws: `bad_request`, naming the field that is missing or has the wrong type.
    func replacing(_ section: Section, with body: [UInt8]) throws(Rejection) -> ContactCentreSettings {
        var centre = self
        switch section {
        case .skills: centre.skills = try Self.decode(body, section)
        case .people: centre.people = try Self.decode(body, section)
        case .hours: centre.hours = try Self.decode(body, section)
        case .rules: centre.rules = try Self.decode(body, section)
        case .capacity: centre.capacity = try Self.decode(body, section)
        case .silence: centre.silence = try Self.decode(body, section)
        case .automatic: centre.automatic = try Self.decode(body, section)
        case .canned: centre.canned = try Self.decode(body, section)
        case .wrapUp: centre.wrapUp = try Self.decode(body, section)
        case .survey: centre.survey = try Self.decode(body, section)
        }
        return centre
    }

    /// Encodes one section as JSON. The same value gives the same bytes.
    public func encoded(_ section: Section) -> [UInt8] {
        switch section {
        case .skills: Self.encode(skills)
        case .people: Self.encode(people)
        case .hours: Self.encode(hours)
        case .rules: Self.encode(rules)
        case .capacity: Self.encode(capacity)
        case .silence: Self.encode(silence)
        case .automatic: Self.encode(automatic)
        case .canned: Self.encode(canned)
        case .wrapUp: Self.encode(wrapUp)
        case .survey: Self.encode(survey)
        }
    }

    private static func encode(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let bytes = try? encoder.encode(value) else {
            preconditionFailure("contact-centre settings contain only values that JSON can express")
        }
        return Array(bytes)
    }

    private static func decode<T: Decodable>(_ body: [UInt8], _ section: Section) throws(Rejection) -> T {
        do { return try JSONDecoder().decode(T.self, from: Data(body)) } catch {
            let field = Self.place(of: error, in: section)
            throw Rejection(.badRequest, "\(field) is missing or has the wrong type.", at: field)
        }
    }

    /// The path of the invalid field, for example `skills[2].sla.usual`.
    private static func place(of error: any Error, in section: Section) -> String {
        let path: [any CodingKey] =
            switch error as? DecodingError {
            case .keyNotFound(let key, let context): context.codingPath + [key]
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
                context.codingPath
            default: []
            }
        return path.reduce(section.rawValue) { text, key in
            key.intValue.map { "\(text)[\($0)]" } ?? "\(text).\(key.stringValue)"
        }
    }
}

extension ContactCentreSettings {
    /// Checks that a client sent no unknown field.
    /// - Throws: `unknown_field`, naming the field.
    static func checkFields(of given: [UInt8], against known: [UInt8], _ section: String) throws(Rejection) {
        guard let given = try? JSONSerialization.jsonObject(with: Data(given)),
            let known = try? JSONSerialization.jsonObject(with: Data(known))
        else {
            throw Rejection(.badRequest, "\(section) is not JSON.", at: section)
        }
        if let unknown = firstUnknownField(in: given, known, section) {
            let field = String(unknown.prefix(100))
            throw Rejection(.unknownField, "There is no field named \(field). Check its spelling.", at: field)
        }
    }

    /// Finds the first field of `given` that is lost by decoding and encoding it again. Fields that are null are
    /// ignored.
    private static func firstUnknownField(in given: Any, _ known: Any, _ at: String) -> String? {
        if let given = given as? [String: Any], let known = known as? [String: Any] {
            for (name, value) in given.sorted(by: { $0.key < $1.key }) where !(value is NSNull) {
                guard let kept = known[name] else { return "\(at).\(name)" }
                if let found = firstUnknownField(in: value, kept, "\(at).\(name)") { return found }
            }
        }
        if let given = given as? [Any], let known = known as? [Any] {
            for (index, pair) in zip(given, known).enumerated() {
                if let found = firstUnknownField(in: pair.0, pair.1, "\(at)[\(index)]") { return found }
            }
        }
        return nil
    }
}
