public import EarshotModel

extension ConversationState {
    /// What Earshot is to do here, and when, as things stand: each at most once for what armed it. Product.md 2.2 and 6.
    /// - Parameter language: the consumer's (`de-AT`), for the choice of the message.
    public func scheduledActions(_ centre: ContactCentreSettings, _ timetable: Timetable, language: String? = nil)
        -> [ScheduledAction]
    {
        let skill = routing.skill.flatMap(centre.skill) ?? centre.defaultSkill
        let staffed = timetable.staffed(skill.id)
        var scheduledActions = immediate(centre, staffed) + timed()
        scheduledActions = scheduledActions.compactMap { scheduledAction -> ScheduledAction? in
            guard case .say(let occasion) = scheduledAction.what else { return scheduledAction }
            guard let message = centre.automatic(occasion, skill: skill.id, language: language) else { return nil }
            guard routing.said[occasion.rawValue].map({ $0 < scheduledAction.armed }) ?? true else { return nil }
            return occasion.isTimed
                ? ScheduledAction(
                    scheduledAction.what, armed: scheduledAction.armed,
                    due: scheduledAction.armed.adding(seconds: message.afterSeconds ?? 0)) : scheduledAction
        }
        if let close = closing(skill) { scheduledActions.append(close) }
        if let survey = surveying(centre, skill) { scheduledActions.append(survey) }
        return scheduledActions
    }

    /// What is said at once.
    private func immediate(_ centre: ContactCentreSettings, _ staffed: StaffedTime) -> [ScheduledAction] {
        var occasions: [(AutomaticMessage.Occasion, Timestamp?)] = []
        for said in [greeting(staffed), offHours(staffed)] { if let said { occasions.append(said) } }
        if let changed = timestamps.skillChanged, let before = routing.skillBefore.flatMap(centre.skill),
            let now = routing.skill.flatMap(centre.skill),
            before.sla != now.sla || before.hours != now.hours
        {
            occasions.append((.slaChange, changed))
        }
        occasions.append((routing.isUrgent ? .urgentOn : .urgentOff, timestamps.urgent))
        if status == .waiting || status == .open, let why = routing.queuedWhy {
            switch why {
            case .transferred: occasions.append((.transferred, timestamps.queued))
            case .returned, .silent, .offline: occasions.append((.returned, timestamps.queued))
            case .routed, .fallback, .unanswered: break
            }
        }
        if status == .open { occasions.append((.connected, timestamps.assigned)) }
        if status != .closed {
            occasions += [
                (.managerJoined, routing.here.isEmpty ? nil : timestamps.managerJoined),
                (.managerLeft, timestamps.managerLeft), (.callback, routing.callback?.madeAt),
            ]
        }
        return occasions.compactMap { occasion, armed in
            armed.map { ScheduledAction(.say(occasion), armed: $0, due: $0) }
        }
    }

    /// The first message, or one after more than 48 h of being closed.
    private func greeting(_ staffed: StaffedTime) -> (AutomaticMessage.Occasion, Timestamp)? {
        guard status != .closed, status != .new else { return nil }
        if let resumed = timestamps.resumed {
            guard let closed = timestamps.closed, resumed.milliseconds - closed.milliseconds > Self.welcomeAgainMs,
                !routing.wasResumedByBrand
            else { return nil }
            return (staffed.isOpen(at: resumed) ? .welcome : .offHoursWelcome, resumed)
        }
        return timestamps.started.map { (staffed.isOpen(at: $0) ? .firstWelcome : .offHoursFirst, $0) }
    }

    /// A message in the middle while nobody is there: once for each stretch of closed hours.
    private func offHours(_ staffed: StaffedTime) -> (AutomaticMessage.Occasion, Timestamp)? {
        guard status == .waiting || status == .open, let since = unansweredSince, !staffed.isOpen(at: since),
            greeting(staffed)?.1 != since
        else { return nil }
        let before = [AutomaticMessage.Occasion.offHours, .offHoursFirst, .offHoursWelcome].compactMap {
            routing.said[$0.rawValue]
        }.max()
        // Nobody opened since it was last said: it still holds.
        if let before, staffed.nextOpening(after: before).map({ $0 > since }) ?? true { return nil }
        return (.offHours, since)
    }

    /// What is said after a while, from when it is counted.
    private func timed() -> [ScheduledAction] {
        func wait(_ occasion: AutomaticMessage.Occasion, _ from: Timestamp?) -> [ScheduledAction] {
            from.map { [ScheduledAction(.say(occasion), armed: $0, due: $0)] } ?? []
        }
        switch status {
        case .waiting: return wait(.queued, timestamps.queued)
        case .open:
            guard let since = unansweredSince else { return wait(.consumerIdle, timestamps.answered) }
            return wait(.agentIdle, timestamps.assigned.map { max($0, since) })
        case .new, .closed: return []
        }
    }

    /// Only while it waits for the consumer, counted from the brand's last word; nothing that anybody reads, notes or transfers moves it.
    private func closing(_ skill: Skill) -> ScheduledAction? {
        guard status == .open || status == .waiting, unanswered.isEmpty, let answered = timestamps.answered,
            let seconds = skill.autoCloseSeconds
        else { return nil }
        return ScheduledAction(.closeIdle, armed: answered, due: answered.adding(seconds: seconds))
    }

    /// After an end that somebody wanted, of a conversation in which the brand said something. One that idled ends quietly.
    private func surveying(_ centre: ContactCentreSettings, _ skill: Skill) -> ScheduledAction? {
        guard status == .closed, let closed = timestamps.closed, centre.survey.isOn, skill.survey,
            !routing.closedQuietly, routing.closedWhy != .idle, routing.isAnswered,
            centre.survey.csat || centre.survey.nps || centre.survey.words,
            timestamps.surveyed.map({ $0 < closed }) ?? true
        else { return nil }
        return ScheduledAction(.survey, armed: closed, due: closed)
    }

    static let welcomeAgainMs: Int64 = 48 * 3_600_000
}

extension Timestamp {
    func adding(seconds: Int) -> Timestamp { adding(milliseconds: Int64(seconds) * 1000) }
}
