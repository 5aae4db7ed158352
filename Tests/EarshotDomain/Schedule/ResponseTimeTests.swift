import EarshotDomain
import EarshotModel
import Testing

@Suite struct `An answer is due` {
    private static func centre(_ sla: ResponseTimes, hours: Hours? = .daily(8, 20)) -> ContactCentreSettings {
        var skill = Skill.general
        (skill.sla, skill.hours) = (sla, hours?.id)
        return ContactCentreSettings(skills: [skill], hours: hours.map { [$0] } ?? [])
    }

    private static func entry(since: Timestamp?, change: (inout QueueEntry) -> Void = { _ in }) -> QueueEntry {
        var entry = QueueEntry(
            conversation: .init(trusted: "c"), skill: Skill.general.id,
            times: .init(queuedAt: at("2026-11-22T00:00:00Z"), unansweredSince: since),
            priority: .init(isFirst: false))
        change(&entry)
        return entry
    }

    @Test func `never while it waits for the consumer, and never where nobody is ever there`() {
        #expect(Self.centre(ResponseTimes()).due(Self.entry(since: nil)) == nil)
        let never = Self.centre(ResponseTimes(), hours: Hours(id: "h", name: "Never", zone: "UTC", week: []))
        #expect(never.due(Self.entry(since: at("2026-11-22T00:00:00Z"))) == nil)
    }

    @Test func `off from 20 to 8, 15 minutes, message at midnight: after 8 h 15 min`() {
        let midnight = at("2026-11-22T00:00:00+01:00")
        let due = Self.centre(ResponseTimes(usual: 900)).due(Self.entry(since: midnight))
        #expect(due == midnight.adding(hours: 8).adding(minutes: 15))
        #expect(due == at("2026-11-22T08:15:00+01:00"))
    }

    @Test func `an hour, the next shift in 12 h: after 13 h`() {
        let evening = at("2026-11-22T20:00:00+01:00")
        #expect(StaffedTime(.daily(8, 20)).nextOpening(after: evening) == evening.adding(hours: 12), "the premise")
        #expect(Self.centre(ResponseTimes(usual: 3600)).due(Self.entry(since: evening)) == evening.adding(hours: 13))
    }

    @Test func `when somebody is there again, if the shift ends before the time is over`() {
        let late = at("2026-11-22T19:55:00+01:00")
        #expect(Self.centre(ResponseTimes(usual: 900)).due(Self.entry(since: late)) == at("2026-11-23T08:10:00+01:00"))
        #expect(Self.centre(ResponseTimes(usual: 300)).due(Self.entry(since: late)) == at("2026-11-22T20:00:00+01:00"))
    }

    @Test func `by the promise, then by up to three later ones, then at no promised time`() {
        let (timetable, now) = (
            Timetable(Self.centre(ResponseTimes(usual: 900), hours: nil)), at("2026-11-22T12:00:00Z")
        )
        func promise(_ minutes: Int) -> AnswerPromise? {
            timetable.promise(Self.entry(since: now), at: now.adding(minutes: minutes))
        }
        #expect(promise(0) == AnswerPromise(by: now.adding(minutes: 15), isLate: false))
        #expect(promise(14) == AnswerPromise(by: now.adding(minutes: 15), isLate: false))
        #expect(promise(15) == AnswerPromise(by: now.adding(minutes: 30), isLate: true), "the moment it is broken")
        #expect(promise(29) == promise(15), "the new time does not move")
        #expect(promise(59)?.by == now.adding(minutes: 60))
        #expect(promise(60) == AnswerPromise(by: nil, isLate: true), "the fourth would be a joke")
        #expect(timetable.promise(Self.entry(since: nil), at: now) == nil)
    }

    @Test func `after a callback that was not kept: one response time later, within the hours`() {
        let timetable = Timetable(Self.centre(ResponseTimes(usual: 900)))
        let until = at("2026-11-22T19:55:00+01:00")
        let entry = Self.entry(since: nil) {
            $0.times.callback = .init(madeAt: until.adding(minutes: -30), until: until)
        }
        #expect(timetable.promise(entry, at: until.adding(minutes: -1)) == AnswerPromise(by: until, isLate: false))
        #expect(
            timetable.promise(entry, at: until)
                == AnswerPromise(by: at("2026-11-23T08:10:00+01:00"), isLate: true))
    }

    @Test func `by the class: the first answer, an urgent one, any other`() {
        let (centre, now) = (
            Self.centre(ResponseTimes(usual: 900, urgent: 300, first: 600), hours: nil), at("2026-11-22T03:00:00Z")
        )
        #expect(centre.due(Self.entry(since: now)) == now.adding(minutes: 15))
        #expect(centre.due(Self.entry(since: now) { $0.priority.isFirst = true }) == now.adding(minutes: 10))
        #expect(centre.due(Self.entry(since: now) { $0.priority.isUrgent = true }) == now.adding(minutes: 5))
        #expect(
            centre.due(Self.entry(since: now) { ($0.priority.isFirst, $0.priority.isUrgent) = (true, true) })
                == now.adding(minutes: 5),
            "urgent, though the first")
    }

    @Test func `when a callback was set, whatever the skill promises`() {
        let (centre, now) = (Self.centre(ResponseTimes()), at("2026-11-22T12:00:00Z"))
        let callback = QueueEntry.Callback(madeAt: now, until: now.adding(minutes: 45))
        #expect(centre.due(Self.entry(since: now) { $0.times.callback = callback }) == now.adding(minutes: 45))
        #expect(
            centre.due(Self.entry(since: nil) { $0.times.callback = callback }) == now.adding(minutes: 45),
            "the agent said that they come back")
    }

    @Test func `by the skill's own hours and times, and by the default skill's where the skill is gone`() {
        var night = Skill(id: .init(trusted: "night"), name: "Night", sla: ResponseTimes(usual: 60))
        night.hours = "gone"
        var centre = Self.centre(ResponseTimes(usual: 900))
        centre.skills.append(night)
        let midnight = at("2026-11-22T00:00:00+01:00")
        #expect(
            centre.due(Self.entry(since: midnight) { $0.skill = night.id }) == midnight.adding(minutes: 1),
            "hours that are gone are no hours")
        #expect(
            centre.due(Self.entry(since: midnight) { $0.skill = .init(trusted: "gone") })
                == at("2026-11-22T08:15:00+01:00"))
        #expect(Timetable(centre).expected(night.id, .usual, from: midnight) == midnight.adding(minutes: 1))
    }
}
