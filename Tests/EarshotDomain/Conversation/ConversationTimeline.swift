import EarshotDomain
import EarshotModel

/// One conversation on one day, told by the clock: `at("10:05", .text("…"), by: 1)`. Hours may go past 24.
struct ConversationTimeline {
    private(set) var state: ConversationState
    private(set) var centre: ContactCentreSettings
    let timetable: Timetable
    static let dana = AgentID(trusted: "agent-dana")
    static let omar = AgentID(trusted: "agent-omar")

    /// - Parameter hours: from and to of every day, in UTC; `nil`: always open.
    init(_ centre: ContactCentreSettings = ContactCentreSettings()) {
        self.centre = centre
        timetable = Timetable(centre)
        state = ConversationState(
            ConversationIdentity(
                id: ConversationID(trusted: "c"), account: AccountID(trusted: "brand"), app: AppID(trusted: "shop"),
                consumer: ConsumerID(trusted: "p"),
                channel: .web))
    }

    /// 2026-11-23, a Monday, in UTC.
    static func time(_ clock: String) -> Timestamp {
        let parts = clock.split(separator: ":").map { Int64($0) ?? 0 }
        return Timestamp(
            milliseconds: 1_795_392_000_000 + ((parts[0] * 60 + parts[1]) * 60 + (parts.count > 2 ? parts[2] : 0))
                * 1000)
    }

    func at(_ clock: String, _ kind: Event.Kind, by: Int) -> ConversationTimeline {
        var next = self
        next.state.apply(
            Event(sequence: state.sequence + 1, at: Self.time(clock), by: ParticipantNumber(by), kind: kind))
        return next
    }

    func began(_ clock: String) -> ConversationTimeline {
        at(clock, .started(.init(channel: .web, app: AppID(trusted: "shop"))), by: 1).consumer(clock).at(
            clock, .queued(.init(skill: centre.defaultSkill.id, why: .routed)), by: 0)
    }
    func consumer(_ clock: String) -> ConversationTimeline { at(clock, .text("Hello?"), by: 1) }
    func agent(_ clock: String) -> ConversationTimeline { at(clock, .text("Hello!"), by: 2) }
    func assigned(_ clock: String) -> ConversationTimeline {
        let known = state.person(.firstAgent) != nil
        let joined = known ? self : at(clock, .joined(.init(role: .agent, name: "Dana", id: Self.dana)), by: 2)
        return joined.at(clock, .assigned(.init(to: .firstAgent)), by: 2)
    }
    func queued(_ clock: String, _ why: Event.Queued.Why, skill: String = "general") -> ConversationTimeline {
        at(clock, .queued(.init(skill: SkillID(trusted: skill), why: why)), by: 2)
    }
    func said(_ clock: String, _ occasion: AutomaticMessage.Occasion) -> ConversationTimeline {
        at(clock, .automatic(.init(on: occasion, text: "…")), by: 0)
    }

    /// When the message for this occasion is due; `nil`: none is scheduled.
    func due(_ occasion: AutomaticMessage.Occasion) -> Timestamp? {
        due { if case .sendMessage(occasion, _) = $0 { true } else { false } }
    }

    /// When the conversation closes because it is idle; `nil`: it does not.
    var closeDue: Timestamp? { due { if case .closeIdle = $0 { true } else { false } } }

    /// When the conversation closes because no one answers it; `nil`: it does not.
    var unansweredCloseDue: Timestamp? { due { if case .closeUnanswered = $0 { true } else { false } } }

    /// When the survey is due; `nil`: none is scheduled.
    var surveyDue: Timestamp? { due { if case .sendSurvey = $0 { true } else { false } } }

    private func due(_ isWanted: (RoutingAction) -> Bool) -> Timestamp? {
        state.scheduledActions(centre, timetable).first { isWanted($0.action) }?.at
    }

    var occasions: [AutomaticMessage.Occasion] {
        state.scheduledActions(centre, timetable).compactMap {
            if case .sendMessage(let occasion, _) = $0.action { occasion } else { nil }
        }
    }
}

extension ContactCentreSettings {
    /// Says something on every occasion; the timed ones after so many minutes.
    static func talkative(minutes: Int = 10, hours: Hours? = nil, autoCloseSeconds: Int? = nil) -> ContactCentreSettings
    {
        var skill = Skill.general
        (skill.hours, skill.autoCloseSeconds) = (hours?.id, autoCloseSeconds)
        let second = Skill(
            id: SkillID(trusted: "second"), name: "Second", sla: ResponseTimes(usual: 60, urgent: 60, first: 60))
        return ContactCentreSettings(
            skills: [skill, second], hours: hours.map { [$0] } ?? [],
            automatic: AutomaticMessage.Occasion.allCases.map {
                AutomaticMessage(id: $0.rawValue, on: $0, text: "…", afterSeconds: $0.isTimed ? minutes * 60 : nil)
            })
    }

}

extension Hours {
    /// Every day, in UTC.
    static func open(from: Int, to: Int) -> Hours {
        Hours(id: "day", name: "Day", zone: "UTC", week: (1...7).map { .init(day: $0, from: from * 60, to: to * 60) })
    }
}
