public import EarshotModel

/// What Earshot itself does in one conversation, and when: automatic messages, closing and the survey.
struct AutomationSchedule {
    private let state: ConversationState
    private let centre: ContactCentreSettings
    /// The consumer's language, for the choice of the message.
    private let language: String?
    /// The conversation's skill, or the brand's default skill.
    private let skill: Skill
    /// The hours of the skill.
    private let staffed: StaffedTime

    init(of state: ConversationState, _ centre: ContactCentreSettings, _ timetable: Timetable, language: String?) {
        self.state = state
        self.centre = centre
        self.language = language
        skill = state.routing.skill.flatMap(centre.skill) ?? centre.defaultSkill
        staffed = timetable.staffed(skill.id)
    }

    /// The actions as things are now, each at most once for its cause.
    func actions() -> [ScheduledAction] {
        let causes = immediateCauses() + delayedCauses()
        let messages = causes.compactMap { cause -> ScheduledAction? in
            guard let message = centre.automatic(cause.occasion, skill: skill.id, language: language),
                state.routing.said[cause.occasion.rawValue].map({ $0 < cause.at }) ?? true
            else { return nil }
            let delay = cause.occasion.isTimed ? message.afterSeconds ?? 0 : 0
            return ScheduledAction(
                at: cause.at.adding(seconds: delay), .sendMessage(cause.occasion, armedAt: cause.at))
        }
        return messages
            + [idleClose(), unansweredClose(), survey(), resumption(), unansweredCall()].compactMap { $0 }
    }

    /// What an automatic message is about, and when it occurred.
    private struct Cause {
        let occasion: AutomaticMessage.Occasion
        let at: Timestamp
    }

    /// The causes of messages that are sent at once.
    private func immediateCauses() -> [Cause] {
        var occasions: [(AutomaticMessage.Occasion, Timestamp?)] = []
        if let changed = state.timestamps.skillChanged, let before = state.routing.skillBefore.flatMap(centre.skill),
            let now = state.routing.skill.flatMap(centre.skill),
            before.sla != now.sla || before.hours != now.hours
        {
            occasions.append((.slaChange, changed))
        }
        occasions.append((state.routing.isUrgent ? .urgentOn : .urgentOff, state.timestamps.urgent))
        if state.status == .waiting || state.status == .open, let why = state.routing.queuedWhy {
            switch why {
            case .transferred: occasions.append((.transferred, state.timestamps.queued))
            case .returned, .silent, .offline: occasions.append((.returned, state.timestamps.queued))
            case .routed, .fallback, .unanswered, .noPermission: break
            }
        }
        if state.status == .open { occasions.append((.connected, state.timestamps.assigned)) }
        if state.status != .closed {
            occasions += [
                (.managerJoined, state.routing.here.isEmpty ? nil : state.timestamps.managerJoined),
                (.managerLeft, state.timestamps.managerLeft), (.callback, state.routing.callback?.madeAt),
            ]
        }
        return [greeting(), offHours()].compactMap { $0 }
            + occasions.compactMap { occasion, at in at.map { Cause(occasion: occasion, at: $0) } }
    }

    /// The first message, or one after more than 48 hours of being closed.
    private func greeting() -> Cause? {
        guard state.status != .closed, state.status != .new else { return nil }
        if let resumed = state.timestamps.resumed {
            guard let closed = state.timestamps.closed,
                resumed.milliseconds - closed.milliseconds > Self.welcomeAgainMs,
                !state.routing.wasResumedByBrand
            else { return nil }
            return Cause(occasion: staffed.isOpen(at: resumed) ? .welcome : .offHoursWelcome, at: resumed)
        }
        return state.timestamps.started.map {
            Cause(occasion: staffed.isOpen(at: $0) ? .firstWelcome : .offHoursFirst, at: $0)
        }
    }

    /// A later message outside the hours: once for each stretch of closed hours.
    private func offHours() -> Cause? {
        guard state.status == .waiting || state.status == .open, let since = state.unansweredSince,
            !staffed.isOpen(at: since),
            greeting()?.at != since
        else { return nil }
        let before = [AutomaticMessage.Occasion.offHours, .offHoursFirst, .offHoursWelcome].compactMap {
            state.routing.said[$0.rawValue]
        }.max()
        // The hours have not begun since it was last sent: it still holds.
        if let before, staffed.nextOpening(after: before).map({ $0 > since }) ?? true { return nil }
        return Cause(occasion: .offHours, at: since)
    }

    /// The causes of messages that are sent after a delay.
    private func delayedCauses() -> [Cause] {
        func cause(_ occasion: AutomaticMessage.Occasion, _ at: Timestamp?) -> [Cause] {
            at.map { [Cause(occasion: occasion, at: $0)] } ?? []
        }
        switch state.status {
        case .waiting: return cause(.queued, state.timestamps.queued)
        case .open:
            guard let since = state.unansweredSince else {
                // Who was promised that an agent will be back waits for the brand; who needs no answer is not asked for
                // one.
                let isTheirTurn = state.routing.callback == nil && state.routing.settledAt == nil
                return isTheirTurn ? cause(.consumerIdle, state.timestamps.answered) : []
            }
            return cause(.agentIdle, state.timestamps.assigned.map { max($0, since) })
        case .new, .closed: return []
        }
    }

    /// Only while it waits for the consumer, who was not promised a callback. Counted from the brand's last message, or
    /// from when someone said that none is needed. Reading, notes and transfers do not move it.
    private func idleClose() -> ScheduledAction? {
        guard state.status == .open || state.status == .waiting, state.unanswered.isEmpty,
            state.routing.callback == nil, state.routing.call == nil, let answered = state.timestamps.answered,
            let seconds = skill.autoCloseSeconds
        else { return nil }
        let from = max(answered, state.routing.settledAt ?? answered)
        return ScheduledAction(at: from.adding(seconds: seconds), .closeIdle(answeredAt: answered))
    }

    /// So that conversations which no one ever answers do not stay open for ever. Counted in whole days, so that a
    /// message does not schedule it again.
    private func unansweredClose() -> ScheduledAction? {
        guard state.isUnanswered, let day = state.lastActiveDay else { return nil }
        return ScheduledAction(
            at: day.adding(milliseconds: Int64(Limits.unansweredDays + 1) * Timestamp.dayMs),
            .closeUnanswered(activeOn: day))
    }

    /// After a person closed a conversation in which the brand wrote something. An idle close asks nothing.
    private func survey() -> ScheduledAction? {
        guard state.status == .closed, let closed = state.timestamps.closed, centre.survey.isOn, skill.survey,
            !state.routing.closedQuietly, state.routing.closedWhy != .idle, state.routing.isAnswered,
            centre.survey.csat || centre.survey.nps || centre.survey.words,
            state.timestamps.surveyed.map({ $0 < closed }) ?? true
        else { return nil }
        return ScheduledAction(at: closed, .sendSurvey(closedAt: closed))
    }

    /// An afterword that no one looked at opens the conversation after all.
    private func resumption() -> ScheduledAction? {
        guard state.status == .closed, let since = state.unansweredSince else { return nil }
        return ScheduledAction(at: since.adding(seconds: Limits.afterwordHoldSeconds), .resumeClosed(since: since))
    }

    /// An invitation that no one answers.
    private func unansweredCall() -> ScheduledAction? {
        guard let call = state.routing.call, call.answeredAt == nil else { return nil }
        return ScheduledAction(at: call.until, .endCall(call.number, .unanswered))
    }

    private static let welcomeAgainMs: Int64 = 48 * 3_600_000
}

extension ConversationState {
    /// What Earshot itself will do in this conversation, and when, as things are now: each action at most once for its
    /// cause (product.md 2.2 and 6).
    /// - Parameter language: the consumer's (`de-AT`), for the choice of the message.
    public func scheduledActions(_ centre: ContactCentreSettings, _ timetable: Timetable, language: String? = nil)
        -> [ScheduledAction]
    {
        AutomationSchedule(of: self, centre, timetable, language: language).actions()
    }
}

extension ConversationState {
    /// Whether it is open and its consumer waits for an answer.
    var isUnanswered: Bool { (status == .waiting || status == .open) && !unanswered.isEmpty }

    /// The beginning of the day (UTC) on which a participant last did something that an inbox shows.
    public var lastActiveDay: Timestamp? {
        lastEventAt.map { Timestamp(milliseconds: $0.milliseconds - $0.milliseconds % Timestamp.dayMs) }
    }
}

extension Timestamp {
    static let dayMs: Int64 = 86_400_000

    func adding(seconds: Int) -> Timestamp { adding(milliseconds: Int64(seconds) * 1000) }
}
