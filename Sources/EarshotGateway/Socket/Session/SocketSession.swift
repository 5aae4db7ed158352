import EarshotCore
import EarshotDomain
import EarshotModel

/// What one socket may do next: hello first, then frames that suit its role, at a bearable rate. Says what to do and does nothing.
struct SocketSession {
    enum Phase {
        /// Nothing was said yet.
        case greeting
        /// Credentials or the snapshot are being looked up.
        case signingIn
        case live(Caller)
        /// It was told why; what it says now is ignored.
        case ended
    }

    enum Step {
        case signIn(ClientFrame.Hello)
        /// A frame that this caller may send; the conversation is resolved.
        case perform(ClientFrame, ConversationID?)
        case refuse(FrameRefusal)
        case end(CloseCode, Rejection?)
        case ignore
    }

    private(set) var phase = Phase.greeting
    /// Shared by all sockets: who opens a second one may not say more.
    private let commands: Throttle
    private var signals = LeakyBucket()
    private var refusals = LeakyBucket()

    init(commands: Throttle) { self.commands = commands }

    mutating func receive(_ reading: Result<ClientFrame, FrameRefusal>, at now: Timestamp, _ limits: SocketLimits)
        -> Step
    {
        switch phase {
        case .greeting: greeted(reading)
        case .signingIn: .refuse(FrameRefusal(FrameRefusal.malformed))
        case .live(let caller): live(reading, caller, at: now, limits)
        case .ended: .ignore
        }
    }

    /// A ping: not a frame of ours, but it costs like one.
    mutating func signal(at now: Timestamp, _ limits: SocketLimits) -> Step {
        guard signals.take(limits.signals, at: now) != nil, let wait = refusals.take(limits.refusals, at: now) else {
            return .ignore
        }
        return .end(.tooManyFrames, .tooFast(wait))
    }

    mutating func signedIn(as caller: Caller) {
        if case .signingIn = phase { phase = .live(caller) }
    }

    mutating func end() { phase = .ended }

    /// Whose socket this is, once it was signed in.
    var caller: Caller? {
        if case .live(let caller) = phase { caller } else { nil }
    }

    var isEnded: Bool {
        if case .ended = phase { true } else { false }
    }

    private mutating func greeted(_ reading: Result<ClientFrame, FrameRefusal>) -> Step {
        guard case .success(.hello(let hello)) = reading else { return .end(.notSignedIn, .notSignedIn) }
        phase = .signingIn
        return .signIn(hello)
    }

    private mutating func live(
        _ reading: Result<ClientFrame, FrameRefusal>, _ caller: Caller, at now: Timestamp, _ limits: SocketLimits
    ) -> Step {
        switch reading {
        case .failure(let refusal): return refuse(refusal, at: now, limits)
        case .success(let frame):
            let wait =
                frame.isCommand
                ? commands.wait(afterTaking: caller.author, at: now) : signals.take(limits.signals, at: now)
            if let wait { return refuse(frame.refused(.tooFast(wait)), at: now, limits) }
            let step = allowed(frame, caller)
            if case .refuse(let refusal) = step { return refuse(refusal, at: now, limits) }
            return step
        }
    }

    /// One that is refused too often is closed: refusing costs too.
    private mutating func refuse(_ refusal: FrameRefusal, at now: Timestamp, _ limits: SocketLimits) -> Step {
        guard let wait = refusals.take(limits.refusals, at: now) else { return .refuse(refusal) }
        return .end(.tooManyFrames, .tooFast(wait))
    }

    private func allowed(_ frame: ClientFrame, _ caller: Caller) -> Step {
        switch (caller, frame) {
        case (_, .hello): .refuse(FrameRefusal(FrameRefusal.unknownKind))
        case (.consumer, .take), (.consumer, .watch), (.consumer, .unwatch), (.consumer, .presence), (.consumer, .team),
            (.consumer, .wall):
            .refuse(frame.refused(FrameRefusal.unknownKind))
        case (.consumer, .ask(_, _, let ask)) where !ask.isConsumers: .refuse(frame.refused(FrameRefusal.unknownKind))
        case (.consumer(let consumer), _):
            frame.conversation.map { $0 == consumer.conversation } ?? true
                ? .perform(frame, consumer.conversation) : .refuse(frame.refused(.notFound))
        case (.agent(let agent), .wall) where agent.role != .manager: .refuse(frame.refused(FrameRefusal.unknownKind))
        case (.agent, .presence), (.agent, .team), (.agent, .wall): .perform(frame, nil)
        case (.agent, _):
            frame.conversation.map { .perform(frame, $0) } ?? .refuse(frame.refused(FrameRefusal.malformed))
        }
    }
}

extension Rejection {
    static func tooFast(_ waitMs: Int64) -> Rejection {
        Rejection(.rateLimited, "Too much at once. Wait a moment.", retryAfter: Int((waitMs + 999) / 1000))
    }

    static let otherwise = Rejection(
        .unavailable, "Something about you was changed. Come back in a moment.", retryAfter: 1)
    static let noHello = Rejection(.timeout, "Nothing was said in time.")
    static let silent = Rejection(.timeout, "Nothing was played any more.")
    static let tooSlow = Rejection(.timeout, "You read too slowly. Come back; nothing is lost.", retryAfter: 1)
    static let goingAway = Rejection(.unavailable, "Earshot is restarting. Come back in a moment.", retryAfter: 1)
}

extension ClientFrame {
    /// Whether it asks for a change that is stored.
    var isCommand: Bool {
        switch self {
        case .send, .take, .close, .ask: true
        default: false
        }
    }

    var key: IdempotencyKey? {
        switch self {
        case .send(let send): send.key
        case .take(let key, _), .close(let key, _), .ask(let key, _, _): key
        default: nil
        }
    }

    var conversation: ConversationID? {
        switch self {
        case .hello: nil
        case .send(let send): send.conversation
        case .take(_, let conversation), .watch(let conversation, _), .unwatch(let conversation): conversation
        case .close(_, let conversation), .ask(_, let conversation, _): conversation
        case .presence, .team, .wall: nil
        case .played(let played): played.conversation
        case .typing(_, let conversation), .got(_, let conversation), .read(_, let conversation),
            .page(let conversation, _, _):
            conversation
        }
    }

    func refused(_ rejection: Rejection) -> FrameRefusal {
        FrameRefusal(rejection, key: key, conversation: conversation)
    }
}
