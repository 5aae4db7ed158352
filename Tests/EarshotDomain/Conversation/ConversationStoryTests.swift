import EarshotDomain
import EarshotModel
import EarshotTestKit
import Testing

@Suite struct `A conversation` {
    let new = ConversationScenario()
    let waiting = ConversationScenario().given(.say("Hello"), by: .consumer)
    var open: ConversationScenario { waiting.given(.take, by: .dana) }
    var closed: ConversationScenario { open.given(.close, by: .dana) }

    @Test func `begins with the consumer's first message`() throws {
        let kinds = try new.kinds(of: .say("Hello"), by: .consumer)
        #expect(kinds == [.started(.init(channel: .web, app: AppID(trusted: "shop"))), .text("Hello")])
        #expect(new.state.status == .new)
        #expect(waiting.state.status == .waiting)
        #expect(waiting.events.map(\.by) == [.consumer, .consumer])
    }

    @Test func `is taken once, by somebody who joins it`() throws {
        let kinds = try waiting.kinds(of: .take, by: .dana)
        #expect(
            kinds == [
                .joined(.init(role: .agent, name: "Dana", id: AgentID(trusted: "agent-dana"))),
                .assigned(.init(to: .firstAgent)),
            ])
        #expect(open.state.status == .open)
        #expect(open.state.assignee == .firstAgent)
    }

    @Test func `is taken by the agent who answers it`() throws {
        let answered = waiting.given(.say("Hi"), by: .dana)
        #expect(answered.state.status == .open)
        #expect(answered.events.last?.kind == .text("Hi"))
        #expect(answered.events.last?.by == .firstAgent)
    }

    @Test func `numbers its people in the order in which they joined, and knows them again`() throws {
        let story = open.given(.close, by: .mona).given(.say("Wait"), by: .consumer).given(.take, by: .dana)
        #expect(story.state.people.map(\.name) == ["Dana", "Mona"])
        #expect(story.state.people.map(\.by.rawValue) == [2, 3])
        #expect(
            try closed.given(.say("Again"), by: .consumer).kinds(of: .take, by: .dana) == [
                .assigned(.init(to: .firstAgent))
            ])
    }

    @Test func `is resumed when the consumer writes again, and waits`() throws {
        #expect(try closed.kinds(of: .say("Again"), by: .consumer) == [.resumed, .text("Again")])
        let resumed = closed.given(.say("Again"), by: .consumer)
        #expect(resumed.state.status == .waiting)
        #expect(resumed.state.assignee == nil)
    }

    @Test func `is resumed when an agent writes to it, and is theirs`() throws {
        let resumed = closed.given(.say("One more thing"), by: .eli)
        #expect(resumed.state.status == .open)
        #expect(resumed.state.assignee.flatMap(resumed.state.person)?.name == "Eli")
    }

    @Test func `carries voice messages both ways`() throws {
        let story = waiting.given(.play(.sample()), by: .consumer).given(.play(.sample("media-2")), by: .dana)
        #expect(story.state.last == InboxRow.Preview(by: .firstAgent, audio: 12_345))
    }

    @Test func `is what its events add up to`() {
        let story = closed.given(.play(.sample()), by: .consumer).given(.say("Yes"), by: .eli).given(.close, by: .mona)
        #expect(ConversationState.fold(story.events, of: .sample()) == story.state)
        #expect(story.events.map(\.sequence) == Array(1...story.events.count))
    }

    @Test func `goes on past an event of a kind that came later`() {
        var state = open.state
        state.apply(Event(sequence: state.sequence + 1, at: open.now, by: .system, kind: .unknown))
        #expect(state.sequence == open.state.sequence + 1)
        #expect(state.status == .open)
    }

    @Test func `with a gap is a fault of the log`() async {
        await #expect(processExitsWith: .failure) {
            var state = ConversationState(.sample())
            state.apply(Event(sequence: 2, at: Timestamp(milliseconds: 0), by: .consumer, kind: .text("a")))
        }
    }
}
