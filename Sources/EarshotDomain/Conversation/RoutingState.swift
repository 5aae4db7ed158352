public import EarshotModel

/// When things last happened that routing and timers depend on. Stored as numbers, because they change with every
/// message.
public struct Timestamps: Hashable, Codable, Sendable {
    /// The first message.
    public var started: Timestamp?
    /// When it was last resumed after being closed.
    public var resumed: Timestamp?
    /// When it was last closed, also after it was resumed.
    public var closed: Timestamp?
    /// When it last began to wait for an agent.
    public var queued: Timestamp?
    /// When its agent got it.
    public var assigned: Timestamp?
    /// The brand's last message.
    public var answered: Timestamp?
    /// How old the message was that it answered, in milliseconds.
    public var answeredAgeMs: Int64 = 0
    /// When urgency was last changed.
    public var urgent: Timestamp?
    /// When the skill last changed.
    public var skillChanged: Timestamp?
    /// When a manager last joined.
    public var managerJoined: Timestamp?
    /// When a manager last left.
    public var managerLeft: Timestamp?
    /// When the last survey was sent.
    public var surveyed: Timestamp?

    /// Makes the value before the first event.
    public init() {}

    /// All values as milliseconds, -1 for none, in the order of the properties.
    public var numbers: [Int64] {
        [started, resumed, closed, queued, assigned, answered].map { $0?.milliseconds ?? -1 } + [answeredAgeMs]
            + [urgent, skillChanged, managerJoined, managerLeft, surveyed].map { $0?.milliseconds ?? -1 }
    }

    /// Reads what `numbers` returned. `nil` for any other count of numbers.
    public init?(numbers: [Int64]) {
        guard numbers.isEmpty || numbers.count == 12 else { return nil }
        guard !numbers.isEmpty else { return }
        func time(_ index: Int) -> Timestamp? { numbers[index] < 0 ? nil : Timestamp(milliseconds: numbers[index]) }
        (started, resumed, closed, queued, assigned, answered) = (time(0), time(1), time(2), time(3), time(4), time(5))
        answeredAgeMs = numbers[6]
        (urgent, skillChanged, managerJoined, managerLeft, surveyed) = (time(7), time(8), time(9), time(10), time(11))
    }
}

/// What routing and the brand's people recorded about a conversation. It changes rarely compared with the messages, and
/// is stored as JSON.
public struct RoutingState: Hashable, Codable, Sendable {
    /// The skill whose queue it is in; `nil`: not routed yet.
    public var skill: SkillID?
    /// Marked as urgent.
    public var isUrgent = false
    /// The brand has written something since it was started or resumed.
    public var isAnswered = false
    /// An agent wrote into the closed conversation: then the consumer gets no greeting.
    public var wasResumedByBrand = false
    /// Why it was last queued.
    public var queuedWhy: Event.Queued.Why?
    /// The skill before the last change.
    public var skillBefore: SkillID?
    /// The only agent who may get it, and until when.
    public var reserved: Reservation?
    /// The open offer.
    public var offer: Event.Offered?
    /// Who declined it, let an offer expire, or gave it back since it was last assigned.
    public var refused: [AgentID] = []
    /// The agent who answered it last.
    public var previous: AgentID?
    /// When the agent promised to be back.
    public var callback: Callback?
    /// How often it was transferred.
    public var transfers = 0
    /// Its tags.
    public var tags: [String] = []
    /// Its attributes by name.
    public var attributes: [String: String] = [:]
    /// The id of its disposition.
    public var disposition: String?
    /// When each automatic message was last sent.
    public var said: [String: Timestamp] = [:]
    /// The last survey.
    public var survey: Event.Surveyed?
    /// The last satisfaction rating, 1 to 5.
    public var csat: Int?
    /// The last recommendation rating, 0 to 10.
    public var nps: Int?
    /// People who were mentioned and have not marked it as read.
    public var mentioned: [AgentID] = []
    /// Everyone whom somebody else ever mentioned; `nil` where that was not kept yet: then those in `mentioned`.
    private(set) var calledPeople: [AgentID]?
    /// The call that is under way, or to which the consumer is invited.
    public private(set) var call: OngoingCall?
    /// What the consumer asks to be called by; `nil` once an agent invited them or wrote.
    public private(set) var wantedCall: CallKind?
    /// People who joined, in addition to the agent.
    public var here: [ParticipantNumber] = []
    /// How it was closed: by its consumer, or because it was idle; `nil`: by an agent.
    public var closedWhy: Event.Closed.Why?
    /// Closed without a survey.
    public var closedQuietly = false
    /// What the close ended; `nil` unless one of the brand's people closed it.
    private(set) var closing: Closing?
    /// When someone said that the consumer's last words need no answer; `nil` after the next message.
    private(set) var settledAt: Timestamp?
    /// The digits that the newest messages end with; `nil`: none does.
    private(set) var digits: [TrailingDigits]?

    /// The attributes and the disposition, for agents; `nil` where there are none.
    public var recorded: RecordedFacts? {
        guard !attributes.isEmpty || disposition != nil else { return nil }
        let sorted = attributes.sorted { $0.key < $1.key }
        return RecordedFacts(
            attributes: sorted.map { RecordedFacts.Attribute(name: $0.key, value: $0.value) }, disposition: disposition)
    }

    /// Keeps what a close ended; `nil`: it is open, or no person of the brand closed it.
    mutating func keep(_ closing: Closing?) { self.closing = closing }

    /// The consumer answered the survey: the close stands.
    mutating func rateClosing() { closing?.rate() }

    /// Notes when someone said that no answer is needed; `nil`: somebody wrote since.
    mutating func settle(at moment: Timestamp?) { settledAt = moment }

    /// Everyone whom somebody else ever mentioned. Who mentions themselves is called by no one.
    public var called: [AgentID] { calledPeople ?? mentioned }

    /// Notes a mention.
    /// - Parameter author: who wrote the note; `nil` where that is not known.
    mutating func mention(_ agents: [AgentID], by author: AgentID?) {
        var called = called
        for agent in agents where agent != author && !called.contains(agent) { called.append(agent) }
        calledPeople = called
        for agent in agents where !mentioned.contains(agent) { mentioned.append(agent) }
    }

    /// The person marked the mention as read.
    mutating func notice(_ agent: AgentID) {
        calledPeople = called
        mentioned.removeAll { $0 == agent }
    }

    /// The digits that this author's newest messages end with.
    func trailingDigits(of author: ParticipantNumber) -> TrailingDigits? { digits?.first { $0.author == author } }

    /// Replaces the digits of this author.
    mutating func remember(_ trailing: TrailingDigits?, of author: ParticipantNumber) {
        guard trailing != nil || digits != nil else { return }
        let others = digits?.filter { $0.author != author } ?? []
        let all = others + (trailing.map { [$0] } ?? [])
        digits = all.isEmpty ? nil : all
    }

    /// The consumer is invited to a call; what they asked for is done with it.
    mutating func invited(_ invitation: CallInvitation, number: Int, by: ParticipantNumber) {
        (call, wantedCall) = (OngoingCall(number: number, invitation, by: by), nil)
    }

    /// The consumer accepted the call.
    mutating func answered(_ answer: CallAnswer, at moment: Timestamp) {
        if call?.number == answer.of { call?.answer(at: moment) }
    }

    /// The call ended.
    mutating func ended(_ ending: CallEnding) {
        if call?.number == ending.of { call = nil }
    }

    /// The consumer asks for a call; `nil`: they ask no longer.
    mutating func want(_ kind: CallKind?) {
        // Not set where nothing changes: this is called for every message of the brand.
        if wantedCall != kind { wantedCall = kind }
    }

    /// Makes the state of a new conversation.
    public init() {}

    /// The agent a conversation is reserved for, and until when.
    public struct Reservation: Hashable, Codable, Sendable {
        /// The only agent who may get it.
        public var agent: AgentID
        /// When the reservation ends.
        public var until: Timestamp

        /// Makes the value.
        public init(agent: AgentID, until: Timestamp) {
            self.agent = agent
            self.until = until
        }
    }

    /// An agent's promise to be back at a time.
    public struct Callback: Hashable, Codable, Sendable {
        /// When the agent promised it.
        public var madeAt: Timestamp
        /// When the agent will be back.
        public var until: Timestamp

        /// Makes the value.
        public init(madeAt: Timestamp, until: Timestamp) {
            self.madeAt = madeAt
            self.until = until
        }
    }
}

extension RoutingState {
    /// The routing information of an inbox row, without the due time, which depends on the brand's response times.
    /// `nil` where there is nothing to say.
    func row(afterword: AgentID?, caller: AgentID?) -> InboxRow.RoutingInfo? {
        let info = InboxRow.RoutingInfo(
            skill: skill, urgent: isUrgent ? true : nil, due: nil, offer: offer, reserved: reserved?.agent,
            callback: callback?.until,
            tags: tags.isEmpty ? nil : tags, csat: csat, mentioned: mentioned.isEmpty ? nil : mentioned,
            afterword: afterword, settled: settledAt == nil ? nil : true,
            call: call.flatMap { call in
                caller.map {
                    InboxRow.Call(
                        number: call.number, kind: call.kind, agent: $0, until: call.until, since: call.answeredAt)
                }
            }, wantedCall: wantedCall)
        return info == InboxRow.RoutingInfo() ? nil : info
    }
}

extension ConversationState {
    /// When the oldest unanswered consumer message came; `nil`: it waits for the consumer.
    public var unansweredSince: Timestamp? { unanswered.isEmpty ? nil : since }
}

/// What was so when one of the brand's people closed a conversation. With it the close can be taken back, and a
/// consumer's message soon after it is told from one that opens the conversation again.
public struct Closing: Hashable, Codable, Sendable {
    /// Who closed it.
    public let by: ParticipantNumber
    /// Who answered it; `nil`: it waited.
    let assignee: ParticipantNumber?
    let assignedAt: Timestamp?
    let since: Timestamp?
    /// The consumer's messages that had no answer.
    let unanswered: [Int]
    let callback: RoutingState.Callback?
    let here: [ParticipantNumber]
    /// `true` after the consumer answered the survey: then the close stands.
    private(set) var isRated: Bool?

    init(_ state: ConversationState, by: ParticipantNumber) {
        self.by = by
        (assignee, assignedAt, since) = (state.assignee, state.timestamps.assigned, state.since)
        (unanswered, callback, here) = (state.unanswered, state.routing.callback, state.routing.here)
    }

    mutating func rate() { isRated = true }
}

extension ConversationState {
    /// Whether a consumer's message at this time opens nothing: someone of the brand closed the conversation a moment
    /// ago, and no words of the consumer were without an answer.
    func takesAfterword(at now: Timestamp) -> Bool {
        guard status == .closed, let closing = routing.closing, closing.unanswered.isEmpty, routing.isAnswered,
            let closed = timestamps.closed
        else { return false }
        return now < closed.adding(seconds: Limits.afterwordSeconds)
    }

    /// Whether its close can be taken back at this time, by the person who closed it.
    func mayReopen(at now: Timestamp) -> Bool {
        guard status == .closed, let closing = routing.closing, closing.isRated != true, let closed = timestamps.closed
        else { return false }
        return now <= closed.adding(seconds: Limits.reopenSeconds)
    }

    /// Who closed it, where a consumer's afterword waits for someone to look at it.
    var afterword: AgentID? {
        guard status == .closed, !unanswered.isEmpty else { return nil }
        return routing.closing.flatMap { person($0.by)?.id }
    }

    /// Whether it is over: closed, and no afterword waits.
    public var isFinished: Bool { status == .closed && unanswered.isEmpty }

    /// Everything is as it was before the close, and an afterword waits for an answer.
    mutating func reopened() {
        guard let closing = routing.closing else { return }
        (status, assignee) = (closing.assignee == nil ? .waiting : .open, closing.assignee)
        if !closing.unanswered.isEmpty || unanswered.isEmpty { since = closing.since }
        unanswered = Array((closing.unanswered + unanswered).suffix(Limits.unread))
        timestamps.assigned = closing.assignedAt
        (routing.callback, routing.here) = (closing.callback, closing.here)
        (routing.survey, routing.closedWhy, routing.closedQuietly) = (nil, nil, false)
        routing.keep(nil)
    }

    /// The consumer's last words need no answer.
    mutating func settled(at: Timestamp) {
        unanswered = []
        since = status == .closed ? timestamps.closed : at
        routing.settle(at: at)
    }
}
