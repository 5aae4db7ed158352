import EarshotDomain
import EarshotModel
import EarshotTestKit
import Testing

private let answered = ConversationScenario().given(.say("Is it water-proof?"), by: .consumer)
    .given(.say("It is."), by: .dana)
private let closed = answered.given(.close, by: .dana)
private let asked = Event.Surveyed(
    question: "?", csat: true, nps: false, words: false, until: closed.now.adding(milliseconds: 3_600_000))

extension ConversationScenario {
    fileprivate var actions: [ScheduledAction] {
        let centre = ContactCentreSettings.talkative(autoCloseSeconds: 600)
        return state.scheduledActions(centre, Timetable(centre))
    }

    fileprivate func surveyed() -> ConversationScenario {
        var context = RoutingActionContext()
        context.survey = asked
        return given(.sendSurvey(closedAt: now), in: context)
    }

    fileprivate var row: InboxRow? { InboxRow(state, marks: Marks(), who: "Visitor", position: 1) }
}

@Suite struct `A close that is taken back` {
    @Test func `leaves everything as it was before`() throws {
        let promised = answered.given(.callback(600), by: .dana).given(.say("Thanks"), by: .consumer)
        let back = promised.given(.close, by: .dana).given(.reopen, by: .dana)
        var expected = promised.state
        (expected.sequence, expected.lastEventAt) = (back.state.sequence, back.state.lastEventAt)
        expected.timestamps.closed = back.state.timestamps.closed
        #expect(back.state == expected)
        #expect(back.events.last?.kind == .reopened(.init(to: .firstAgent)))
        #expect(ConversationState.fold(back.events, of: .sample()) == back.state)
    }

    @Test func `waits again where nobody had it`() throws {
        let waiting = ConversationScenario().given(.say("Hello"), by: .consumer)
        let back = waiting.given(.close, by: .mona).given(.reopen, by: .mona)
        #expect(back.events.last?.kind == .reopened(.init(to: nil)))
        #expect(back.state.status == .waiting && back.state.unanswered == waiting.state.unanswered)
    }

    @Test func `sends nothing that was sent before, and asks once more only after the next close`() {
        let back = closed.surveyed().given(.reopen, by: .dana)
        #expect(back.state.routing.survey == nil)
        #expect(back.actions.map(\.action) == answered.actions.map(\.action))
        #expect(back.refusal(of: .rate(.init(csat: 5)), by: .consumer)?.code == .surveyClosed)
        let again = back.given(.close, by: .dana)
        #expect(again.actions.contains { $0.action == .sendSurvey(closedAt: again.now) })
    }

    @Test func `is refused to anyone but who closed it`() {
        #expect(closed.refusal(of: .reopen, by: .eli)?.code == .notAssigned)
        #expect(closed.refusal(of: .reopen, by: .mona)?.code == .notAssigned)
        #expect(closed.refusal(of: .reopen, by: .consumer)?.code == .forbidden)
        let byConsumer = answered.given(.close, by: .consumer)
        #expect(byConsumer.refusal(of: .reopen, by: .dana)?.code == .notAssigned)
        #expect(closed.refusal(of: .reopen, by: .dana) == nil)
    }

    @Test(arguments: [(29, true), (30, true), (31, false)])
    func `is possible for thirty seconds`(seconds: Int64, isPossible: Bool) {
        let refusal = closed.after(seconds: seconds).refusal(of: .reopen, by: .dana)
        #expect(refusal?.code == (isPossible ? nil : .reopenExpired))
    }

    @Test func `is refused once the survey was answered, and once it is open again`() {
        let rated = closed.surveyed().given(.rate(.init(csat: 5)), by: .consumer)
        #expect(rated.refusal(of: .reopen, by: .dana)?.code == .reopenExpired)
        #expect(answered.refusal(of: .reopen, by: .dana)?.code == .reopenExpired)
        #expect(closed.given(.reopen, by: .dana).refusal(of: .reopen, by: .dana)?.code == .reopenExpired)
    }

    @Test func `keeps what the consumer wrote meanwhile`() {
        let back = closed.given(.say("Wait, which floor?"), by: .consumer).given(.reopen, by: .dana)
        #expect(back.state.status == .open && back.state.unanswered.count == 1)
        #expect(back.state.unansweredSince == back.events.first { $0.kind == .text("Wait, which floor?") }?.at)
    }
}

@Suite struct `A word after the close` {
    private let thanked = closed.surveyed().given(.say("Thanks!"), by: .consumer)

    @Test func `opens nothing, and the survey can still be answered`() {
        #expect(thanked.state.status == .closed)
        #expect(thanked.events.last?.kind == .text("Thanks!"))
        #expect(thanked.refusal(of: .rate(.init(csat: 5)), by: .consumer) == nil)
        #expect(QueueEntry(thanked.state, unplayedMs: 0, in: ContactCentreSettings()) == nil)
        #expect(thanked.actions.allSatisfy { if case .resumeClosed = $0.action { true } else { false } })
    }

    @Test func `is shown to who closed it, and counts as unfinished`() {
        #expect(thanked.row?.routing?.afterword == AgentID(trusted: "agent-dana"))
        #expect(thanked.row?.status == .closed && thanked.row?.unread == 1)
        #expect(!thanked.state.isFinished && closed.state.isFinished)
        #expect(closed.row?.routing?.afterword == nil)
    }

    @Test func `needs no answer: nothing is left of it`() {
        let settled = thanked.given(.settle, by: .eli)
        #expect(settled.state.status == .closed && settled.state.isFinished)
        #expect(settled.row?.routing?.afterword == nil && settled.actions == [])
        #expect(settled.state.since == settled.state.timestamps.closed)
        #expect(settled.refusal(of: .settle, by: .dana)?.code == .nothingUnanswered)
        #expect(settled.refusal(of: .rate(.init(csat: 5)), by: .consumer) == nil, "the survey is still there")
    }

    @Test func `opens the conversation after five minutes in which no one looked at it`() {
        let since = thanked.state.unansweredSince
        let due = thanked.actions.first
        #expect(due?.at == since?.adding(milliseconds: Int64(Limits.afterwordHoldSeconds) * 1000))
        guard let due else { return }
        let resumed = thanked.given(due.action)
        #expect(resumed.state.status == .waiting && resumed.state.unansweredSince == since)
        #expect((try? thanked.given(.settle, by: .dana).state.decide(due.action)) == nil)
        #expect((try? thanked.given(.reopen, by: .dana).state.decide(due.action)) == nil)
    }

    @Test func `is answered like any other: the agent has the conversation again`() {
        let spoken = thanked.given(.say("You are welcome!"), by: .dana)
        #expect(spoken.state.status == .open && spoken.state.unanswered == [])
        #expect(spoken.refusal(of: .reopen, by: .dana)?.code == .reopenExpired)
    }

    @Test(arguments: [(298, true), (299, false), (300, false)])
    func `is one for five minutes`(seconds: Int64, isAfterword: Bool) throws {
        // The close happened one second after it was asked for.
        let kinds = try closed.after(seconds: seconds + 1).kinds(of: .say("Thanks!"), by: .consumer)
        #expect(kinds == (isAfterword ? [.text("Thanks!")] : [.resumed, .text("Thanks!")]))
    }

    @Test func `is none where the brand owed an answer, or the consumer or time closed it`() throws {
        let text = Event.Kind.text("And?")
        let owed = answered.given(.say("Which floor?"), by: .consumer).given(.close, by: .dana)
        let byConsumer = answered.given(.close, by: .consumer)
        let answeredAt = try #require(answered.state.timestamps.answered)
        let idle = answered.given(.closeIdle(answeredAt: answeredAt))
        for day in [owed, byConsumer, idle] {
            #expect(try day.kinds(of: .say("And?"), by: .consumer) == [.resumed, text])
        }
    }
}

@Suite struct `That no answer is needed` {
    private let thanked = answered.given(.say("Perfect, thank you"), by: .consumer)

    @Test func `stops the clock, and sends nothing`() {
        let settled = thanked.given(.settle, by: .dana)
        #expect(settled.state.status == .open && settled.state.unansweredSince == nil)
        #expect(settled.row?.routing?.settled == true && settled.row?.unread == 0)
        let entry = QueueEntry(settled.state, unplayedMs: 0, in: ContactCentreSettings())
        #expect(entry?.times.unansweredSince == nil)
        #expect(entry?.times.answeredAt == answered.state.timestamps.answered, "it is no answer: no promise was kept")
        let asks = settled.actions.contains {
            if case .sendMessage(.consumerIdle, _) = $0.action { true } else { false }
        }
        #expect(!asks, "nobody is asked whether they are still there")
    }

    @Test func `closes it later than an answer would have`() throws {
        let settled = thanked.after(seconds: 500).given(.settle, by: .dana)
        let close = settled.actions.first { if case .closeIdle = $0.action { true } else { false } }
        #expect(close?.at == settled.now.adding(milliseconds: 600_000))
    }

    @Test func `ends with the next word of either side`() {
        let settled = thanked.given(.settle, by: .dana)
        for next in [settled.given(.say("One more thing"), by: .consumer), settled.given(.say("Bye"), by: .dana)] {
            #expect(next.row?.routing?.settled == nil)
        }
        #expect(settled.given(.say("One more thing"), by: .consumer).state.unanswered.count == 1)
    }

    @Test func `is said by who answers, and of what is unanswered`() {
        #expect(thanked.refusal(of: .settle, by: .eli)?.code == .notAssigned)
        #expect(answered.refusal(of: .settle, by: .dana)?.code == .nothingUnanswered)
        let waiting = ConversationScenario().given(.say("Hello"), by: .consumer)
        #expect(waiting.refusal(of: .settle, by: .dana)?.code == .notAssigned)
        #expect(thanked.given(.join, by: .mona).refusal(of: .settle, by: .mona) == nil)
        #expect(closed.refusal(of: .settle, by: .dana)?.code == .nothingUnanswered)
    }

    @Test func `is a private event`() {
        #expect(Event.Kind.settled.isPrivate && !Event.Kind.reopened(.init(to: nil)).isPrivate)
    }
}
