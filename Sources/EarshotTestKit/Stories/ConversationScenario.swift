public import EarshotDomain
public import EarshotModel

/// What happened in one conversation so far, for tests that say given, when, then. Pure: decisions and their events,
/// one second apart.
public struct ConversationScenario: Sendable {
    /// The state after all events.
    public private(set) var state: ConversationState
    /// All events, oldest first.
    public private(set) var events: [Event] = []
    /// The time at which the next command is decided.
    public private(set) var now = Timestamp(milliseconds: 1_763_798_400_000)
    private let centre: ContactCentreSettings
    private let colleagues: [AgentID: String]

    /// - Parameter colleagues: the agents of the brand other than the actor.
    public init(
        _ identity: ConversationIdentity = .sample(), centre: ContactCentreSettings = ContactCentreSettings(),
        colleagues: [AgentID: String] = [:]
    ) {
        state = ConversationState(identity)
        self.centre = centre
        self.colleagues = colleagues
    }

    /// What a decision now goes by.
    public func context(audio: AudioContent? = nil, isFull: Bool = false) -> Context {
        Context(now: now, centre: centre, audio: audio, isFull: isFull, colleagues: colleagues)
    }

    /// Given: this many seconds passed.
    public func after(seconds: Int64) -> ConversationScenario {
        var next = self
        next.now = now.adding(milliseconds: seconds * 1000)
        return next
    }

    /// Given: Earshot did this automatically.
    public func given(_ action: RoutingAction, in context: RoutingActionContext = RoutingActionContext())
        -> ConversationScenario
    {
        var next = self
        do throws(Rejection) { next.happen(try state.decide(action, in: context)) } catch {
            preconditionFailure("a step of the scenario was refused: \(error)")
        }
        return next
    }

    /// Given: this was asked and accepted.
    public func given(_ command: Command, by actor: Actor) -> ConversationScenario {
        var next = self
        do throws(Rejection) {
            try next.perform(command, by: actor)
        } catch {
            preconditionFailure("a command of the scenario was refused: \(error)")
        }
        return next
    }

    /// When: asks it.
    /// - Returns: the events that it made.
    @discardableResult
    public mutating func perform(_ command: Command, by actor: Actor) throws(Rejection) -> [Event] {
        happen(try state.decide(command, by: actor, in: context()))
    }

    @discardableResult
    private mutating func happen(_ facts: [Fact]) -> [Event] {
        now = now.adding(milliseconds: 1000)
        let made = facts.enumerated().map { index, fact in
            Event(sequence: state.sequence + 1 + index, at: now, by: fact.by, kind: fact.kind)
        }
        for event in made { state.apply(event) }
        events += made
        return made
    }

    /// Then: it makes these kinds of events; or, thrown, why it is refused.
    public func kinds(of command: Command, by actor: Actor, in context: Context? = nil) throws(Rejection) -> [Event
        .Kind]
    {
        try state.decide(command, by: actor, in: context ?? self.context()).map(\.kind)
    }

    /// Then: the refusal; `nil` where it is accepted.
    public func refusal(of command: Command, by actor: Actor, in context: Context? = nil) -> Rejection? {
        do throws(Rejection) {
            _ = try state.decide(command, by: actor, in: context ?? self.context())
            return nil
        } catch {
            return error
        }
    }
}

extension Command {
    /// Sends a text message.
    public static func say(_ text: String) -> Command { .send(.text(text)) }
    /// Sends a voice message.
    public static func play(_ audio: AudioContent) -> Command { .send(.audio(audio)) }
}

extension Actor {
    /// An agent of the sample brand.
    public static let dana = Actor.agent(id: AgentID(trusted: "agent-dana"), name: "Dana", role: .agent)
    /// Another agent of the sample brand.
    public static let eli = Actor.agent(id: AgentID(trusted: "agent-eli"), name: "Eli", role: .agent)
    /// A manager of the sample brand.
    public static let mona = Actor.agent(id: AgentID(trusted: "manager-mona"), name: "Mona", role: .manager)
}

extension ConversationIdentity {
    /// A conversation of the sample brand; another number is another conversation of another consumer.
    public static func sample(_ number: Int = 1, account: String = "brand") -> ConversationIdentity {
        ConversationIdentity(
            id: ConversationID(trusted: "\(account)-conversation-\(number)"), account: AccountID(trusted: account),
            app: AppID(trusted: "shop"),
            consumer: ConsumerID(trusted: "\(account)-consumer-\(number)"), channel: .web)
    }
}

extension AudioContent {
    /// A voice message of so many milliseconds.
    public static func sample(_ name: String = "media-1", ms: Int = 12_345) -> AudioContent {
        AudioContent(
            media: MediaID(trusted: name), durationMs: ms,
            waveform: (0..<waveformSpans).map { $0 * 100 / (waveformSpans - 1) }, sizeBytes: 54_321)
    }
}
