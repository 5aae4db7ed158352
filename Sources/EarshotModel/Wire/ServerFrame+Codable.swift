extension ServerFrame: Codable {
    enum Field: String, CodingKey {
        case ready, events, watching, page, ok, no, typing, marks, played, settings, rows, problem, bye
        case expect, me, team, wall, centre
        case conversation = "c"
        case sequence = "n"
        case through, more, fresh, status, who, people, at, code, text, limit, after, off, position, agent
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        if fields.contains(.ready) {
            self = try Self.ready(from: fields)
        } else if fields.contains(.watching) {
            self = .watching(try Watching(from: fields))
        } else if fields.contains(.page) {
            self = .page(try Page(from: fields))
        } else if fields.contains(.ok) {
            self = .ok(try Acceptance(from: fields))
        } else if fields.contains(.no) {
            self = .no(try Refusal(from: fields))
        } else if fields.contains(.typing) {
            self = .typing(try Typing(from: fields))
        } else if fields.contains(.rows) {
            self = .rows(try Rows(from: decoder))
        } else if fields.contains(.problem) {
            self = .problem(try fields.decode(Problem.self, forKey: .problem))
        } else if fields.contains(.bye) {
            self = .bye(try fields.decode(Farewell.self, forKey: .bye))
        } else if fields.contains(.settings) {
            self = .settings(try fields.decode(SettingsView.self, forKey: .settings))
        } else if fields.contains(.expect) {
            self = .expect(try fields.decodeIfPresent(Expectation.self, forKey: .expect))
        } else if fields.contains(.me) {
            self = .me(try fields.decode(Colleague.self, forKey: .me))
        } else if fields.contains(.team) {
            self = .team(try fields.decode([Colleague].self, forKey: .team))
        } else if fields.contains(.wall) {
            self = .wall(try fields.decode(Wall.self, forKey: .wall))
        } else if fields.contains(.centre) {
            self = .centre(try fields.decode(Int.self, forKey: .centre))
        } else if fields.contains(.played) {
            self = .played(try MovedPlayback(from: fields))
        } else if fields.contains(.marks) {
            self = .marks(try MovedMarks(from: fields))
        } else {
            self = .events(try Delivery(from: fields))
        }
    }

    private static func ready(from fields: KeyedDecodingContainer<Field>) throws -> ServerFrame {
        let inner = try fields.nestedContainer(keyedBy: Field.self, forKey: .ready)
        return inner.contains(.agent)
            ? .inbox(try fields.decode(AgentReady.self, forKey: .ready))
            : .ready(try fields.decode(ConsumerReady.self, forKey: .ready))
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Field.self)
        switch self {
        case .ready(let frame): try fields.encode(frame, forKey: .ready)
        case .inbox(let frame): try fields.encode(frame, forKey: .ready)
        case .events(let frame): try frame.encode(to: &fields)
        case .watching(let frame): try frame.encode(to: &fields)
        case .page(let frame): try frame.encode(to: &fields)
        case .ok(let frame): try frame.encode(to: &fields)
        case .no(let frame): try frame.encode(to: &fields)
        case .typing(let frame): try frame.encode(to: &fields)
        case .marks(let frame): try frame.encode(to: &fields)
        case .played(let frame): try frame.encode(to: &fields)
        case .settings(let view): try fields.encode(view, forKey: .settings)
        case .rows(let frame):
            try fields.encode(frame.rows, forKey: .rows)
            try fields.encode(frame.position, forKey: .position)
        case .expect(let expectation): try fields.encode(expectation, forKey: .expect)
        case .me(let colleague): try fields.encode(colleague, forKey: .me)
        case .team(let people): try fields.encode(people, forKey: .team)
        case .wall(let wall): try fields.encode(wall, forKey: .wall)
        case .centre(let version): try fields.encode(version, forKey: .centre)
        case .problem(let frame): try fields.encode(frame, forKey: .problem)
        case .bye(let frame): try fields.encode(frame, forKey: .bye)
        }
    }
}

private typealias Decoding = KeyedDecodingContainer<ServerFrame.Field>
private typealias Encoding = KeyedEncodingContainer<ServerFrame.Field>

extension ServerFrame.Delivery {
    fileprivate init(from fields: Decoding) throws {
        events = try fields.decode([Event].self, forKey: .events)
        conversation = try fields.decodeIfPresent(ConversationID.self, forKey: .conversation)
        through = try fields.decodeIfPresent(Int.self, forKey: .through)
    }

    fileprivate func encode(to fields: inout Encoding) throws {
        try fields.encode(events, forKey: .events)
        try fields.encodeIfPresent(conversation, forKey: .conversation)
        try fields.encodeIfPresent(through, forKey: .through)
    }
}

extension ServerFrame.Watching {
    fileprivate init(from fields: Decoding) throws {
        conversation = try fields.decode(ConversationID.self, forKey: .watching)
        status = try fields.decode(ConversationStatus.self, forKey: .status)
        who = try fields.decode(ConsumerCard.self, forKey: .who)
        people = try fields.decode([Participant].self, forKey: .people)
        marks = try fields.decode([Mark].self, forKey: .marks)
        events = try fields.decode([Event].self, forKey: .events)
        through = try fields.decode(Int.self, forKey: .through)
        more = try fields.decode(Bool.self, forKey: .more)
        played = try fields.decodeIfPresent([PlaybackProgress].self, forKey: .played)
        fresh = try fields.decode(Bool.self, forKey: .fresh)
    }

    fileprivate func encode(to fields: inout Encoding) throws {
        try fields.encode(conversation, forKey: .watching)
        try fields.encode(status, forKey: .status)
        try fields.encode(who, forKey: .who)
        try fields.encode(people, forKey: .people)
        try fields.encode(marks, forKey: .marks)
        try fields.encode(events, forKey: .events)
        try fields.encode(through, forKey: .through)
        try fields.encode(more, forKey: .more)
        try fields.encodeIfPresent(played, forKey: .played)
        try fields.encode(fresh, forKey: .fresh)
    }
}

extension ServerFrame.Page {
    fileprivate init(from fields: Decoding) throws {
        conversation = try fields.decodeIfPresent(ConversationID.self, forKey: .page)
        events = try fields.decode([Event].self, forKey: .events)
        more = try fields.decode(Bool.self, forKey: .more)
        played = try fields.decodeIfPresent([PlaybackProgress].self, forKey: .played)
    }

    fileprivate func encode(to fields: inout Encoding) throws {
        try fields.encode(conversation, forKey: .page)
        try fields.encode(events, forKey: .events)
        try fields.encode(more, forKey: .more)
        try fields.encodeIfPresent(played, forKey: .played)
    }
}

extension ServerFrame.Acceptance {
    fileprivate init(from fields: Decoding) throws {
        key = try fields.decode(IdempotencyKey.self, forKey: .ok)
        sequence = try fields.decode(Int.self, forKey: .sequence)
        at = try fields.decode(Timestamp.self, forKey: .at)
        conversation = try fields.decodeIfPresent(ConversationID.self, forKey: .conversation)
    }

    fileprivate func encode(to fields: inout Encoding) throws {
        try fields.encode(key, forKey: .ok)
        try fields.encode(sequence, forKey: .sequence)
        try fields.encode(at, forKey: .at)
        try fields.encodeIfPresent(conversation, forKey: .conversation)
    }
}

extension ServerFrame.Refusal {
    fileprivate init(from fields: Decoding) throws {
        key = try fields.decode(IdempotencyKey.self, forKey: .no)
        code = try fields.decode(String.self, forKey: .code)
        text = try fields.decode(String.self, forKey: .text)
        conversation = try fields.decodeIfPresent(ConversationID.self, forKey: .conversation)
        limit = try fields.decodeIfPresent(Int.self, forKey: .limit)
        after = try fields.decodeIfPresent(Int.self, forKey: .after)
    }

    fileprivate func encode(to fields: inout Encoding) throws {
        try fields.encode(key, forKey: .no)
        try fields.encode(code, forKey: .code)
        try fields.encode(text, forKey: .text)
        try fields.encodeIfPresent(conversation, forKey: .conversation)
        try fields.encodeIfPresent(limit, forKey: .limit)
        try fields.encodeIfPresent(after, forKey: .after)
    }
}

extension ServerFrame.Typing {
    fileprivate init(from fields: Decoding) throws {
        by = try fields.decode(ParticipantNumber.self, forKey: .typing)
        conversation = try fields.decodeIfPresent(ConversationID.self, forKey: .conversation)
        isOff = try fields.decodeIfPresent(Bool.self, forKey: .off) ?? false
    }

    fileprivate func encode(to fields: inout Encoding) throws {
        try fields.encode(by, forKey: .typing)
        try fields.encodeIfPresent(conversation, forKey: .conversation)
        if isOff { try fields.encode(true, forKey: .off) }
    }
}

extension ServerFrame.MovedMarks {
    fileprivate init(from fields: Decoding) throws {
        marks = try fields.decode([Mark].self, forKey: .marks)
        conversation = try fields.decodeIfPresent(ConversationID.self, forKey: .conversation)
    }

    fileprivate func encode(to fields: inout Encoding) throws {
        try fields.encode(marks, forKey: .marks)
        try fields.encodeIfPresent(conversation, forKey: .conversation)
    }
}

extension ServerFrame.MovedPlayback {
    fileprivate init(from fields: Decoding) throws {
        played = try fields.decode([PlaybackProgress].self, forKey: .played)
        conversation = try fields.decodeIfPresent(ConversationID.self, forKey: .conversation)
    }

    fileprivate func encode(to fields: inout Encoding) throws {
        try fields.encode(played, forKey: .played)
        try fields.encodeIfPresent(conversation, forKey: .conversation)
    }
}
