import EarshotDomain
import EarshotModel
import EarshotTestKit
import Testing

@Suite struct `A command is refused` {
    let new = ConversationScenario()
    let waiting = ConversationScenario().given(.say("Hello"), by: .consumer)
    var open: ConversationScenario { waiting.given(.take, by: .dana) }
    var closed: ConversationScenario { open.given(.close, by: .dana) }

    @Test(arguments: ["", " ", "\n\t\u{a0}\u{2003}\u{3000}"]) func `a text of nothing`(text: String) {
        for (story, actor) in [(new, Actor.consumer), (open, .consumer), (open, .dana)] {
            #expect(story.refusal(of: .say(text), by: actor)?.code == .textEmpty)
        }
    }

    /// Unicode scalars are counted, not bytes and not what looks like one character.
    @Test(arguments: ["a", "é", "\u{1F44B}"]) func `a text over the channel's limit`(scalar: String) throws {
        for actor in [Actor.consumer, .dana] {
            #expect(open.refusal(of: .say(String(repeating: scalar, count: 1_999)), by: actor) == nil)
            #expect(open.refusal(of: .say(String(repeating: scalar, count: 2_000)), by: actor) == nil)
            let refusal = try #require(open.refusal(of: .say(String(repeating: scalar, count: 2_001)), by: actor))
            #expect(refusal.code == .textTooLong)
            #expect(refusal.limit == 2_000)
        }
    }

    @Test func `a text whose combining marks go over the limit`() {
        let accents = String(repeating: "\u{301}", count: 1_999)
        #expect(open.refusal(of: .say("e" + accents), by: .consumer) == nil, "one character of 2,000 scalars")
        #expect(open.refusal(of: .say("e\u{301}" + accents), by: .consumer)?.code == .textTooLong)
        let family = "\u{1F469}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}"
        #expect(
            open.refusal(of: .say(String(repeating: family, count: 285) + "12345"), by: .consumer) == nil,
            "2,000 scalars of emoji")
        #expect(
            open.refusal(of: .say(String(repeating: family, count: 285) + "123456"), by: .consumer)?.code
                == .textTooLong)
    }

    @Test(arguments: [Command.take, .takeOver, .note(.init(text: "psst"))])
    func `a consumer's that is not theirs to ask`(command: Command) {
        for story in [new, waiting, open, closed] {
            #expect(story.refusal(of: command, by: .consumer)?.code == .forbidden)
        }
    }

    @Test(arguments: [Command.take, .close, .say("Hello?")]) func `an agent's before anything was said`(
        command: Command
    ) {
        #expect(new.refusal(of: command, by: .dana)?.code == .notFound)
    }

    @Test func `taking what another took`() throws {
        let refusal = try #require(open.refusal(of: .take, by: .eli))
        #expect(refusal.code == .alreadyTaken)
        #expect(refusal.text.contains("Dana"))
        #expect(open.refusal(of: .take, by: .dana)?.code == .alreadyTaken, "even one's own")
    }

    @Test func `taking what is closed`() {
        #expect(closed.refusal(of: .take, by: .dana)?.code == .alreadyClosed)
    }

    @Test func `answering what another answers`() throws {
        let refusal = try #require(open.refusal(of: .say("Hi"), by: .eli))
        #expect(refusal.code == .notAssigned)
        #expect(refusal.text.contains("Dana"))
        #expect(open.refusal(of: .say("Hi"), by: .mona)?.code == .notAssigned, "a manager too takes it first")
    }

    @Test func `closing what another answers, unless by a manager`() {
        #expect(open.refusal(of: .close, by: .eli)?.code == .notAssigned)
        #expect(waiting.refusal(of: .close, by: .eli)?.code == .notAssigned)
        #expect(open.refusal(of: .close, by: .mona) == nil)
        #expect(waiting.refusal(of: .close, by: .mona) == nil)
    }

    @Test func `closing twice`() {
        #expect(closed.refusal(of: .close, by: .dana)?.code == .alreadyClosed)
        #expect(closed.refusal(of: .close, by: .mona)?.code == .alreadyClosed)
    }
}
