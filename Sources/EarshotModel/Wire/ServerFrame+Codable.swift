extension ServerFrame: Codable {
    /// Decodes a frame. Its kind is the first of `WireSchema.serverKinds` that it has a member for.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Kind.self)
        guard let kind = Kind.allCases.first(where: fields.contains) else {
            throw FrameRefusal(FrameRefusal.unknownKind)
        }
        switch kind {
        case .ready:
            let inbox = try? fields.decode(AgentReady.self, forKey: kind)
            self = try inbox.map { .inbox($0) } ?? .ready(fields.decode(ConsumerReady.self, forKey: kind))
        case .events: self = .events(try Delivery(from: decoder))
        case .watching: self = .watching(try Watching(from: decoder))
        case .page: self = .page(try Page(from: decoder))
        case .ok: self = .ok(try Acceptance(from: decoder))
        case .no: self = .no(try Refusal(from: decoder))
        case .typing: self = .typing(try Typing(from: decoder))
        case .marks: self = .marks(try MovedMarks(from: decoder))
        case .played: self = .played(try MovedPlayback(from: decoder))
        case .rows: self = .rows(try Rows(from: decoder))
        case .settings: self = .settings(try fields.decode(SettingsView.self, forKey: kind))
        case .expect: self = .expect(try fields.decodeIfPresent(Expectation.self, forKey: kind))
        case .me: self = .me(try fields.decode(Colleague.self, forKey: kind))
        case .team: self = .team(try fields.decode([Colleague].self, forKey: kind))
        case .wall: self = .wall(try fields.decode(Wall.self, forKey: kind))
        case .centre: self = .centre(try fields.decode(Int.self, forKey: kind))
        case .problem: self = .problem(try fields.decode(Problem.self, forKey: kind))
        case .bye: self = .bye(try fields.decode(Farewell.self, forKey: kind))
        case .signal: self = .signal(try fields.decode(CallSignalled.self, forKey: kind))
        case .call: self = .call(try fields.decode(CallStatus.self, forKey: kind))
        case .check: self = .check(try fields.decode(CallCheck.self, forKey: kind))
        case .checked: self = .checked(try fields.decode(CallChecked.self, forKey: kind))
        }
    }

    /// Encodes the frame as the general encoder writes it. `bytes` is what the server sends.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Kind.self)
        switch self {
        case .ready(let frame): try fields.encode(frame, forKey: .ready)
        case .inbox(let frame): try fields.encode(frame, forKey: .ready)
        case .events(let frame): try frame.encode(to: encoder)
        case .watching(let frame): try frame.encode(to: encoder)
        case .page(let frame): try frame.encode(to: encoder)
        case .ok(let frame): try frame.encode(to: encoder)
        case .no(let frame): try frame.encode(to: encoder)
        case .typing(let frame): try frame.encode(to: encoder)
        case .marks(let frame): try frame.encode(to: encoder)
        case .played(let frame): try frame.encode(to: encoder)
        case .settings(let view): try fields.encode(view, forKey: .settings)
        case .rows(let frame): try frame.encode(to: encoder)
        case .expect(let expectation): try fields.encode(expectation, forKey: .expect)
        case .me(let colleague): try fields.encode(colleague, forKey: .me)
        case .team(let people): try fields.encode(people, forKey: .team)
        case .wall(let wall): try fields.encode(wall, forKey: .wall)
        case .centre(let version): try fields.encode(version, forKey: .centre)
        case .problem(let frame): try fields.encode(frame, forKey: .problem)
        case .bye(let frame): try fields.encode(frame, forKey: .bye)
        case .signal(let frame): try fields.encode(frame, forKey: .signal)
        case .call(let frame): try fields.encode(frame, forKey: .call)
        case .check(let frame): try fields.encode(frame, forKey: .check)
        case .checked(let frame): try fields.encode(frame, forKey: .checked)
        }
    }
}

extension ServerFrame.Page {
    /// A consumer's page says `null` instead of the conversation.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(conversation, forKey: .conversation)
        try fields.encode(events, forKey: .events)
        try fields.encode(more, forKey: .more)
        try fields.encodeIfPresent(played, forKey: .played)
    }
}
