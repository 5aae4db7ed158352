import Foundation

/// The contact-centre command of an `ask` frame. On the wire one member, whose name is the kind:
/// `{"ask":key,"c":C,"transfer":{…}}`, docs/protocol.md
/// section 2.
struct AskedCommand: Codable {
    let command: Command

    init(command: Command) {
        self.command = command
    }

    private struct Nothing: Codable {}

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Kind.self)
        let kinds = Kind.allCases.filter(fields.contains)
        guard kinds.count == 1 else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "must ask for exactly one known thing"))
        }
        command = try Self.command(kinds[0], fields)
    }

    private static func command(_ kind: Kind, _ fields: KeyedDecodingContainer<Kind>) throws -> Command {
        switch kind {
        case .decline: .decline
        case .transfer: .transfer(try fields.decode(Command.Transfer.self, forKey: .transfer))
        case .takeOver: .takeOver
        case .join: .join
        case .leave: .leave
        case .note: .note(try fields.decode(Command.Note.self, forKey: .note))
        case .callback: .callback(try fields.decode(Int.self, forKey: .callback))
        case .tags: .tags(try fields.decode([String].self, forKey: .tags))
        case .attribute: .attribute(try fields.decode(Event.Attribute.self, forKey: .attribute))
        case .dispose: .dispose(try fields.decode(String.self, forKey: .dispose))
        case .urgent: .urgent(try fields.decode(Bool.self, forKey: .urgent))
        case .closeQuietly: .closeQuietly
        case .reopen: .reopen
        case .settle: .settle
        case .noticed: .noticed
        case .rate: .rate(try fields.decode(Command.Rate.self, forKey: .rate))
        case .invite: .invite(try fields.decode(CallKind.self, forKey: .invite))
        case .answerCall: .answerCall(try fields.decode(Int.self, forKey: .answerCall))
        case .hangUp: .hangUp(try fields.decode(HangUp.self, forKey: .hangUp))
        case .requestCall: .requestCall(try fields.decode(CallKind.self, forKey: .requestCall))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Kind.self)
        switch command {
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
        case .reopen: try fields.encode(Nothing(), forKey: .reopen)
        case .settle: try fields.encode(Nothing(), forKey: .settle)
        case .noticed: try fields.encode(Nothing(), forKey: .noticed)
        case .rate(let value): try fields.encode(value, forKey: .rate)
        case .invite(let value): try fields.encode(value, forKey: .invite)
        case .answerCall(let value): try fields.encode(value, forKey: .answerCall)
        case .hangUp(let value): try fields.encode(value, forKey: .hangUp)
        case .requestCall(let value): try fields.encode(value, forKey: .requestCall)
        case .send, .take, .close: preconditionFailure("this command has a frame of its own")
        }
    }

    /// Bytes that are equal for equal commands.
    var canonicalBytes: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let bytes = try? encoder.encode(self) else { preconditionFailure("a command is plain values") }
        return Array(bytes)
    }
}
