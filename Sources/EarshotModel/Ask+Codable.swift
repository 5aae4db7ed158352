import Foundation

/// One object with one member, whose name is the kind.
extension Ask: Codable {
    enum Kind: String, CodingKey, CaseIterable {
        case decline, transfer, takeOver, join, leave, note, callback, tags, attribute, dispose, urgent, closeQuietly,
            noticed, rate
    }

    private struct Nothing: Codable {}

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Kind.self)
        let kinds = Kind.allCases.filter(fields.contains)
        guard kinds.count == 1 else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "asks for one thing that is known"))
        }
        switch kinds[0] {
        case .decline: self = .decline
        case .transfer: self = .transfer(try fields.decode(Transfer.self, forKey: .transfer))
        case .takeOver: self = .takeOver
        case .join: self = .join
        case .leave: self = .leave
        case .note: self = .note(try fields.decode(Note.self, forKey: .note))
        case .callback: self = .callback(try fields.decode(Int.self, forKey: .callback))
        case .tags: self = .tags(try fields.decode([String].self, forKey: .tags))
        case .attribute: self = .attribute(try fields.decode(Work.Attribute.self, forKey: .attribute))
        case .dispose: self = .dispose(try fields.decode(String.self, forKey: .dispose))
        case .urgent: self = .urgent(try fields.decode(Bool.self, forKey: .urgent))
        case .closeQuietly: self = .closeQuietly
        case .noticed: self = .noticed
        case .rate: self = .rate(try fields.decode(Rate.self, forKey: .rate))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Kind.self)
        switch self {
        case .decline: try fields.encode(Nothing(), forKey: .decline)
        case .transfer(let value): try fields.encode(value, forKey: .transfer)
        case .takeOver: try fields.encode(Nothing(), forKey: .takeOver)
        case .join: try fields.encode(Nothing(), forKey: .join)
        case .leave: try fields.encode(Nothing(), forKey: .leave)
        case .note(let value): try fields.encode(value, forKey: .note)
        case .callback(let value): try fields.encode(value, forKey: .callback)
        case .tags(let value): try fields.encode(value, forKey: .tags)
        case .attribute(let value): try fields.encode(value, forKey: .attribute)
        case .dispose(let value): try fields.encode(value, forKey: .dispose)
        case .urgent(let value): try fields.encode(value, forKey: .urgent)
        case .closeQuietly: try fields.encode(Nothing(), forKey: .closeQuietly)
        case .noticed: try fields.encode(Nothing(), forKey: .noticed)
        case .rate(let value): try fields.encode(value, forKey: .rate)
        }
    }

    /// The same ask has the same bytes.
    var canonicalBytes: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let bytes = try? encoder.encode(self) else { preconditionFailure("an ask is plain values") }
        return Array(bytes)
    }
}
