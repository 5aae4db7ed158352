extension ClientFrame: Codable {
    /// Decodes a frame. Its kind is the first of `WireSchema.clientKinds` that it has a member for: `read` is last,
    /// because it may also be a member of `send`.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        guard let kind = Field.kinds.first(where: fields.contains) else { throw FrameRefusal(FrameRefusal.unknownKind) }
        if kind == .ask {
            self = try Self.ask(fields, decoder)
            return
        }
        self = try Self.decode(kind, from: fields)
    }

    private static func decode(_ kind: Field, from fields: KeyedDecodingContainer<Field>) throws -> ClientFrame {
        let conversation = try fields.decodeIfPresent(ConversationID.self, forKey: .conversation)
        switch kind {
        case .hello: return .hello(try Hello(from: fields.superDecoder(forKey: .hello)))
        case .renew: return .renew(token: try fields.decode(String.self, forKey: .renew))
        case .send: return .send(try Send(from: fields, conversation))
        case .take:
            let key = try fields.key(.take)
            guard let conversation else { throw FrameRefusal(FrameRefusal.malformed, key: key) }
            return .take(key, conversation)
        case .close: return .close(try fields.key(.close), conversation)
        case .state:
            return .presence(
                try fields.decode(Presence.State.self, forKey: .state),
                reason: try fields.decodeIfPresent(String.self, forKey: .reason))
        case .team: return .team(try fields.decode(Bool.self, forKey: .team))
        case .wall: return .wall(try fields.decode(Bool.self, forKey: .wall))
        case .typing: return .typing(try fields.decode(Bool.self, forKey: .typing), conversation)
        case .got: return .got(try fields.decode(Int.self, forKey: .got), conversation)
        case .read: return .read(try fields.decode(Int.self, forKey: .read), conversation)
        case .played: return .played(try Played(from: fields, conversation))
        case .watch:
            return .watch(
                try fields.decode(ConversationID.self, forKey: .watch),
                after: try fields.decodeIfPresent(Int.self, forKey: .after))
        case .unwatch: return .unwatch(try fields.decode(ConversationID.self, forKey: .unwatch))
        case .page:
            return .page(
                try fields.decodeIfPresent(ConversationID.self, forKey: .page),
                before: try fields.decode(Int.self, forKey: .before),
                limit: try fields.decodeIfPresent(Int.self, forKey: .limit))
        case .call:
            return .call(
                JoinCall(
                    call: try fields.decode(Int.self, forKey: .call), in: conversation,
                    device: try fields.decode(DeviceID.self, forKey: .device),
                    isFresh: try fields.decodeIfPresent(Bool.self, forKey: .fresh) ?? false))
        case .signal:
            return .signal(
                SignalCall(
                    call: try fields.decode(Int.self, forKey: .call), in: conversation,
                    try fields.decode(CallSignal.self, forKey: .signal)))
        case .check: return .check(try fields.decode(ConversationID.self, forKey: .check))
        case .checked: return .checked(try fields.decode(CallReadiness.self, forKey: .checked))
        default: throw FrameRefusal(FrameRefusal.unknownKind)
        }
    }

    /// Reads a contact-centre command, which is a member next to the key. A malformed command is refused with its key,
    /// so that the client that sent it gets an answer.
    private static func ask(_ fields: KeyedDecodingContainer<Field>, _ decoder: any Decoder) throws -> ClientFrame {
        let (key, conversation) = (
            try fields.key(.ask), try fields.decodeIfPresent(ConversationID.self, forKey: .conversation)
        )
        guard let asked = try? AskedCommand(from: decoder) else {
            throw FrameRefusal(FrameRefusal.malformed, key: key, conversation: conversation)
        }
        return .ask(key, conversation, asked.command)
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Field.self)
        switch self {
        case .hello(let hello): try hello.encode(to: fields.superEncoder(forKey: .hello))
        case .renew(let token): try fields.encode(token, forKey: .renew)
        case .send(let send): try send.encode(to: &fields)
        case .take(let key, let conversation): try fields.put(key, .take, conversation)
        case .close(let key, let conversation): try fields.put(key, .close, conversation)
        case .ask(let key, let conversation, let command):
            try fields.put(key, .ask, conversation)
            try AskedCommand(command: command).encode(to: encoder)
        case .presence(let state, let reason):
            try fields.encode(state, forKey: .state)
            try fields.encodeIfPresent(reason, forKey: .reason)
        case .team(let isOn): try fields.encode(isOn, forKey: .team)
        case .wall(let isOn): try fields.encode(isOn, forKey: .wall)
        case .typing(let isTyping, let conversation): try fields.put(isTyping, .typing, conversation)
        case .got(let sequence, let conversation): try fields.put(sequence, .got, conversation)
        case .read(let sequence, let conversation): try fields.put(sequence, .read, conversation)
        case .played(let played):
            try fields.put(played.sequence, .played, played.conversation)
            try fields.encode(played.spans, forKey: .spans)
        case .watch(let conversation, let after):
            try fields.encode(conversation, forKey: .watch)
            try fields.encodeIfPresent(after, forKey: .after)
        case .unwatch(let conversation): try fields.encode(conversation, forKey: .unwatch)
        case .page(let conversation, let before, let limit):
            try fields.encode(conversation, forKey: .page)
            try fields.encode(before, forKey: .before)
            try fields.encodeIfPresent(limit, forKey: .limit)
        case .call(let join):
            try fields.put(join.call, .call, join.conversation)
            try fields.encode(join.device, forKey: .device)
            if join.isFresh { try fields.encode(true, forKey: .fresh) }
        case .signal(let signalled):
            try fields.put(signalled.signal, .signal, signalled.conversation)
            try fields.encode(signalled.call, forKey: .call)
        case .check(let conversation): try fields.encode(conversation, forKey: .check)
        case .checked(let readiness): try fields.encode(readiness, forKey: .checked)
        }
    }
}

extension KeyedDecodingContainer<ClientFrame.Field> {
    fileprivate func key(_ field: Key) throws -> IdempotencyKey {
        guard let key = IdempotencyKey(try decode(String.self, forKey: field)) else {
            throw FrameRefusal(FrameRefusal.badKey)
        }
        return key
    }
}

extension KeyedEncodingContainer<ClientFrame.Field> {
    fileprivate mutating func put(_ value: some Encodable, _ field: Key, _ conversation: ConversationID?) throws {
        try encode(value, forKey: field)
        try encodeIfPresent(conversation, forKey: .conversation)
    }
}

extension ClientFrame.Played {
    fileprivate init(from fields: KeyedDecodingContainer<ClientFrame.Field>, _ conversation: ConversationID?) throws {
        let (sequence, spans) = (
            try fields.decode(Int.self, forKey: .played), try fields.decode([PlayedSpan].self, forKey: .spans)
        )
        guard let played = Self(sequence, in: conversation, spans: spans) else {
            throw FrameRefusal(FrameRefusal.malformed, conversation: conversation)
        }
        self = played
    }
}

extension ClientFrame.Send {
    fileprivate init(from fields: KeyedDecodingContainer<ClientFrame.Field>, _ conversation: ConversationID?) throws {
        key = try fields.key(.send)
        self.conversation = conversation
        read = try fields.decodeIfPresent(Int.self, forKey: .read)
        switch (
            try fields.decodeIfPresent(String.self, forKey: .text),
            try fields.decodeIfPresent(MediaID.self, forKey: .audio)
        ) {
        case (let text?, nil): body = .text(text)
        case (nil, let media?): body = .audio(media)
        default: throw FrameRefusal(FrameRefusal.malformed, key: key, conversation: conversation)
        }
    }

    fileprivate func encode(to fields: inout KeyedEncodingContainer<ClientFrame.Field>) throws {
        try fields.put(key, .send, conversation)
        switch body {
        case .text(let text): try fields.encode(text, forKey: .text)
        case .audio(let media): try fields.encode(media, forKey: .audio)
        }
        try fields.encodeIfPresent(read, forKey: .read)
    }
}

extension ClientFrame.Hello: Codable {
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: ClientFrame.Field.self)
        let epoch = try fields.decodeIfPresent(String.self, forKey: .epoch)
        let settings = try fields.decodeIfPresent(Int.self, forKey: .settings)
        if let token = try fields.decodeIfPresent(String.self, forKey: .token) {
            self = .consumer(
                token: token, after: try fields.decodeIfPresent(Int.self, forKey: .after), epoch: epoch,
                settings: settings)
        } else {
            self = .agent(
                ticket: try fields.decode(String.self, forKey: .ticket),
                position: try fields.decodeIfPresent(Int64.self, forKey: .position), epoch: epoch, settings: settings)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: ClientFrame.Field.self)
        switch self {
        case .consumer(let token, let after, let epoch, let settings):
            try fields.encode(token, forKey: .token)
            try fields.encodeIfPresent(after, forKey: .after)
            try fields.encodeIfPresent(epoch, forKey: .epoch)
            try fields.encodeIfPresent(settings, forKey: .settings)
        case .agent(let ticket, let position, let epoch, let settings):
            try fields.encode(ticket, forKey: .ticket)
            try fields.encodeIfPresent(position, forKey: .position)
            try fields.encodeIfPresent(epoch, forKey: .epoch)
            try fields.encodeIfPresent(settings, forKey: .settings)
        }
    }
}
