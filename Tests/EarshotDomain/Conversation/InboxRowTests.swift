import EarshotDomain
import EarshotModel
import EarshotTestKit
import Testing

@Suite struct `An inbox row` {
    @Test func `is not there before anything was said`() {
        #expect(InboxRow(ConversationScenario().state, marks: Marks(), who: "Visitor", position: 1) == nil)
    }

    @Test func `says since when the oldest unanswered message waits`() throws {
        let first = ConversationScenario().given(.say("One"), by: .consumer)
        let second = first.given(.say("Two"), by: .consumer)
        #expect(try row(second).since == first.now)
        let answered = second.given(.say("Hi"), by: .dana)
        #expect(try row(answered).since == answered.now)
        let closed = answered.given(.close, by: .dana)
        #expect(try row(closed).since == closed.now)
    }

    @Test(arguments: [98, 99, 100]) func `counts what nobody has read, up to 99`(messages: Int) throws {
        var story = ConversationScenario()
        for number in 1...messages { try story.perform(.say("\(number)"), by: .consumer) }
        #expect(try row(story).unread == min(messages, Limits.unread))
        var marks = Marks()
        marks.raise(
            Mark(by: .firstAgent, delivered: story.state.sequence, read: story.state.sequence - 3),
            lastSequence: story.state.sequence)
        #expect(try row(story, marks).unread == 3)
        #expect(try row(story.given(.say("Hi"), by: .dana)).unread == 0, "an answer has read them")
    }

    @Test(arguments: [119, 120, 121]) func `shows the beginning of the last message`(length: Int) throws {
        for character in ["a", "é", "\u{1F469}\u{200D}\u{1F467}"] {
            let text = String(repeating: character, count: length)
            let shown = try #require(try row(ConversationScenario().given(.say(text), by: .consumer)).last?.text)
            #expect(shown == String(text.prefix(Limits.previewCharacters)))
        }
    }

    @Test func `names who answers`() throws {
        let open = ConversationScenario().given(.say("Hello"), by: .consumer).given(.take, by: .dana)
        #expect(try row(open).assignee == AgentID(trusted: "agent-dana"))
        #expect(try row(open).assigneeName == "Dana")
        #expect(try row(open.given(.close, by: .dana)).assignee == nil)
    }

    private func row(_ story: ConversationScenario, _ marks: Marks = Marks()) throws -> InboxRow {
        try #require(InboxRow(story.state, marks: marks, who: "Visitor", position: 1))
    }
}

@Suite struct `The marks of a conversation` {
    @Test func `never pass the last event, never go back`() {
        var marks = Marks()
        var moved = marks.raise(Mark(by: .consumer, delivered: 9, read: 4), lastSequence: 5)
        #expect(moved)
        #expect(marks[.consumer] == Mark(by: .consumer, delivered: 5, read: 4))
        moved = marks.raise(Mark(by: .consumer, delivered: 3, read: 2), lastSequence: 5)
        #expect(!moved)
        #expect(marks[.consumer] == Mark(by: .consumer, delivered: 5, read: 4))
        moved = marks.raise(Mark(by: .firstAgent, delivered: 0, read: 0), lastSequence: 5)
        #expect(!moved, "nothing is no mark")
    }

    @Test func `of the brand are one for the consumer, and the consumer's for the brand`() {
        var marks = Marks()
        marks.raise(Mark(by: .consumer, delivered: 5, read: 1), lastSequence: 9)
        marks.raise(Mark(by: ParticipantNumber(2), delivered: 7, read: 2), lastSequence: 9)
        marks.raise(Mark(by: ParticipantNumber(3), delivered: 6, read: 6), lastSequence: 9)
        #expect(marks.visible(to: .consumer) == [Mark(by: .firstAgent, delivered: 7, read: 6)])
        #expect(marks.visible(to: .brand) == [Mark(by: .consumer, delivered: 5, read: 1)])
    }
}

@Suite struct `A consumer sees` {
    @Test func `the name of the agent who joined, and not their id`() {
        let joined = Event.Joined(role: .agent, name: "Dana", id: AgentID(trusted: "agent-dana"))
        let event = Event(sequence: 3, at: Timestamp(milliseconds: 1), by: .firstAgent, kind: .joined(joined))
        let seen = Event(
            sequence: 3, at: Timestamp(milliseconds: 1), by: .firstAgent,
            kind: .joined(.init(role: .agent, name: "Dana", id: nil)))
        #expect(event.visible(to: .consumer) == .instead(seen))
        #expect(event.visible(to: .brand) == .same)
        #expect(
            [Participant(by: .firstAgent, role: .agent, name: "Dana", id: joined.id)].visible(to: .consumer).map(\.id)
                == [nil])
    }

    @Test func `every other event as it is`() {
        let story = ConversationScenario().given(.say("Hello"), by: .consumer).given(.play(.sample()), by: .dana).given(
            .close, by: .dana)
        let others = story.events.filter { if case .joined = $0.kind { false } else { true } }
        #expect(others.allSatisfy { $0.visible(to: .consumer) == .same })
        #expect(others.count == story.events.count - 1)
    }
}
