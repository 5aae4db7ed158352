import EarshotDomain
import EarshotModel
import EarshotTestKit
import Testing

@Suite struct `A conversation's state` {
    @Test func `is what its events add up to`() {
        let story = Story().given(.say("one"), by: .consumer).given(.say("hi"), by: .dana).given(.play(.sample()), by: .consumer)
            .given(.close, by: .dana).given(.say("two"), by: .consumer).given(.take, by: .eli)
        #expect(ConversationState.fold(story.events, of: story.state.identity) == story.state)
        #expect(story.events.map(\.sequence) == Array(1...story.events.count))
    }

    @Test func `counts what nobody answered, up to its limit`() {
        var story = Story()
        for number in 0..<(Limits.unread + 1) { story = story.given(.say("\(number)"), by: .consumer) }
        #expect(story.state.unanswered.count == Limits.unread)
        #expect(story.given(.say("hi"), by: .dana).state.unanswered.isEmpty)
    }

    @Test func `shows the beginning of a long message in the inbox`() {
        let text = String(repeating: "é", count: 500)
        let row = Story().given(.say(text), by: .consumer).state.row(marks: Marks(), who: "Visitor", position: 1)
        #expect(row?.last?.text == String(repeating: "é", count: Limits.previewCharacters))
    }

    @Test func `counts as unread what came after an agent's mark`() {
        let story = Story().given(.say("one"), by: .consumer).given(.say("two"), by: .consumer)
        var marks = Marks()
        #expect(story.state.row(marks: marks, who: "V", position: 1)?.unread == 2)
        marks.raise(Mark(by: .firstAgent, delivered: 2, read: 2), lastSequence: story.state.sequence)
        #expect(story.state.row(marks: marks, who: "V", position: 1)?.unread == 1)
    }

    @Test func `has no inbox row before anything was said`() {
        #expect(Story().state.row(marks: Marks(), who: "V", position: 0) == nil)
    }
}

@Suite struct `A watermark` {
    @Test func `never falls, and never passes the last event`() {
        var marks = Marks()
        let rose = marks.raise(Mark(by: .consumer, delivered: 5, read: 3), lastSequence: 4)
        #expect(rose)
        #expect(marks[.consumer] == Mark(by: .consumer, delivered: 4, read: 3))
        let fell = marks.raise(Mark(by: .consumer, delivered: 2, read: 1), lastSequence: 4)
        #expect(!fell)
        #expect(marks[.consumer] == Mark(by: .consumer, delivered: 4, read: 3))
    }

    @Test func `of what was read covers what was delivered`() {
        #expect(Mark(by: .consumer, delivered: 0, read: 7).delivered == 7)
    }

    @Test func `of the brand is one for a consumer, and of the consumer one for the brand`() {
        let marks = Marks([Mark(by: .consumer, delivered: 9, read: 9), Mark(by: ParticipantNumber(2), delivered: 5, read: 1), Mark(by: ParticipantNumber(3), delivered: 4, read: 4)])
        #expect(marks.visible(to: .consumer) == [Mark(by: .firstAgent, delivered: 5, read: 4)])
        #expect(marks.visible(to: .brand) == [Mark(by: .consumer, delivered: 9, read: 9)])
        #expect(Marks().visible(to: .consumer) == [])
    }
}

@Suite struct `What a consumer sees` {
    @Test func `of an agent is the name, never the id`() throws {
        let joined = try #require(Story().given(.say("hi"), by: .consumer).given(.take, by: .dana).events.first { if case .joined = $0.kind { true } else { false } })
        #expect(joined.visible(to: .brand) == .same)
        guard case .instead(let shown) = joined.visible(to: .consumer), case .joined(let person) = shown.kind else { return #expect(Bool(false)) }
        #expect(person.id == nil)
        #expect(person.name == "Dana")
        #expect(shown.sequence == joined.sequence)
    }

    @Test func `is otherwise what everyone sees`() {
        let story = Story().given(.say("hi"), by: .consumer).given(.take, by: .dana).given(.play(.sample()), by: .dana).given(.close, by: .dana)
        for event in story.events {
            if case .joined = event.kind { continue }
            #expect(event.visible(to: .consumer) == .same)
        }
    }
}
