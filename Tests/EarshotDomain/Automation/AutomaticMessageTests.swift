import EarshotDomain
import EarshotModel
import Testing

@Suite struct `An automatic message` {
    @Test func `agent idle, ten minutes: assigned at 10:10 and silent, it is due at 10:20`() {
        #expect(
            ConversationTimeline(.talkative()).began("10:00").assigned("10:10").due(.agentIdle)
                == ConversationTimeline.time("10:20"))
    }

    @Test func `agent idle, ten minutes: transferred at 10:15 and assigned again at 10:20, it is due at 10:30`() {
        let day = ConversationTimeline(.talkative()).began("10:00").assigned("10:10").queued("10:15", .transferred)
        #expect(day.due(.agentIdle) == nil, "nobody is its agent")
        #expect(day.assigned("10:20").due(.agentIdle) == ConversationTimeline.time("10:30"))
    }

    @Test
    func
        `agent idle, ten minutes: agent wrote at 10:10, consumer at 10:15 and 10:20, it is due at 10:25`()
    {
        let day = ConversationTimeline(.talkative()).began("10:00").assigned("10:05").agent("10:10").consumer("10:15")
            .consumer(
                "10:20")
        #expect(day.due(.agentIdle) == ConversationTimeline.time("10:25"))
        #expect(day.agent("10:24").due(.agentIdle) == nil, "the agent answered")
    }

    @Test
    func
        `queued, fifteen minutes: queued at 10:00, it is due at 10:15; queued again at 10:11, at 10:26`()
    {
        let day = ConversationTimeline(.talkative(minutes: 15)).began("10:00")
        #expect(day.due(.queued) == ConversationTimeline.time("10:15"))
        let assigned = day.assigned("10:10")
        #expect(assigned.due(.queued) == nil)
        #expect(assigned.queued("10:11", .returned).due(.queued) == ConversationTimeline.time("10:26"))
    }

    @Test
    func
        `consumer idle, ten minutes: agent wrote at 10:00, transferred at 10:05, it is due at 10:10`()
    {
        let day = ConversationTimeline(.talkative()).began("9:50").assigned("9:55").agent("10:00").queued(
            "10:05", .transferred
        )
        .assigned("10:07")
        #expect(day.due(.consumerIdle) == ConversationTimeline.time("10:10"), "a transfer does not move it")
        #expect(day.consumer("10:08").due(.consumerIdle) == nil)
    }

    @Test func `consumer idle, closed when idle: nothing while the agent promised to be back`() {
        let day = ConversationTimeline(.talkative(autoCloseSeconds: 7200)).began("9:50").assigned("9:55").agent("10:00")
        let promised = day.at("10:01", .callback(.init(until: ConversationTimeline.time("11:30"))), by: 2)
        #expect(day.due(.consumerIdle) != nil && day.closeDue != nil, "the premise")
        #expect(promised.due(.consumerIdle) == nil && promised.closeDue == nil)
        let back = promised.agent("11:20")
        #expect(back.due(.consumerIdle) == ConversationTimeline.time("11:30"), "it is the consumer's turn again")
    }

    @Test func `welcomes again only after more than 48 hours of being closed`() {
        let closed = ConversationTimeline(.talkative()).began("8:00").assigned("8:01").agent("8:02").at(
            "9:00", .closed(.init()), by: 2)
        #expect(closed.at("57:00", .resumed, by: 1).consumer("57:00").due(.welcome) == nil, "48 hours")
        let later = closed.at("57:00:01", .resumed, by: 1).consumer("57:00:01")
        #expect(later.due(.welcome) == ConversationTimeline.time("57:00:01"))
        #expect(later.due(.firstWelcome) == nil)
        #expect(
            closed.at("57:00:01", .resumed, by: 2).assigned("57:00:01").agent("57:00:01").due(.welcome) == nil,
            "the brand wrote first")
    }

    @Test func `uses the variant for closed hours outside the hours`() {
        let centre = ContactCentreSettings.talkative(hours: .open(from: 8, to: 20))
        #expect(ConversationTimeline(centre).began("10:00").occasions.filter { $0 != .queued } == [.firstWelcome])
        #expect(ConversationTimeline(centre).began("21:00").occasions.filter { $0 != .queued } == [.offHoursFirst])
        let closed = ConversationTimeline(centre).began("10:00").at("11:00", .closed(.init(why: .idle)), by: 0)
        #expect(closed.at("69:00", .resumed, by: 1).consumer("69:00").occasions.contains(.offHoursWelcome))
        #expect(
            closed.at("22:00", .resumed, by: 1).consumer("22:00").occasions.filter { $0 != .queued } == [.offHours],
            "within 48 hours no welcome")
    }

    @Test func `is sent once for each night, not for each message of it`() {
        let centre = ContactCentreSettings.talkative(hours: .open(from: 8, to: 20))
        let night = ConversationTimeline(centre).began("10:00").said("10:00", .firstWelcome).assigned("10:01").agent(
            "10:02"
        )
        .consumer("21:00")
        #expect(night.due(.offHours) == ConversationTimeline.time("21:00"))
        let told = night.said("21:00", .offHours).agent("21:30").consumer("22:00")
        #expect(told.due(.offHours) == nil)
        #expect(
            told.agent("32:30").consumer("45:00").due(.offHours) == ConversationTimeline.time("45:00"), "the next night"
        )
    }

    @Test(arguments: AutomaticMessage.Occasion.allCases) func `is sent once for its cause`(
        occasion: AutomaticMessage.Occasion
    ) {
        guard let day = Self.occasion(occasion) else { return }
        #expect(day.due(occasion) != nil, "its premise")
        #expect(day.said("10:31", occasion).due(occasion) == nil)
    }

    /// A moment at which it is due.
    static func occasion(_ occasion: AutomaticMessage.Occasion) -> ConversationTimeline? {
        let open = ConversationTimeline(.talkative()).began("10:00").assigned("10:01")
        let night = ContactCentreSettings.talkative(hours: .open(from: 8, to: 9))
        switch occasion {
        case .firstWelcome, .queued: return ConversationTimeline(.talkative()).began("10:00")
        case .offHoursFirst: return ConversationTimeline(night).began("10:00")
        case .welcome:
            return ConversationTimeline(.talkative()).began("-60:00").at("-50:00", .closed(.init()), by: 2).at(
                "10:00", .resumed, by: 1
            ).consumer("10:00")
        case .offHoursWelcome:
            return ConversationTimeline(night).began("-60:00").at("-50:00", .closed(.init()), by: 2).at(
                "10:00", .resumed, by: 1
            )
            .consumer("10:00")
        case .offHours:
            return ConversationTimeline(night).began("8:10").assigned("8:11").agent("8:12").consumer("10:00")
        case .slaChange, .transferred: return open.queued("10:05", .transferred, skill: "second")
        case .returned: return open.queued("10:05", .returned)
        case .urgentOn: return open.at("10:05", .urgent(.init(on: true)), by: 2)
        case .urgentOff: return open.at("10:05", .urgent(.init(on: false)), by: 2)
        case .consumerIdle: return open.agent("10:02")
        case .agentIdle, .connected: return open
        case .managerJoined:
            return open.at("10:05", .joined(.init(role: .manager, name: "Mira", id: AgentID(trusted: "m"))), by: 3)
        case .managerLeft: return Self.occasion(.managerJoined)?.at("10:06", .left, by: 3)
        case .callback:
            return open.at("10:05", .callback(.init(until: ConversationTimeline.time("11:00"))), by: 2)
        }
    }

    @Test func `is chosen by skill before language, and is off where the most specific one is off`() {
        let second = SkillID(trusted: "second")
        func message(_ id: String, skill: SkillID? = nil, language: String? = nil, isOn: Bool = true)
            -> AutomaticMessage
        {
            AutomaticMessage(id: id, on: .welcome, skill: skill, language: language, isOn: isOn, text: id)
        }
        var centre = ContactCentreSettings(automatic: [
            message("all"), message("german", language: "de"), message("second", skill: second),
        ])
        #expect(centre.automatic(.welcome, skill: nil, language: nil)?.id == "all")
        #expect(centre.automatic(.welcome, skill: nil, language: "de-AT")?.id == "german")
        #expect(centre.automatic(.welcome, skill: nil, language: "den")?.id == "all", "den is not de")
        #expect(centre.automatic(.welcome, skill: second, language: "de")?.id == "second")
        centre.automatic.append(message("off", skill: second, language: "de", isOn: false))
        #expect(centre.automatic(.welcome, skill: second, language: "de") == nil)
        #expect(centre.automatic(.connected, skill: second, language: "de") == nil)
    }

    @Test
    func `whose placeholder has no value uses its variant, or omits that sentence, and is never dropped`() {
        func words(_ text: String, without: String? = nil, _ values: [AutomaticMessage.Placeholder: String] = [:])
            -> String?
        {
            AutomaticMessage(id: "m", on: .welcome, text: text, without: without).words(values)
        }
        let text = "Hello! We answer by {expectedResponseTime}. It is 8.15 now, and {this} stays. "
        #expect(
            words(text, [.expectedResponseTime: "8:15"])
                == "Hello! We answer by 8:15. It is 8.15 now, and {this} stays. ")
        #expect(words(text) == "Hello! It is 8.15 now, and {this} stays.")
        #expect(words(text, without: "We answer soon, {brand}.", [.brand: "Fernweh"]) == "We answer soon, Fernweh.")
        #expect(words("By {expectedResponseTime}.", without: "By {time}.") == nil, "nothing is left")
    }
}

@Suite struct `An idle conversation closes` {
    private let day = ConversationTimeline(.talkative(autoCloseSeconds: 7200)).began("12:00").assigned("12:30").agent(
        "13:00")

    @Test func `to the second: two hours after the brand's last message at 13:00, at 15:00`() {
        #expect(day.closeDue == ConversationTimeline.time("15:00"))
    }

    @Test func `at the same time when someone reads, notes, tags or transfers`() {
        let mira = day.at(
            "14:00", .joined(.init(role: .manager, name: "Mira", id: AgentID(trusted: "m"), quiet: true)), by: 3
        )
        .at("14:00", .note(.init(text: "hm")), by: 3).at("14:01", .tagged(.init(tags: ["x"])), by: 3)
        .queued("14:03", .transferred).assigned("14:04").said("14:05", .consumerIdle)
        #expect(mira.closeDue == ConversationTimeline.time("15:00"))
    }

    @Test func `only while it waits for the consumer`() {
        #expect(day.consumer("14:59").closeDue == nil)
        #expect(day.consumer("14:59").agent("15:10").closeDue == ConversationTimeline.time("17:10"))
        #expect(
            ConversationTimeline(.talkative(autoCloseSeconds: 7200)).began("12:00").closeDue == nil, "nobody answered")
    }

    @Test func `only if the transaction still finds it idle`() {
        let action = RoutingAction.closeIdle(answeredAt: ConversationTimeline.time("13:00"))
        #expect((try? day.state.decide(action))?.map(\.kind) == [.closed(.init(why: .idle))])
        #expect((try? day.consumer("14:59").state.decide(action)) == nil)
        #expect((try? day.consumer("14:50").agent("14:55").state.decide(action)) == nil)
    }
}

@Suite struct `A conversation that no one answers` {
    private let waiting = ConversationTimeline(.talkative()).began("12:00")
    private let day = ConversationTimeline.time("00:00")

    @Test func `closes when nobody did anything in it for thirty whole days`() {
        #expect(waiting.unansweredCloseDue == day.adding(milliseconds: 31 * 86_400_000))
        #expect(waiting.assigned("13:00").unansweredCloseDue == waiting.unansweredCloseDue, "also with an agent")
        #expect(waiting.assigned("13:00").agent("13:01").unansweredCloseDue == nil, "it was answered")
        #expect(
            waiting.assigned("13:00").agent("13:01").consumer("13:02").unansweredCloseDue
                == waiting.unansweredCloseDue, "it waits again")
    }

    @Test func `only if the transaction still finds it so`() {
        let action = RoutingAction.closeUnanswered(activeOn: day)
        #expect((try? waiting.state.decide(action))?.map(\.kind) == [.closed(.init(why: .idle))])
        #expect((try? waiting.assigned("13:00").agent("13:01").state.decide(action)) == nil)
        let earlier = RoutingAction.closeUnanswered(activeOn: day.adding(milliseconds: -86_400_000))
        #expect((try? waiting.state.decide(earlier)) == nil, "somebody did something since")
    }
}

@Suite struct `A survey` {
    private let day = ConversationTimeline(.talkative()).began("12:00").assigned("12:30").agent("13:00")

    @Test func `follows a close by a person`() {
        #expect(day.surveyDue == nil)
        #expect(day.at("13:30", .closed(.init()), by: 2).surveyDue == ConversationTimeline.time("13:30"))
        #expect(day.at("13:30", .closed(.init(why: .consumer)), by: 1).surveyDue == ConversationTimeline.time("13:30"))
    }

    @Test func `follows no quiet close, no idle close, no unanswered conversation, and never twice`() {
        #expect(day.at("13:30", .closed(.init(quiet: true)), by: 2).surveyDue == nil)
        #expect(day.at("13:30", .closed(.init(why: .idle)), by: 0).surveyDue == nil)
        #expect(
            ConversationTimeline(.talkative()).began("12:00").at("13:30", .closed(.init(why: .consumer)), by: 1)
                .surveyDue
                == nil)
        let asked = Event.Kind.surveyed(
            .init(question: "?", csat: true, nps: false, words: false, until: ConversationTimeline.time("20:00")))
        #expect(day.at("13:30", .closed(.init()), by: 2).at("13:30", asked, by: 0).surveyDue == nil)
    }
}
