public import EarshotModel

/// Decodes what the server sent, for tests that read it: the server itself never reads its own frames.
extension ServerFrame: Decodable {
    private enum Field: String, CodingKey {
        case ready, events, watching, page, ok, no, typing, marks, played, settings, rows, problem, bye
        case expect, me, team, wall, centre, agent
        case conversation = "c"
        case sequence = "n"
        case through, more, fresh, status, who, people, at, code, text, limit, after, off
    }

    private typealias Fields = KeyedDecodingContainer<Field>

    /// Takes the kind by the order of `WireSchema.serverKinds`, never by the order of members.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        guard let kind = WireSchema.serverKinds.lazy.compactMap(Field.init).first(where: fields.contains) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "a frame of no known kind"))
        }
        switch kind {
        case .ready: self = try Self.ready(fields)
        case .watching: self = .watching(try Self.watching(fields))
        case .page: self = .page(try Self.page(fields))
        case .ok, .no: self = try Self.answer(kind, fields)
        case .rows: self = .rows(try Rows(from: decoder))
        case .events, .typing, .marks, .played: self = try Self.news(kind, fields)
        default: self = try Self.standing(kind, fields)
        }
    }

    private static func ready(_ fields: Fields) throws -> ServerFrame {
        let inner = try fields.nestedContainer(keyedBy: Field.self, forKey: .ready)
        return inner.contains(.agent)
            ? .inbox(try fields.decode(AgentReady.self, forKey: .ready))
            : .ready(try fields.decode(ConsumerReady.self, forKey: .ready))
    }

    private static func watching(_ fields: Fields) throws -> Watching {
        Watching(
            conversation: try fields.decode(ConversationID.self, forKey: .watching),
            status: try fields.decode(ConversationStatus.self, forKey: .status),
            who: try fields.decode(ConsumerCard.self, forKey: .who),
            people: try fields.decode([Participant].self, forKey: .people),
            marks: try fields.decode([Mark].self, forKey: .marks),
            events: try fields.decode([Event].self, forKey: .events),
            through: try fields.decode(Int.self, forKey: .through), more: try fields.decode(Bool.self, forKey: .more),
            played: try fields.decodeIfPresent([PlaybackProgress].self, forKey: .played) ?? [],
            fresh: try fields.decode(Bool.self, forKey: .fresh))
    }

    private static func page(_ fields: Fields) throws -> Page {
        Page(
            conversation: try fields.decodeIfPresent(ConversationID.self, forKey: .page),
            events: try fields.decode([Event].self, forKey: .events), more: try fields.decode(Bool.self, forKey: .more),
            played: try fields.decodeIfPresent([PlaybackProgress].self, forKey: .played) ?? [])
    }

    private static func answer(_ kind: Field, _ fields: Fields) throws -> ServerFrame {
        let conversation = try fields.decodeIfPresent(ConversationID.self, forKey: .conversation)
        let key = try fields.decode(IdempotencyKey.self, forKey: kind)
        guard kind == .no else {
            return .ok(
                Acceptance(
                    key: key, sequence: try fields.decode(Int.self, forKey: .sequence),
                    at: try fields.decode(Timestamp.self, forKey: .at), conversation: conversation))
        }
        return .no(
            Refusal(
                key: key, code: try fields.decode(String.self, forKey: .code),
                text: try fields.decode(String.self, forKey: .text), conversation: conversation,
                limit: try fields.decodeIfPresent(Int.self, forKey: .limit),
                after: try fields.decodeIfPresent(Int.self, forKey: .after)))
    }

    private static func news(_ kind: Field, _ fields: Fields) throws -> ServerFrame {
        let conversation = try fields.decodeIfPresent(ConversationID.self, forKey: .conversation)
        switch kind {
        case .typing:
            return .typing(
                Typing(
                    by: try fields.decode(ParticipantNumber.self, forKey: .typing), conversation: conversation,
                    isOff: try fields.decodeIfPresent(Bool.self, forKey: .off) ?? false))
        case .marks:
            return .marks(
                MovedMarks(marks: try fields.decode([Mark].self, forKey: .marks), conversation: conversation))
        case .played:
            return .played(
                MovedPlayback(
                    played: try fields.decode([PlaybackProgress].self, forKey: .played), conversation: conversation))
        default:
            return .events(
                Delivery(
                    events: try fields.decode([Event].self, forKey: .events), conversation: conversation,
                    through: try fields.decodeIfPresent(Int.self, forKey: .through)))
        }
    }

    private static func standing(_ kind: Field, _ fields: Fields) throws -> ServerFrame {
        switch kind {
        case .settings: .settings(try fields.decode(SettingsView.self, forKey: kind))
        case .expect: .expect(try fields.decodeIfPresent(Expectation.self, forKey: kind))
        case .me: .me(try fields.decode(Colleague.self, forKey: kind))
        case .team: .team(try fields.decode([Colleague].self, forKey: kind))
        case .wall: .wall(try fields.decode(Wall.self, forKey: kind))
        case .centre: .centre(try fields.decode(Int.self, forKey: kind))
        case .problem: .problem(try fields.decode(Problem.self, forKey: kind))
        default: .bye(try fields.decode(Farewell.self, forKey: .bye))
        }
    }
}
