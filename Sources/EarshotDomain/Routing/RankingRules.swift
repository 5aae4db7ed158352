import EarshotModel

/// The order of a queue, and how much room a conversation needs: pure functions of the settings.
struct RankingRules: Sendable {
    /// One hour of time left counts as no points; less counts as more.
    static let hourMs: Int64 = 3_600_000
    static let urgentMs: Int64 = 300_000
    static let transferMs: Int64 = 120_000
    static let countedTransfers = 5

    /// The first sort key of a queue.
    enum Tier: Int64 {
        case actionable, waitsForConsumer, snoozed
    }

    let settings: ContactCentreSettings
    let timetable: Timetable
    /// The speed of the fastest listener, in percent: it gives the least room that a conversation may need.
    private let fastestListenSpeed: Int

    init(_ settings: ContactCentreSettings) {
        self.settings = settings
        timetable = Timetable(settings)
        fastestListenSpeed = settings.people.reduce(100) { max($0, $1.listenSpeed ?? 100) }
    }

    func tier(of entry: QueueEntry, _ now: Timestamp) -> Tier {
        if isSnoozed(entry, now) { return .snoozed }
        return entry.times.unansweredSince != nil || entry.times.callback != nil ? .actionable : .waitsForConsumer
    }

    func isSnoozed(_ entry: QueueEntry, _ now: Timestamp) -> Bool {
        settings.capacity.snoozedUntil(entry).map { now < $0 } ?? false
    }

    /// The rank in its queue. The points of all conversations grow at the same rate, so that their order stays while
    /// time passes: ranked are points less time.
    func rank(of conversation: TrackedConversation, in skill: Skill, slot: Int, _ now: Timestamp) -> Rank {
        let entry = conversation.entry
        let lateness = dueForRanking(conversation, skill).map { -$0 } ?? 0
        return Rank(
            first: tier(of: entry, now).rawValue,
            second: -(lateness - quarter(entry.times.queuedAt) + bonus(of: entry)), slot: slot)
    }

    /// What the first conversations of two queues are compared by.
    struct Worth {
        let tier: Int64
        /// In milliseconds, with the skill's velocity.
        let points: Int64
    }

    func worth(of conversation: TrackedConversation, in skill: Skill, _ now: Timestamp) -> Worth? {
        guard let rank = conversation.placement?.rank else { return nil }
        return Worth(tier: rank.first, points: Self.scaled(points(of: conversation, skill, now), skill.velocity))
    }

    /// Velocity increases points that count for a conversation, and reduces those that count against it.
    static func scaled(_ points: Int64, _ velocity: Int) -> Int64 {
        let velocity = Int64(max(1, velocity))
        return points >= 0 ? points * velocity / 100 : points * 100 / velocity
    }

    /// The points by part; their sum orders the queue.
    func score(of conversation: TrackedConversation, in skill: Skill, _ now: Timestamp) -> Score {
        let (entry, points) = (conversation.entry, points(of: conversation, skill, now))
        let parts: [(Score.Name, Int64)] = [
            (.timeLeft, dueForRanking(conversation, skill).map { Self.hourMs - ($0 - now.milliseconds) } ?? 0),
            (.waiting, quarter(now) - quarter(entry.times.queuedAt)),
            (.urgent, entry.priority.isUrgent ? Self.urgentMs : 0), (.transfers, transferPoints(of: entry)),
            (.unplayed, Int64(entry.priority.unplayedMs)),
            (.velocity, Self.scaled(points, skill.velocity) - points),
        ]
        return Score(
            isActionable: tier(of: entry, now) == .actionable,
            parts: parts.map { Score.Part(name: $0, points: Int($1 / 1000)) })
    }

    private func points(of conversation: TrackedConversation, _ skill: Skill, _ now: Timestamp) -> Int64 {
        let left = dueForRanking(conversation, skill).map { Self.hourMs - ($0 - now.milliseconds) } ?? 0
        return left + quarter(now) - quarter(conversation.entry.times.queuedAt) + bonus(of: conversation.entry)
    }

    private func bonus(of entry: QueueEntry) -> Int64 {
        (entry.priority.isUrgent ? Self.urgentMs : 0) + transferPoints(of: entry) + Int64(entry.priority.unplayedMs)
    }

    private func transferPoints(of entry: QueueEntry) -> Int64 {
        Int64(min(entry.priority.transfers, Self.countedTransfers)) * Self.transferMs
    }

    private func quarter(_ moment: Timestamp) -> Int64 { moment.milliseconds / 4 }

    /// When it is due, in milliseconds. Where the skill's hours never open again, as if they were always open.
    private func dueForRanking(_ conversation: TrackedConversation, _ skill: Skill) -> Int64? {
        if let due = conversation.due { return due.milliseconds }
        let entry = conversation.entry
        return entry.times.unansweredSince.map {
            $0.milliseconds + Int64(skill.sla[entry.responseClass]) * 1000
        }
    }

    /// The room that an agent must have, in thousandths: for an active conversation, and for what is to be played. An
    /// overdue conversation needs room for one conversation however much is to be played; otherwise lighter ones would
    /// pass it for ever.
    func need(of conversation: TrackedConversation, for agent: RosterAgent, _ now: Timestamp) -> Int {
        need(of: conversation, speed: agent.seat?.listenSpeed ?? 100, now)
    }

    /// The room that the fastest listener would need.
    func leastNeed(of conversation: TrackedConversation, _ now: Timestamp) -> Int {
        need(of: conversation, speed: fastestListenSpeed, now)
    }

    private func need(of conversation: TrackedConversation, speed: Int, _ now: Timestamp) -> Int {
        if let due = conversation.due, due <= now { return settings.capacity.active }
        return offeredLoad(of: conversation.entry, speed: speed)
    }

    /// An offered conversation counts as one that is assigned to the agent and waits for their answer.
    func offeredLoad(of entry: QueueEntry, to agent: RosterAgent) -> Int {
        offeredLoad(of: entry, speed: agent.seat?.listenSpeed ?? 100)
    }

    private func offeredLoad(of entry: QueueEntry, speed: Int) -> Int {
        settings.capacity.active + settings.capacity.listening(toMs: entry.priority.unplayedMs, speed: speed)
    }

    /// Until when its agent may take to answer, and why it would then be requeued.
    func answerLimit(of entry: QueueEntry, _ agent: RosterAgent) -> Silence.AnswerLimit? {
        settings.silence.answerLimit(
            of: entry, agent.presence, settings.capacity, keepsWhileOffline: !agent.isSwitchedOff)
    }
}

extension Silence {
    /// When a conversation is taken from an agent who does not answer, and why.
    struct AnswerLimit {
        let at: Timestamp
        let reason: RoutingAction.Reason
    }

    /// When this conversation is taken from its agent unless they answer. `nil`: never, or it waits for the consumer.
    ///
    /// Online agents have their time from the consumer's message, from the assignment, or from the end of their
    /// callback. Agents who went away or offline have that state's time from when they went (so that reloading a page
    /// loses nothing), but never longer than an online agent; they lose a snoozed conversation shortly before its
    /// callback ends, while another agent can still keep the promise.
    /// - Parameter keepsWhileOffline: false for an agent who will not come back: they keep nothing, even where the
    /// brand takes nothing from offline agents.
    func answerLimit(
        of entry: QueueEntry, _ presence: Presence?, _ capacity: Capacity, keepsWhileOffline: Bool
    ) -> AnswerLimit? {
        let times = entry.times
        guard let presence, times.unansweredSince != nil || times.callback != nil else { return nil }
        let since = max(times.unansweredSince ?? times.queuedAt, times.assignedAt ?? times.queuedAt)
        let online = onlineSeconds.map {
            max(since, times.callback?.until ?? since).adding(milliseconds: Int64($0) * 1000)
        }
        let (seconds, reason): (Int?, RoutingAction.Reason)
        switch presence.state {
        case .online, .occupied: return online.map { AnswerLimit(at: $0, reason: .silentOnline) }
        case .away: (seconds, reason) = (awaySeconds, .silentAway)
        case .offline: (seconds, reason) = (offlineSeconds ?? (keepsWhileOffline ? nil : 0), .silentOffline)
        }
        guard let seconds else { return nil }
        let left = max(since, presence.since, capacity.snoozedUntil(entry) ?? times.callback?.until ?? since)
        let gone = left.adding(milliseconds: Int64(seconds) * 1000)
        return AnswerLimit(at: online.map { min($0, gone) } ?? gone, reason: reason)
    }
}
