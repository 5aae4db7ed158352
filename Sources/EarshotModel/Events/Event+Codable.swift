import Foundation

/// The wire form is `{"n":…,"at":…,"by":…,KIND:…}`. The kind is the one member whose name is a kind, wherever it is in
/// the object.
extension Event: Codable {
    /// Decodes the wire form. A kind that this version does not know becomes `.unknown`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        sequence = try container.decode(Int.self, forKey: .sequence)
        at = try container.decode(Timestamp.self, forKey: .at)
        by = try container.decode(ParticipantNumber.self, forKey: .by)
        kind = try Kind(from: try decoder.container(keyedBy: Kind.Name.self))
    }

    /// Encodes the wire form.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(sequence, forKey: .sequence)
        try container.encode(at, forKey: .at)
        try container.encode(by, forKey: .by)
        try kind.encode(to: encoder)
    }
}

extension Event.Kind {
    private struct Nothing: Codable {}

    fileprivate init(from fields: KeyedDecodingContainer<Name>) throws {
        guard let name = Name.allCases.first(where: fields.contains) else {
            self = .unknown
            return
        }
        self = try Self.conversation(name, fields) ?? Self.contactCentre(name, fields)
    }

    private static func conversation(_ name: Name, _ fields: KeyedDecodingContainer<Name>) throws -> Self? {
        switch name {
        case .text: .text(try fields.decode(String.self, forKey: name))
        case .audio: .audio(try fields.decode(AudioContent.self, forKey: name))
        case .scanned: .scanned(try fields.decode(Event.Scanned.self, forKey: name))
        case .started: .started(try fields.decode(Event.Started.self, forKey: name))
        case .joined: .joined(try fields.decode(Event.Joined.self, forKey: name))
        case .assigned: .assigned(try fields.decode(Event.Assigned.self, forKey: name))
        case .closed: .closed(try fields.decode(Event.Closed.self, forKey: name))
        case .resumed: .resumed
        default: nil
        }
    }

    private static func contactCentre(_ name: Name, _ fields: KeyedDecodingContainer<Name>) throws -> Self {
        switch name {
        case .queued: .queued(try fields.decode(Event.Queued.self, forKey: name))
        case .offered: .offered(try fields.decode(Event.Offered.self, forKey: name))
        case .declined: .declined(try fields.decode(Event.Declined.self, forKey: name))
        case .note: .note(try fields.decode(Event.Note.self, forKey: name))
        case .noticed: .noticed(try fields.decode(Event.Noticed.self, forKey: name))
        case .callback: .callback(try fields.decode(Event.Callback.self, forKey: name))
        case .tagged: .tagged(try fields.decode(Event.Tagged.self, forKey: name))
        case .attribute: .attribute(try fields.decode(Event.Attribute.self, forKey: name))
        case .disposed: .disposed(try fields.decode(Event.Disposed.self, forKey: name))
        case .urgent: .urgent(try fields.decode(Event.Urgent.self, forKey: name))
        case .automatic: .automatic(try fields.decode(Event.Automatic.self, forKey: name))
        case .left: .left
        case .reopened: .reopened(try fields.decode(Event.Reopened.self, forKey: name))
        case .settled: .settled
        case .surveyed: .surveyed(try fields.decode(Event.Surveyed.self, forKey: name))
        case .rated: .rated(try fields.decode(Event.Rated.self, forKey: name))
        case .callInvited: .callInvited(try fields.decode(CallInvitation.self, forKey: name))
        case .callAnswered: .callAnswered(try fields.decode(CallAnswer.self, forKey: name))
        case .callEnded: .callEnded(try fields.decode(CallEnding.self, forKey: name))
        case .callRequested: .callRequested(try fields.decode(CallRequest.self, forKey: name))
        default: .unknown
        }
    }

    fileprivate func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Name.self)
        switch self {
        case .started(let value): try fields.encode(value, forKey: .started)
        case .text(let value): try fields.encode(value, forKey: .text)
        case .audio(let value): try fields.encode(value, forKey: .audio)
        case .scanned(let value): try fields.encode(value, forKey: .scanned)
        case .joined(let value): try fields.encode(value, forKey: .joined)
        case .assigned(let value): try fields.encode(value, forKey: .assigned)
        case .closed(let value): try fields.encode(value, forKey: .closed)
        case .resumed: try fields.encode(Nothing(), forKey: .resumed)
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
        case .reopened(let value): try fields.encode(value, forKey: .reopened)
        case .settled: try fields.encode(Nothing(), forKey: .settled)
        case .surveyed(let value): try fields.encode(value, forKey: .surveyed)
        case .rated(let value): try fields.encode(value, forKey: .rated)
        case .callInvited(let value): try fields.encode(value, forKey: .callInvited)
        case .callAnswered(let value): try fields.encode(value, forKey: .callAnswered)
        case .callEnded(let value): try fields.encode(value, forKey: .callEnded)
        case .callRequested(let value): try fields.encode(value, forKey: .callRequested)
        case .unknown: break
        }
    }

    /// The member `"kind":{…}` alone, written by the general encoder.
    var wireMember: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let object = try? encoder.encode(Member(kind: self)) else {
            preconditionFailure("an event kind is plain values")
        }
        return Array(object.dropFirst().dropLast())
    }

    private struct Member: Encodable {
        let kind: Event.Kind

        func encode(to encoder: any Encoder) throws { try kind.encode(to: encoder) }
    }
}
