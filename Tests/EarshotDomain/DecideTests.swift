import EarshotDomain
import EarshotModel
import EarshotTestKit
import Testing

@Suite struct `A consumer` {
    @Test func `who says nothing is refused`() {
        for text in ["", " ", "\n\t ", "\u{00a0}\u{2003}"] { #expect(Story().refusal(of: .say(text), by: .consumer)?.code == .textEmpty) }
    }

    @Test(arguments: ["a", "é", "e\u{301}", "👩‍👩‍👧"])
    func `may say 2000 scalars and not one more`(piece: String) {
        let width = piece.unicodeScalars.count
        let atLimit = String(repeating: piece, count: Limits.webTextScalars / width)
        let filled = atLimit + String(repeating: "x", count: Limits.webTextScalars - atLimit.unicodeScalars.count)
        #expect(Story().refusal(of: .say(filled), by: .consumer) == nil)
        #expect(Story().refusal(of: .say(String(filled.unicodeScalars.dropLast())), by: .consumer) == nil)
        let refusal = Story().refusal(of: .say(filled + "x"), by: .consumer)
        #expect(refusal?.code == .textTooLong)
        #expect(refusal?.limit == Limits.webTextScalars)
    }

    @Test func `may neither take nor close`() {
        let story = Story().given(.say("hello"), by: .consumer)
        #expect(story.refusal(of: .take, by: .consumer)?.code == .forbidden)
        #expect(story.refusal(of: .close, by: .consumer)?.code == .forbidden)
    }

    @Test func `begins the conversation with the first message`() throws {
        let app = AppID(trusted: "shop")
        #expect(try Story().kinds(of: .say("hello"), by: .consumer) == [.started(.init(channel: .web, app: app)), .text("hello")])
        #expect(try Story().given(.say("hello"), by: .consumer).kinds(of: .say("again"), by: .consumer) == [.text("again")])
    }

    @Test func `resumes a closed conversation by writing, and it waits again`() throws {
        let closed = Story().given(.say("hello"), by: .consumer).given(.say("hi"), by: .dana).given(.close, by: .dana)
        #expect(try closed.kinds(of: .say("one more thing"), by: .consumer) == [.resumed, .text("one more thing")])
        let resumed = closed.given(.say("one more thing"), by: .consumer)
        #expect(resumed.state.status == .waiting)
        #expect(resumed.state.assignee == nil)
    }

    @Test func `may say a voice message`() throws {
        let audio = AudioContent.sample()
        #expect(try Story().given(.say("hello"), by: .consumer).kinds(of: .play(audio), by: .consumer) == [.audio(audio)])
    }
}

@Suite struct `An agent` {
    let waiting = Story().given(.say("hello"), by: .consumer)

    @Test func `cannot begin a conversation`() {
        for command in [Command.say("hi"), .take, .close] { #expect(Story().refusal(of: command, by: .dana) == .notFound) }
    }

    @Test func `who comes second is told who was first`() {
        let taken = waiting.given(.take, by: .dana)
        let refusal = taken.refusal(of: .take, by: .eli)
        #expect(refusal?.code == .alreadyTaken)
        #expect(refusal?.text.contains("Dana") == true)
        #expect(taken.refusal(of: .take, by: .dana)?.code == .alreadyTaken)
    }

    @Test func `cannot speak or close where another answers`() {
        let taken = waiting.given(.take, by: .dana)
        #expect(taken.refusal(of: .say("me too"), by: .eli)?.code == .notAssigned)
        #expect(taken.refusal(of: .close, by: .eli)?.code == .notAssigned)
    }

    @Test func `cannot take or close what is closed, nor close what nobody answers`() {
        let closed = waiting.given(.take, by: .dana).given(.close, by: .dana)
        #expect(closed.refusal(of: .take, by: .dana)?.code == .alreadyClosed)
        #expect(closed.refusal(of: .close, by: .dana)?.code == .alreadyClosed)
        #expect(waiting.refusal(of: .close, by: .dana)?.code == .notAssigned)
    }

    @Test func `joins and is assigned by taking, once`() throws {
        let kinds = try waiting.kinds(of: .take, by: .dana)
        #expect(kinds == [.joined(.init(role: .agent, name: "Dana", id: AgentID(trusted: "agent-dana"))), .assigned(.init(to: .firstAgent))])
        let again = waiting.given(.take, by: .dana).given(.close, by: .dana).given(.say("still there?"), by: .consumer)
        #expect(try again.kinds(of: .take, by: .dana) == [.assigned(.init(to: .firstAgent))])
    }

    @Test func `takes a waiting conversation by answering it`() throws {
        let answered = waiting.given(.say("hi"), by: .dana)
        #expect(answered.state.status == .open)
        #expect(answered.state.assignee == .firstAgent)
        #expect(answered.events.last?.kind == .text("hi"))
    }

    @Test func `may write to a closed conversation at any time, and answers it then`() {
        let closed = waiting.given(.take, by: .dana).given(.close, by: .dana).given(.say("your parcel is there"), by: .eli)
        #expect(closed.state.status == .open)
        #expect(closed.state.person(closed.state.assignee!)?.name == "Eli")
        #expect(closed.state.people.map(\.by.rawValue) == [2, 3])
    }

    @Test func `who is a manager may close what another answers`() {
        #expect(waiting.given(.take, by: .dana).given(.close, by: .mona).state.status == .closed)
    }
}
