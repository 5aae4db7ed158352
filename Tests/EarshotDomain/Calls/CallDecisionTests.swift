import EarshotModel
import EarshotTestKit
import Testing

@testable import EarshotDomain

/// A conversation with its clock, in which calls are on.
private final class CallStory {
    static let dana = Actor.agent(id: AgentID(trusted: "dana"), name: "Dana", role: .agent)
    static let omar = Actor.agent(id: AgentID(trusted: "omar"), name: "Omar", role: .agent)
    static let mona = Actor.agent(id: AgentID(trusted: "mona"), name: "Mona", role: .manager)

    var state: ConversationState
    var now = Timestamp(milliseconds: 1_000_000)
    var calls = AccountSettings.Calls()
    var isInCall = false
    private(set) var events: [Event] = []

    /// A conversation that Dana answers.
    init(on channel: MessagingChannel = .web) {
        state = ConversationState(
            ConversationIdentity(
                id: ConversationID(trusted: "c"), account: AccountID(trusted: "a"), app: AppID(trusted: "app"),
                consumer: ConsumerID(trusted: "k"), channel: channel))
        (calls.voice, calls.video, calls.requests) = (true, true, true)
        _ = doing(.send(.text("Hi")), by: .consumer)
        _ = doing(.take, by: Self.dana)
    }

    /// The same story, which goes on by itself.
    func copy() -> CallStory {
        let copy = CallStory()
        (copy.state, copy.now, copy.calls, copy.isInCall, copy.events) = (state, now, calls, isInCall, events)
        return copy
    }

    var context: Context {
        var context = Context(now: now)
        (context.calls, context.isInCall) = (calls, isInCall)
        return context
    }

    func wait(seconds: Int) { now = now.adding(seconds: seconds) }

    /// The refusal of a command; `nil` where it is accepted.
    @discardableResult
    func doing(_ command: Command, by actor: Actor) -> Rejection.Code? {
        do throws(Rejection) { write(try state.decide(command, by: actor, in: context)) } catch { return error.code }
        return nil
    }

    @discardableResult
    func doing(_ action: RoutingAction) -> Bool {
        var context = RoutingActionContext()
        context.now = now
        guard let facts = try? state.decide(action, in: context) else { return false }
        write(facts)
        return true
    }

    private func write(_ facts: [Fact]) {
        for fact in facts {
            let event = Event(sequence: state.sequence + 1, at: now, by: fact.by, kind: fact.kind)
            state.apply(event)
            events.append(event)
        }
    }

    var endings: [CallEnding] { events.compactMap { if case .callEnded(let ending) = $0.kind { ending } else { nil } } }
    var call: Int { state.routing.call?.number ?? 0 }
}

@Suite struct `A call` {
    private let story = CallStory()

    @Test func `is invited, answered and hung up, and each of it is an event`() throws {
        #expect(story.doing(.invite(.voice), by: CallStory.dana) == nil)
        let call = try #require(story.state.routing.call)
        #expect(call.number == story.state.sequence && call.kind == .voice && call.answeredAt == nil)
        #expect(call.until == story.now.adding(seconds: Limits.invitationSeconds))
        story.wait(seconds: 5)
        #expect(story.doing(.answerCall(call.number), by: .consumer) == nil)
        #expect(story.state.unansweredSince == nil, "what was asked is answered by talking")
        story.wait(seconds: 60)
        let quality = CallQuality(lost: 3, jitterMs: 4, rttMs: 50, mos: 430, relayed: false)
        #expect(story.doing(.hangUp(.init(call: call.number, quality: quality)), by: .consumer) == nil)
        #expect(story.state.routing.call == nil)
        #expect(story.endings == [CallEnding(of: call.number, why: .hungUp, ms: 60_000, quality: quality)])
    }

    @Test(arguments: [
        (Actor.consumer, false, CallEnding.Why.declined), (CallStory.dana, false, .cancelled),
        (.consumer, true, .failed), (CallStory.dana, true, .failed),
    ])
    func `that nobody answered ends by who ended it`(actor: Actor, failed: Bool, why: CallEnding.Why) {
        story.doing(.invite(.video), by: CallStory.dana)
        let number = story.call
        #expect(story.doing(.hangUp(.init(call: number, failed: failed)), by: actor) == nil)
        #expect(story.endings == [CallEnding(of: number, why: why)])
    }

    @Test func `ends unanswered after its time, and not where it was answered`() {
        story.doing(.invite(.voice), by: CallStory.dana)
        let number = story.call
        let due = story.state.scheduledActions(ContactCentreSettings(), Timetable(ContactCentreSettings()))
            .first { if case .endCall = $0.action { true } else { false } }
        #expect(due?.at == story.now.adding(seconds: Limits.invitationSeconds))
        #expect(due?.action == .endCall(number, .unanswered))
        let answered = story.copy()
        answered.wait(seconds: Limits.invitationSeconds - 1)
        #expect(answered.doing(.answerCall(number), by: .consumer) == nil, "just in time")
        #expect(!answered.doing(.endCall(number, .unanswered)))
        #expect(answered.doing(.endCall(number, .left)), "but a device may be gone")
        story.wait(seconds: Limits.invitationSeconds)
        #expect(story.doing(.answerCall(number), by: .consumer) == .callOver, "its end is written a moment later")
        #expect(story.doing(.endCall(number, .unanswered)))
        #expect(story.endings.map(\.why) == [.unanswered])
        #expect(!story.doing(.endCall(number, .unanswered)), "once")
    }

    @Test func `has one winner of each race`() {
        story.doing(.invite(.voice), by: CallStory.dana)
        let number = story.call
        let cancelled = story.copy()
        #expect(cancelled.doing(.hangUp(.init(call: number)), by: CallStory.dana) == nil)
        #expect(cancelled.doing(.answerCall(number), by: .consumer) == .callOver)
        #expect(story.doing(.answerCall(number), by: .consumer) == nil)
        #expect(story.doing(.answerCall(number), by: .consumer) == .callAnswered, "the other tab")
        #expect(story.doing(.hangUp(.init(call: number)), by: .consumer) == nil)
        #expect(story.doing(.hangUp(.init(call: number)), by: CallStory.dana) == .callOver)
        #expect(story.endings.count == 1)
    }

    @Test func `needs that the brand allows it, and the channel has it`() {
        story.calls.video = false
        #expect(story.doing(.invite(.video), by: CallStory.dana) == .callsOff)
        #expect(story.doing(.requestCall(.video), by: .consumer) == .callsOff)
        story.calls.requests = false
        #expect(story.doing(.requestCall(.voice), by: .consumer) == .callsOff)
        #expect(story.doing(.invite(.voice), by: CallStory.dana) == nil)
        let elsewhere = CallStory(on: .unknown)
        #expect(elsewhere.doing(.invite(.voice), by: CallStory.dana) == .callsOff)
    }

    @Test func `is for who answers the conversation, and one at a time`() {
        #expect(story.doing(.invite(.voice), by: CallStory.omar) == .notAssigned)
        #expect(story.doing(.invite(.voice), by: .consumer) == .forbidden)
        #expect(story.doing(.answerCall(1), by: CallStory.dana) == .forbidden)
        #expect(story.doing(.requestCall(.voice), by: CallStory.dana) == .forbidden)
        story.isInCall = true
        #expect(story.doing(.invite(.voice), by: CallStory.dana) == .inCall)
        story.isInCall = false
        story.doing(.invite(.voice), by: CallStory.dana)
        #expect(story.doing(.invite(.voice), by: CallStory.dana) == .callUnderWay)
        #expect(story.doing(.hangUp(.init(call: story.call)), by: CallStory.omar) == .notAssigned)
        for forged in [0, -1, story.call - 1, story.call + 1, .max] {
            #expect(story.doing(.answerCall(forged), by: .consumer) == .callOver)
            #expect(story.doing(.hangUp(.init(call: forged)), by: CallStory.dana) == .callOver)
        }
    }

    @Test func `can be checked by who could invite to one, and by nobody else`() {
        func refusal(_ actor: Actor, _ story: CallStory) -> Rejection.Code? {
            let decision = CallDecision(story.state, by: actor, in: story.context)
            do throws(Rejection) { try decision.checkInvitation() } catch { return error.code }
            return nil
        }
        #expect(refusal(CallStory.dana, story) == nil)
        for other in [CallStory.omar, CallStory.mona, .consumer] { #expect(refusal(other, story) == .notAssigned) }
        story.calls.voice = false
        #expect(refusal(CallStory.dana, story) == nil)
        story.calls.video = false
        #expect(refusal(CallStory.dana, story) == .callsOff)
        story.calls.voice = true
        story.doing(.close, by: CallStory.dana)
        #expect(refusal(CallStory.dana, story) == .alreadyClosed)
        #expect(refusal(CallStory.dana, CallStory(on: .unknown)) == .callsOff)
    }

    @Test func `ends where the conversation is closed or given away, in the same commit`() {
        for take in 0..<4 {
            let story = story.copy()
            story.doing(.invite(.voice), by: CallStory.dana)
            story.doing(.answerCall(story.call), by: .consumer)
            story.wait(seconds: 7)
            switch take {
            case 0: story.doing(.close, by: CallStory.dana)
            case 1: story.doing(.close, by: .consumer)
            case 2: story.doing(.transfer(.init()), by: CallStory.dana)
            default: story.doing(.takeOver, by: CallStory.mona)
            }
            #expect(story.endings.map(\.why) == [.closed] && story.endings[0].ms == 7_000, "\(take)")
            #expect(story.state.routing.call == nil)
            if case .callEnded = story.events.last?.kind { Issue.record("the last fact is the command's own") }
        }
    }

    @Test func `is not closed as idle, nor taken from its agent`() {
        story.doing(.invite(.voice), by: CallStory.dana)
        story.doing(.answerCall(story.call), by: .consumer)
        story.doing(.send(.text("And another thing")), by: .consumer)
        #expect(!story.doing(.requeue(reason: .silentOnline)))
        story.doing(.send(.text("Yes?")), by: CallStory.dana)
        var centre = ContactCentreSettings()
        centre.skills[0].autoCloseSeconds = 60
        #expect(
            !story.state.scheduledActions(centre, Timetable(centre)).contains {
                if case .closeIdle = $0.action { true } else { false }
            })
    }

    @Test func `can be asked for once, waits like a message, and is answered by an invitation or a word`() {
        story.doing(.send(.text("Hello")), by: CallStory.dana)
        #expect(story.doing(.requestCall(.voice), by: .consumer) == nil)
        #expect(story.state.unansweredSince == story.now && story.state.routing.wantedCall == .voice)
        #expect(story.doing(.requestCall(.voice), by: .consumer) == .callRequested)
        let called = story.copy()
        called.doing(.invite(.voice), by: CallStory.dana)
        #expect(called.state.routing.wantedCall == nil && called.state.unansweredSince != nil, "not answered yet")
        #expect(called.doing(.requestCall(.voice), by: .consumer) == .callUnderWay)
        story.doing(.send(.text("I am in a meeting")), by: CallStory.dana)
        #expect(story.state.routing.wantedCall == nil && story.state.unansweredSince == nil)
        story.doing(.close, by: CallStory.dana)
        #expect(story.doing(.requestCall(.voice), by: .consumer) == .alreadyClosed)
    }
}
