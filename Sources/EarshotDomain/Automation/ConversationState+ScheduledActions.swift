public import EarshotModel

extension ConversationState {
    /// What Earshot itself will do in this conversation, and when, as things are now: each action at most once for its
    /// cause (product.md 2.2 and 6).
    /// - Parameter language: the consumer's (`de-AT`), for the choice of the message.
    public func scheduledActions(_ centre: ContactCentreSettings, _ timetable: Timetable, language: String? = nil)
        -> [ScheduledAction]
    {
        let skill = routing.skill.flatMap(centre.skill) ?? centre.defaultSkill
        let causes = immediateCauses(centre, timetable.staffed(skill.id)) + delayedCauses()
        let messages = causes.compactMap { cause -> ScheduledAction? in
            guard let message = centre.automatic(cause.occasion, skill: skill.id, language: language),
                routing.said[cause.occasion.rawValue].map({ $0 < cause.at }) ?? true
            else { return nil }
            let delay = cause.occasion.isTimed ? message.afterSeconds ?? 0 : 0
            return ScheduledAction(
                at: cause.at.adding(seconds: delay), .sendMessage(cause.occasion, armedAt: cause.at))
        }
        return messages + [idleClose(skill), survey(centre, skill)].compactMap { $0 }
    }

    /// What an automatic message is about, and when it occurred.
    private struct Cause {
        let occasion: AutomaticMessage.Occasion
        let at: Timestamp
    }

    /// The causes of messages that are sent at once.
    private func immediateCauses(_ centre: ContactCentreSettings, _ staffed: StaffedTime) -> [Cause] {
        var occasions: [(AutomaticMessage.Occasion, Timestamp?)] = []
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
        return [greeting(staffed), offHours(staffed)].compactMap { $0 }
            + occasions.compactMap { occasion, at in at.map { Cause(occasion: occasion, at: $0) } }
    }

    /// The first message, or one after more than 48 hours of being closed.
    private func greeting(_ staffed: StaffedTime) -> Cause? {
        guard status != .closed, status != .new else { return nil }
        if let resumed = timestamps.resumed {
            guard let closed = timestamps.closed, resumed.milliseconds - closed.milliseconds > Self.welcomeAgainMs,
                !routing.wasResumedByBrand
            else { return nil }
            return Cause(occasion: staffed.isOpen(at: resumed) ? .welcome : .offHoursWelcome, at: resumed)
        }
        return timestamps.started.map {
            Cause(occasion: staffed.isOpen(at: $0) ? .firstWelcome : .offHoursFirst, at: $0)
        }
    }

    /// A later message outside the hours: once for each stretch of closed hours.
    private func offHours(_ staffed: StaffedTime) -> Cause? {
        guard status == .waiting || status == .open, let since = unansweredSince, !staffed.isOpen(at: since),
            greeting(staffed)?.at != since
        else { return nil }
        let before = [AutomaticMessage.Occasion.offHours, .offHoursFirst, .offHoursWelcome].compactMap {
            routing.said[$0.rawValue]
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
        switch status {
        case .waiting: return cause(.queued, timestamps.queued)
        case .open:
            guard let since = unansweredSince else { return cause(.consumerIdle, timestamps.answered) }
            return cause(.agentIdle, timestamps.assigned.map { max($0, since) })
        case .new, .closed: return []
        }
    }

    /// Only while it waits for the consumer, counted from the brand's last message. Reading, notes and transfers do not
    /// move it.
    private func idleClose(_ skill: Skill) -> ScheduledAction? {
        guard status == .open || status == .waiting, unanswered.isEmpty, let answered = timestamps.answered,
            let seconds = skill.autoCloseSeconds
        else { return nil }
        return ScheduledAction(at: answered.adding(seconds: seconds), .closeIdle(answeredAt: answered))
    }

    /// After a person closed a conversation in which the brand wrote something. An idle close asks nothing.
    private func survey(_ centre: ContactCentreSettings, _ skill: Skill) -> ScheduledAction? {
        guard status == .closed, let closed = timestamps.closed, centre.survey.isOn, skill.survey,
            !routing.closedQuietly, routing.closedWhy != .idle, routing.isAnswered,
            centre.survey.csat || centre.survey.nps || centre.survey.words,
            timestamps.surveyed.map({ $0 < closed }) ?? true
        else { return nil }
        return ScheduledAction(at: closed, .sendSurvey(closedAt: closed))
    }

    static let welcomeAgainMs: Int64 = 48 * 3_600_000
}

extension Timestamp {
    func adding(seconds: Int) -> Timestamp { adding(milliseconds: Int64(seconds) * 1000) }
}
