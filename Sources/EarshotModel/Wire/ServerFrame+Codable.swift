extension ServerFrame: Encodable {
    enum Field: String, CodingKey {
        case ready, events, watching, page, ok, no, typing, marks, played, settings, rows, problem, bye
        case expect, me, team, wall, centre
        case conversation = "c"
        case sequence = "n"
        case through, more, fresh, status, who, people, at, code, text, limit, after, off, position, agent
    }

    /// Encodes the frame as the general encoder writes it; `bytes` is what goes out.
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

private typealias Encoding = KeyedEncodingContainer<ServerFrame.Field>

extension ServerFrame.Delivery {
    fileprivate func encode(to fields: inout Encoding) throws {
        try fields.encode(events, forKey: .events)
        try fields.encodeIfPresent(conversation, forKey: .conversation)
        try fields.encodeIfPresent(through, forKey: .through)
    }
}

extension ServerFrame.Watching {
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
    fileprivate func encode(to fields: inout Encoding) throws {
        try fields.encode(conversation, forKey: .page)
        try fields.encode(events, forKey: .events)
        try fields.encode(more, forKey: .more)
        try fields.encodeIfPresent(played, forKey: .played)
    }
}

extension ServerFrame.Acceptance {
    fileprivate func encode(to fields: inout Encoding) throws {
        try fields.encode(key, forKey: .ok)
        try fields.encode(sequence, forKey: .sequence)
        try fields.encode(at, forKey: .at)
        try fields.encodeIfPresent(conversation, forKey: .conversation)
    }
}

extension ServerFrame.Refusal {
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
    fileprivate func encode(to fields: inout Encoding) throws {
        try fields.encode(by, forKey: .typing)
        try fields.encodeIfPresent(conversation, forKey: .conversation)
        if isOff { try fields.encode(true, forKey: .off) }
    }
}

extension ServerFrame.MovedMarks {
    fileprivate func encode(to fields: inout Encoding) throws {
        try fields.encode(marks, forKey: .marks)
        try fields.encodeIfPresent(conversation, forKey: .conversation)
    }
}

extension ServerFrame.MovedPlayback {
    fileprivate func encode(to fields: inout Encoding) throws {
        try fields.encode(played, forKey: .played)
        try fields.encodeIfPresent(conversation, forKey: .conversation)
    }
}
