import EarshotCore
import EarshotDomain
import EarshotModel

/// The protocol state of one socket: hello first, then frames that its role may send, within the allowed rate. Pure: it
/// returns what to do and does nothing itself.
struct SocketSession {
    enum Phase {
        /// No frame has arrived yet.
        case awaitingHello
        /// Credentials or the snapshot are being looked up.
        case signingIn
        case live(Caller)
        /// The client was told why it ends; frames that still arrive are ignored.
        case ended
    }

    /// What the connection does with a frame.
    enum Action {
        case signIn(ClientFrame.Hello)
        /// A frame that this caller may send; the conversation is resolved.
        case perform(ClientFrame, ConversationID?)
        case refuse(FrameRefusal)
        case end(CloseCode, Rejection?)
        case ignore
    }

    private var phase = Phase.awaitingHello
    /// Shared by all sockets: a second socket does not raise a person's rate.
    private let allowances: SocketAllowances
    /// The client's network address, as rate limits count it.
    private let address: String
    private var pings = LeakyBucket()
    private var refusals = LeakyBucket()

    init(_ allowances: SocketAllowances, from address: String) {
        self.allowances = allowances
        self.address = address
    }

    /// Judges a frame, or the reason why it cannot be read.
    mutating func receive(_ reading: Result<ClientFrame, FrameRefusal>, at now: Timestamp, _ limits: SocketLimits)
        -> Action
    {
        switch phase {
        case .awaitingHello: receiveHello(reading)
        case .signingIn: .refuse(Self.refusalBeforeReady(of: reading))
        case .live(let caller): receiveFrame(reading, caller, at: now, limits)
        case .ended: .ignore
        }
    }

    /// Judges a ping: no frame of this protocol, but it counts like one.
    mutating func receivePing(at now: Timestamp, _ limits: SocketLimits) -> Action {
        guard pings.take(limits.signals, at: now) != nil, let wait = refusals.take(limits.refusals, at: now) else {
            return .ignore
        }
        return .end(.tooManyFrames, .tooFast(wait))
    }

    /// The sign-in that was asked for is complete.
    mutating func signedIn(as caller: Caller) {
        if case .signingIn = phase { phase = .live(caller) }
    }

    mutating func end() { phase = .ended }

    /// The caller while the socket is signed in.
    var caller: Caller? {
        if case .live(let caller) = phase { caller } else { nil }
    }

    var isEnded: Bool {
        if case .ended = phase { true } else { false }
    }

    private mutating func receiveHello(_ reading: Result<ClientFrame, FrameRefusal>) -> Action {
        guard case .success(.hello(let hello)) = reading else { return .end(.badHello, .badHello) }
        phase = .signingIn
        return .signIn(hello)
    }

    private static func refusalBeforeReady(of reading: Result<ClientFrame, FrameRefusal>) -> FrameRefusal {
        switch reading {
        case .success(let frame): frame.refused(FrameRefusal.malformed)
        case .failure(let refusal): refusal
        }
    }

    private mutating func receiveFrame(
        _ reading: Result<ClientFrame, FrameRefusal>, _ caller: Caller, at now: Timestamp, _ limits: SocketLimits
    ) -> Action {
        switch reading {
        case .failure(let refusal): return refuse(refusal, at: now, limits)
        case .success(let frame):
            if let wait = allowances.wait(afterTaking: frame, of: caller, from: address, at: now) {
                return refuse(frame.refused(.tooFast(wait)), at: now, limits)
            }
            let action = permitted(frame, caller)
            if case .refuse(let refusal) = action { return refuse(refusal, at: now, limits) }
            return action
        }
    }

    /// Ends a socket that is refused too often: a refusal costs work too.
    private mutating func refuse(_ refusal: FrameRefusal, at now: Timestamp, _ limits: SocketLimits) -> Action {
        guard let wait = refusals.take(limits.refusals, at: now) else { return .refuse(refusal) }
        return .end(.tooManyFrames, .tooFast(wait))
    }

    private func permitted(_ frame: ClientFrame, _ caller: Caller) -> Action {
        switch (caller, frame) {
        case (_, .hello): .refuse(FrameRefusal(FrameRefusal.unknownKind))
        case (.consumer, .take), (.consumer, .watch), (.consumer, .unwatch), (.consumer, .presence), (.consumer, .team),
            (.consumer, .wall):
            .refuse(frame.refused(FrameRefusal.unknownKind))
        case (.agent, .renew): .refuse(frame.refused(FrameRefusal.unknownKind))
        case (.consumer, .ask(_, _, let ask)) where !ask.isConsumers: .refuse(frame.refused(FrameRefusal.unknownKind))
        case (.consumer(let consumer), _):
            frame.conversation.map { $0 == consumer.conversation } ?? true
                ? .perform(frame, consumer.conversation) : .refuse(frame.refused(.notFound))
        case (.agent(let agent), _) where frame.permission.map(agent.may) == false:
            .refuse(frame.refused(frame.permission.map(Rejection.lacking) ?? .notFound))
        case (.agent, .presence), (.agent, .team), (.agent, .wall): .perform(frame, nil)
        case (.agent, _):
            frame.conversation.map { .perform(frame, $0) } ?? .refuse(frame.refused(FrameRefusal.malformed))
        }
    }
}

extension Rejection {
    /// The credentials may be good: the client keeps them.
    static let badHello = Rejection(.badRequest, "The first frame must be a hello that can be read.")

    static func tooFast(_ waitMs: Int64) -> Rejection {
        Rejection(.rateLimited, "Too many requests. Please wait a moment.", retryAfter: Int((waitMs + 999) / 1000))
    }
}

extension ClientFrame {
    /// Whether it asks for a change that is stored.
    var isCommand: Bool {
        switch self {
        case .send, .take, .close, .ask: true
        default: false
        }
    }

    /// What one of the brand's people needs to send it; `nil`: nothing. `ClientFrameSchema` declares the same.
    var permission: Permission? {
        switch self {
        case .hello, .renew, .unwatch, .team, .checked: nil
        case .send, .take, .presence, .call, .signal, .check: .answerConversations
        case .close: .closeConversations
        case .ask(_, _, let command): command.permission
        case .wall: .seeWall
        case .watch, .page, .played, .typing, .got, .read: .readConversations
        }
    }

    /// The idempotency key of a command.
    var key: IdempotencyKey? {
        switch self {
        case .send(let send): send.key
        case .take(let key, _), .close(let key, _), .ask(let key, _, _): key
        default: nil
        }
    }

    /// The conversation that the frame names.
    var conversation: ConversationID? {
        switch self {
        case .hello, .renew: nil
        case .send(let send): send.conversation
        case .take(_, let conversation), .watch(let conversation, _), .unwatch(let conversation),
            .check(let conversation):
            conversation
        case .close(_, let conversation), .ask(_, let conversation, _): conversation
        case .presence, .team, .wall, .checked: nil
        case .played(let played): played.conversation
        case .call(let join): join.conversation
        case .signal(let signal): signal.conversation
        case .typing(_, let conversation), .got(_, let conversation), .read(_, let conversation),
            .page(let conversation, _, _):
            conversation
        }
    }

    /// The refusal of this frame, with its key and its conversation.
    func refused(_ rejection: Rejection) -> FrameRefusal {
        FrameRefusal(rejection, key: key, conversation: conversation)
    }
}
