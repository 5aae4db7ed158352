public import EarshotModel

extension ConversationState {
    /// What Earshot is to do here, and when, as things stand: each at most once for what armed it. Product.md 2.2 and 6.
    /// - Parameter language: the consumer's (`de-AT`), for the choice of the message.
    public func duties(_ centre: Centre, _ timetable: Timetable, language: String? = nil) -> [Duty] {
        let skill = care.skill.flatMap(centre.skill) ?? centre.defaultSkill
        let staffed = timetable.staffed(skill.id)
        var duties = immediate(centre, staffed) + timed()
        duties = duties.compactMap { duty -> Duty? in
            guard case .say(let occasion) = duty.what else { return duty }
            guard let message = centre.automatic(occasion, skill: skill.id, language: language) else { return nil }
            guard care.said[occasion.rawValue].map({ $0 < duty.armed }) ?? true else { return nil }
            return occasion.isTimed ? Duty(duty.what, armed: duty.armed, due: duty.armed.adding(seconds: message.afterSeconds ?? 0)) : duty
        }
        if let close = closing(skill) { duties.append(close) }
        if let survey = surveying(centre, skill) { duties.append(survey) }
        return duties
    }

    /// What is said at once.
    private func immediate(_ centre: Centre, _ staffed: StaffedTime) -> [Duty] {
        var occasions: [(AutomaticMessage.Occasion, Timestamp?)] = []
        for said in [greeting(staffed), offHours(staffed)] { if let said { occasions.append(said) } }
        if let changed = moments.skillChanged, let before = care.skillBefore.flatMap(centre.skill), let now = care.skill.flatMap(centre.skill),
            before.sla != now.sla || before.hours != now.hours
        {
            occasions.append((.slaChange, changed))
        }
        occasions.append((care.isUrgent ? .urgentOn : .urgentOff, moments.urgent))
        if status == .waiting || status == .open, let why = care.queuedWhy {
            switch why {
            case .transferred: occasions.append((.transferred, moments.queued))
            case .returned, .silent, .offline: occasions.append((.returned, moments.queued))
            case .routed, .fallback, .unanswered: break
            }
        }
        if status == .open { occasions.append((.connected, moments.assigned)) }
        if status != .closed {
            occasions += [(.managerJoined, care.here.isEmpty ? nil : moments.managerJoined), (.managerLeft, moments.managerLeft), (.promised, care.promise?.madeAt)]
        }
        return occasions.compactMap { occasion, armed in armed.map { Duty(.say(occasion), armed: $0, due: $0) } }
    }

    /// The first message, or one after more than 48 h of being closed.
    private func greeting(_ staffed: StaffedTime) -> (AutomaticMessage.Occasion, Timestamp)? {
        guard status != .closed, status != .new else { return nil }
        if let resumed = moments.resumed {
            guard let closed = moments.closed, resumed.milliseconds - closed.milliseconds > Self.welcomeAgainMs, !care.wasResumedByBrand else { return nil }
            return (staffed.isOpen(at: resumed) ? .welcome : .offHoursWelcome, resumed)
        }
        return moments.started.map { (staffed.isOpen(at: $0) ? .firstWelcome : .offHoursFirst, $0) }
    }

    /// A message in the middle while nobody is there: once for each stretch of closed hours.
    private func offHours(_ staffed: StaffedTime) -> (AutomaticMessage.Occasion, Timestamp)? {
        guard status == .waiting || status == .open, let since = unansweredSince, !staffed.isOpen(at: since), greeting(staffed)?.1 != since else { return nil }
        let before = [AutomaticMessage.Occasion.offHours, .offHoursFirst, .offHoursWelcome].compactMap { care.said[$0.rawValue] }.max()
        // Nobody opened since it was last said: it still holds.
        if let before, staffed.nextOpening(after: before).map({ $0 > since }) ?? true { return nil }
        return (.offHours, since)
    }

    /// What is said after a while, from when it is counted.
    private func timed() -> [Duty] {
        func wait(_ occasion: AutomaticMessage.Occasion, _ from: Timestamp?) -> [Duty] { from.map { [Duty(.say(occasion), armed: $0, due: $0)] } ?? [] }
        switch status {
        case .waiting: return wait(.queued, moments.queued)
        case .open:
            guard let since = unansweredSince else { return wait(.consumerIdle, moments.answered) }
            return wait(.agentIdle, moments.assigned.map { max($0, since) })
        case .new, .closed: return []
        }
    }

    /// Only while it waits for the consumer, counted from the brand's last word; nothing that anybody reads, notes or transfers moves it.
    private func closing(_ skill: Skill) -> Duty? {
        guard status == .open || status == .waiting, unanswered.isEmpty, let answered = moments.answered, let seconds = skill.autoCloseSeconds else { return nil }
        return Duty(.closeIdle, armed: answered, due: answered.adding(seconds: seconds))
    }

    /// After an end that somebody wanted, of a conversation in which the brand said something. One that idled ends quietly.
    private func surveying(_ centre: Centre, _ skill: Skill) -> Duty? {
        guard status == .closed, let closed = moments.closed, centre.survey.isOn, skill.survey, !care.closedQuietly, care.closedWhy != .idle, care.isAnswered,
            centre.survey.csat || centre.survey.nps || centre.survey.words, moments.surveyed.map({ $0 < closed }) ?? true
        else { return nil }
        return Duty(.survey, armed: closed, due: closed)
    }

    static let welcomeAgainMs: Int64 = 48 * 3_600_000
}

extension Timestamp {
    func adding(seconds: Int) -> Timestamp { adding(milliseconds: Int64(seconds) * 1000) }
}
