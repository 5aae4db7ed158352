import Foundation

/// One object with one member, whose name is the kind. Inside an event it stands beside `n`, `at` and `by`.
extension Work: Codable {
    enum Kind: String, CodingKey, CaseIterable {
        case queued, offered, declined, note, noticed, callback, tagged, attribute, disposed, urgent, automatic, left,
            surveyed, rated
    }

    private struct Nothing: Codable {}

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Kind.self)
        guard let work = try Self.decode(fields) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "not a kind of work that is known"))
        }
        self = work
    }

    static func decode(_ fields: KeyedDecodingContainer<Kind>) throws -> Work? {
        guard let kind = Kind.allCases.first(where: fields.contains) else { return nil }
        switch kind {
        case .queued: return .queued(try fields.decode(Queued.self, forKey: kind))
        case .offered: return .offered(try fields.decode(Offered.self, forKey: kind))
        case .declined: return .declined(try fields.decode(Declined.self, forKey: kind))
        case .note: return .note(try fields.decode(Note.self, forKey: kind))
        case .noticed: return .noticed(try fields.decode(Noticed.self, forKey: kind))
        case .callback: return .callback(try fields.decode(Callback.self, forKey: kind))
        case .tagged: return .tagged(try fields.decode(Tagged.self, forKey: kind))
        case .attribute: return .attribute(try fields.decode(Attribute.self, forKey: kind))
        case .disposed: return .disposed(try fields.decode(Disposed.self, forKey: kind))
        case .urgent: return .urgent(try fields.decode(Urgent.self, forKey: kind))
        case .automatic: return .automatic(try fields.decode(Automatic.self, forKey: kind))
        case .left: return .left
        case .surveyed: return .surveyed(try fields.decode(Surveyed.self, forKey: kind))
        case .rated: return .rated(try fields.decode(Rated.self, forKey: kind))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Kind.self)
        switch self {
        case .queued(let value): try fields.encode(value, forKey: .queued)
        case .offered(let value): try fields.encode(value, forKey: .offered)
        case .declined(let value): try fields.encode(value, forKey: .declined)
        case .note(let value): try fields.encode(value, forKey: .note)
        case .noticed(let value): try fields.encode(value, forKey: .noticed)
        case .callback(let value): try fields.encode(value, forKey: .callback)
        case .tagged(let value): try fields.encode(value, forKey: .tagged)
        case .attribute(let value): try fields.encode(value, forKey: .attribute)
        case .disposed(let value): try fields.encode(value, forKey: .disposed)
        case .urgent(let value): try fields.encode(value, forKey: .urgent)
        case .automatic(let value): try fields.encode(value, forKey: .automatic)
        case .left: try fields.encode(Nothing(), forKey: .left)
        case .surveyed(let value): try fields.encode(value, forKey: .surveyed)
        case .rated(let value): try fields.encode(value, forKey: .rated)
        }
    }

    /// `"kind":{…}`, the member alone.
    var wireMember: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let object = try? encoder.encode(self) else { preconditionFailure("work is plain values") }
        return Array(object.dropFirst().dropLast())
    }
}
