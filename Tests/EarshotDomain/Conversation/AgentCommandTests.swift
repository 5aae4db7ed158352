import EarshotDomain
import EarshotModel
import Testing

private let dana = Actor.agent(id: ConversationTimeline.dana, name: "Dana", role: .agent)
private let omar = Actor.agent(id: ConversationTimeline.omar, name: "Omar", role: .agent)
private let mira = Actor.agent(id: AgentID(trusted: "agent-mira"), name: "Mira", role: .manager)
private let second = SkillID(trusted: "second")

extension ConversationTimeline {
    /// What the brand has: two skills, three people.
    fileprivate func context(
        _ clock: String = "12:00", audio: AudioContent? = nil, isFull: Bool = false, readOnly: Set<AgentID> = []
    ) -> Context {
        Context(
            now: Self.time(clock), centre: centre, audio: audio, isFull: isFull,
            colleagues: [Self.dana: "Dana", Self.omar: "Omar", AgentID(trusted: "agent-mira"): "Mira"],
            readOnly: readOnly)
    }

    fileprivate func refusal(_ command: Command, by actor: Actor, _ context: Context? = nil) -> Rejection? {
        do throws(Rejection) {
            _ = try state.decide(command, by: actor, in: context ?? self.context())
            return nil
        } catch { return error }
    }

    /// After it was asked and accepted.
    fileprivate func asked(_ command: Command, by actor: Actor, at clock: String = "12:00", audio: AudioContent? = nil)
        throws -> ConversationTimeline
    {
        try state.decide(command, by: actor, in: context(clock, audio: audio)).reduce(self) {
            $0.at(clock, $1.kind, by: $1.by.rawValue)
        }
    }

    fileprivate func ringing(_ agents: AgentID...) -> ConversationTimeline {
        at("11:59", .offered(.init(to: agents, until: ConversationTimeline.time("12:30"))), by: 0)
    }
}

private let waiting = ConversationTimeline(.talkative()).began("11:00")
private let open = waiting.assigned("11:30")
private let closed = open.agent("11:40").at("11:50", .closed(.init()), by: 2)
private let every: [Command] = [
    .decline, .transfer(.init()), .takeOver, .join, .leave, .note(.init(text: "x")), .callback(600), .tags(["x"]),
    .attribute(.init(name: "a", value: "b")),
    .dispose("refund"), .urgent(true), .closeQuietly, .reopen, .settle, .noticed,
    .invite(.voice), .invite(.video),
]

@Suite struct `A contact-centre command is refused` {
    @Test(arguments: every) func `before the first message`(ask: Command) {
        for actor in [dana, mira] {
            #expect(ConversationTimeline(.talkative()).refusal(ask, by: actor)?.code == .notFound)
        }
    }

    @Test(arguments: every) func `to a consumer`(ask: Command) {
        for day in [ConversationTimeline(.talkative()), waiting, open, closed] {
            #expect(day.refusal(ask, by: .consumer)?.code == .forbidden)
        }
    }

    @Test func `declining what is not offered to the agent`() {
        #expect(waiting.refusal(.decline, by: dana)?.code == .offerGone)
        #expect(waiting.ringing(ConversationTimeline.omar).refusal(.decline, by: dana)?.code == .offerGone)
        #expect(open.refusal(.decline, by: dana)?.code == .offerGone)
        #expect(waiting.ringing(ConversationTimeline.dana).refusal(.decline, by: dana) == nil)
    }

    @Test func `taking what is offered to or reserved for another agent; a manager may`() {
        let elsewhere = waiting.ringing(ConversationTimeline.omar)
        #expect(elsewhere.refusal(.take, by: dana)?.code == .offerGone)
        #expect(elsewhere.refusal(.send(.text("Hi")), by: dana)?.code == .offerGone)
        #expect(elsewhere.refusal(.take, by: omar) == nil)
        #expect(elsewhere.refusal(.take, by: mira) == nil)
        let meant = waiting.at(
            "11:59",
            .queued(
                .init(
                    skill: second, why: .transferred, to: ConversationTimeline.omar,
                    until: ConversationTimeline.time("13:00"))),
            by: 2)
        #expect(meant.refusal(.take, by: dana)?.code == .offerGone)
        #expect(meant.refusal(.take, by: omar) == nil)
    }

    @Test func `accepting an offer at capacity; taking from the queue is allowed`() {
        let full = waiting.context(isFull: true)
        #expect(waiting.ringing(ConversationTimeline.dana).refusal(.take, by: dana, full)?.code == .overCapacity)
        #expect(waiting.refusal(.take, by: dana, full) == nil)
    }

    @Test func `taking what another accepted first, and names who has it`() {
        let won = waiting.ringing(ConversationTimeline.dana, ConversationTimeline.omar).assigned("12:00")
        #expect(won.refusal(.take, by: omar)?.code == .alreadyTaken)
        #expect(won.refusal(.take, by: omar)?.text.contains("Dana") == true)
    }

    @Test func `transferring what another agent has, what is closed, or to an unknown target`() {
        #expect(open.refusal(.transfer(.init()), by: omar)?.code == .notAssigned)
        #expect(waiting.refusal(.transfer(.init()), by: omar)?.code == .notAssigned)
        #expect(closed.refusal(.transfer(.init()), by: dana)?.code == .alreadyClosed)
        #expect(open.refusal(.transfer(.init(skill: SkillID(trusted: "none"))), by: dana)?.code == .unknownSkill)
        #expect(open.refusal(.transfer(.init(agent: AgentID(trusted: "nobody"))), by: dana)?.code == .unknownAgent)
        let reading = open.context(readOnly: [ConversationTimeline.omar])
        let refusal = open.refusal(.transfer(.init(agent: ConversationTimeline.omar)), by: dana, reading)
        #expect(refusal?.code == .mayNotAnswer)
        #expect(refusal?.text.contains("Omar") == true, "it names them")
        #expect(open.refusal(.transfer(.init(agent: AgentID(trusted: "agent-mira"))), by: dana, reading) == nil)
        #expect(
            open.refusal(.transfer(.init(note: String(repeating: "x", count: 4001))), by: dana)?.code == .textTooLong)
        #expect(open.refusal(.transfer(.init(note: String(repeating: "x", count: 4000))), by: dana) == nil)
        #expect(open.refusal(.transfer(.init(skill: second)), by: mira) == nil, "a manager moves anything")
    }

    @Test func `taking over, or joining, to an agent, of what is closed, and twice`() throws {
        for ask in [Command.takeOver, .join] {
            #expect(open.refusal(ask, by: omar)?.code == .forbidden)
            #expect(closed.refusal(ask, by: mira)?.code == .alreadyClosed)
            #expect(try open.asked(ask, by: mira).refusal(ask, by: mira)?.code == .alreadyTaken)
        }
        #expect(open.refusal(.leave, by: mira)?.code == .notAssigned)
        #expect(open.refusal(.leave, by: dana)?.code == .notAssigned, "an assigned agent transfers or closes instead")
    }

    @Test func `a callback by another agent, and one that is too short or too long`() {
        #expect(open.refusal(.callback(600), by: omar)?.code == .notAssigned)
        #expect(waiting.refusal(.callback(600), by: dana)?.code == .notAssigned)
        for (seconds, limit) in [(59, 60), (-1, 60), (604_801, 604_800)] {
            #expect(open.refusal(.callback(seconds), by: dana)?.code == .outOfRange)
            #expect(open.refusal(.callback(seconds), by: dana)?.limit == limit)
        }
        for seconds in [0, 60, 604_800] { #expect(open.refusal(.callback(seconds), by: dana) == nil) }
    }

    @Test func `a note that is empty, too long, or mentions too many or unknown people`() {
        func note(_ text: String?, _ mentions: [AgentID] = []) -> Rejection? {
            open.refusal(.note(.init(text: text, mentions: mentions)), by: omar)
        }
        #expect(note(nil)?.code == .textEmpty)
        #expect(note(" \n")?.code == .textEmpty)
        #expect(note(String(repeating: "x", count: 4000)) == nil)
        #expect(note(String(repeating: "x", count: 4001))?.code == .textTooLong)
        #expect(note("x", Array(repeating: ConversationTimeline.dana, count: 10)) == nil)
        #expect(note("x", Array(repeating: ConversationTimeline.dana, count: 11))?.code == .outOfRange)
        #expect(note("x", [AgentID(trusted: "nobody")])?.code == .unknownAgent)
        let pending = AudioContent(
            media: MediaID(trusted: "m"), durationMs: 1000, waveform: [], sizeBytes: 1, scan: .pending)
        #expect(
            open.refusal(.note(.init(audio: pending.media)), by: omar, open.context(audio: pending))?.code
                == .audioPending)
        #expect(
            open.refusal(.note(.init(audio: pending.media)), by: omar, open.context(audio: pending.with(scan: nil)))
                == nil)
    }

    @Test func `tags and attributes beyond their limits`() {
        func tags(_ count: Int, _ length: Int = 2) -> Rejection? {
            open.refusal(.tags((0..<count).map { String(repeating: "x", count: length - 2) + "\($0 + 10)" }), by: dana)
        }
        #expect(tags(20) == nil)
        #expect(tags(21)?.code == .outOfRange)
        #expect(tags(1, 40) == nil)
        #expect(tags(1, 41)?.code == .outOfRange)
        #expect(open.refusal(.tags([""]), by: dana)?.code == .outOfRange)
        #expect(open.refusal(.tags(["a", "a"]), by: dana)?.code == .badRequest)
        func fact(_ name: String, _ value: String?) -> Rejection? {
            open.refusal(.attribute(.init(name: name, value: value)), by: dana)
        }
        #expect(fact("a", String(repeating: "x", count: 500)) == nil)
        #expect(fact("a", String(repeating: "x", count: 501))?.code == .outOfRange)
        #expect(fact("", "x")?.code == .outOfRange)
        #expect(fact(String(repeating: "x", count: 41), nil)?.code == .outOfRange)
        let many = (0..<50).reduce(open) { $0.at("11:59", .attribute(.init(name: "n\($1)", value: "v")), by: 2) }
        #expect(many.refusal(.attribute(.init(name: "n50", value: "v")), by: dana)?.code == .outOfRange)
        #expect(many.refusal(.attribute(.init(name: "n49", value: "w")), by: dana) == nil)
    }

    @Test(arguments: [
        (WrapUp.AttributeKind.Kind.number, ["12", "-3.5", "0", String(repeating: "9", count: 30)]),
        (.yesNo, ["yes", "no"]), (.date, ["2026-11-23", "2024-02-29"]), (.text, ["anything", " "]),
    ]) func `an attribute whose value is not of its kind`(kind: WrapUp.AttributeKind.Kind, good: [String]) {
        let bad: [WrapUp.AttributeKind.Kind: [String]] = [
            .number: ["", "twelve", "1e5", "0x10", "nan", "1.", ".5", "+1", "１２", String(repeating: "9", count: 31)],
            .yesNo: ["", "Yes", "true"], .date: ["", "23.11.2026", "2026-02-29", "2026-13-01", "2026-1-1"],
        ]
        var centre = ContactCentreSettings.talkative()
        centre.wrapUp.attributes = [.init(id: "listed", name: "Listed", type: kind)]
        let day = ConversationTimeline(centre).began("11:00").assigned("11:30")
        func refusal(_ value: String?, of name: String = "listed") -> Rejection? {
            day.refusal(.attribute(.init(name: name, value: value)), by: dana)
        }
        for value in good { #expect(refusal(value) == nil, "\(value)") }
        for value in bad[kind] ?? [] {
            #expect(refusal(value)?.code == .badRequest, "\(value)")
            #expect(refusal(value, of: "not listed") == nil, "\(value)")
        }
        #expect(refusal(nil) == nil, "removing it")
    }

    @Test func `closing without a disposition where one is required, and one that the brand does not list`() throws {
        var centre = ContactCentreSettings.talkative()
        centre.skills[0].disposition = .required
        centre.wrapUp.dispositions = [
            .init(id: "refund", name: "Refund"), .init(id: "other", name: "Other", skill: second),
        ]
        let open = ConversationTimeline(centre).began("11:00").assigned("11:30")
        #expect(open.refusal(.close, by: dana)?.code == .dispositionRequired)
        #expect(open.refusal(.closeQuietly, by: dana)?.code == .dispositionRequired)
        #expect(open.refusal(.dispose("none"), by: dana)?.code == .outOfRange)
        #expect(open.refusal(.dispose("other"), by: dana)?.code == .outOfRange, "another skill's")
        #expect(try open.asked(.dispose("refund"), by: dana).refusal(.close, by: dana) == nil)
        #expect(open.refusal(.close, by: .consumer) == nil, "a consumer closes when they like")
    }

    @Test func `an answer to a survey that is not open, is over, or beyond its range`() {
        let rate = Command.rate(.init(csat: 5))
        #expect(closed.refusal(rate, by: .consumer)?.code == .surveyClosed)
        let asked = closed.at(
            "11:51",
            .surveyed(
                .init(question: "?", csat: true, nps: true, words: true, until: ConversationTimeline.time("12:30"))),
            by: 0)
        #expect(asked.refusal(rate, by: .consumer) == nil)
        #expect(asked.refusal(rate, by: dana)?.code == .forbidden)
        #expect(asked.refusal(rate, by: .consumer, asked.context("12:30"))?.code == .surveyClosed)
        #expect(asked.at("11:55", .resumed, by: 1).refusal(rate, by: .consumer)?.code == .surveyClosed)
        for (csat, limit) in [(0, 1), (6, 5)] {
            #expect(asked.refusal(.rate(.init(csat: csat)), by: .consumer)?.limit == limit)
        }
        for (nps, limit) in [(-1, 0), (11, 10)] {
            #expect(asked.refusal(.rate(.init(nps: nps)), by: .consumer)?.limit == limit)
        }
        #expect(asked.refusal(.rate(.init()), by: .consumer)?.code == .textEmpty)
        #expect(
            asked.refusal(.rate(.init(text: String(repeating: "x", count: 2001))), by: .consumer)?.code == .textTooLong)
        #expect(asked.refusal(.rate(.init(text: String(repeating: "x", count: 2000))), by: .consumer) == nil)
    }

    @Test func `marking a mention as read where there is none`() throws {
        #expect(open.refusal(.noticed, by: omar)?.code == .notFound)
        let mentioned = try open.asked(.note(.init(text: "@Omar", mentions: [ConversationTimeline.omar])), by: dana)
        #expect(mentioned.state.routing.mentioned == [ConversationTimeline.omar])
        #expect(try mentioned.asked(.noticed, by: omar).state.routing.mentioned == [])
    }
}

@Suite struct `Working together` {
    @Test func `who notes, declines or tags stays hidden from the consumer; who answers does not`() throws {
        let noted = try open.asked(.note(.init(text: "psst")), by: omar)
        #expect(noted.state.people.visible(to: .consumer).map(\.name) == ["Dana"])
        let over = try noted.asked(.transfer(.init(agent: ConversationTimeline.omar)), by: dana).asked(.take, by: omar)
        #expect(over.state.people.visible(to: .consumer).map(\.name) == ["Dana", "Omar"])
        #expect(over.state.people.map(\.by.rawValue) == [2, 3], "the same participant")
        #expect(over.state.assignee == ParticipantNumber(3))
    }

    @Test func `a transfer says where, why and for whom, and carries its note`() throws {
        let facts = try open.state.decide(
            .transfer(.init(skill: second, agent: ConversationTimeline.omar, note: "Speaks Dutch")), by: dana,
            in: open.context())
        #expect(
            facts.map(\.kind) == [
                .note(.init(text: "Speaks Dutch")),
                .queued(
                    .init(
                        skill: second, why: .transferred, to: ConversationTimeline.omar,
                        until: ConversationTimeline.time("14:00"))),
            ])
        let moved = try open.asked(.transfer(.init(skill: second, agent: ConversationTimeline.omar)), by: dana).state
        #expect((moved.status, moved.assignee, moved.routing.skill) == (.waiting, nil, second))
        #expect(moved.routing.reserved?.agent == ConversationTimeline.omar)
        #expect(moved.routing.refused == [ConversationTimeline.dana], "not back to whom it came from")
    }

    @Test func `a returned conversation says so, and does not come back at once`() throws {
        let back = try open.asked(.transfer(.init()), by: dana).state
        #expect(back.routing.queuedWhy == .returned)
        #expect(back.routing.refused == [ConversationTimeline.dana])
        #expect(back.routing.transfers == 0)
    }

    @Test func `a manager who joined may write in addition to the agent, and no longer after leaving`() throws {
        #expect(open.refusal(.send(.text("Hi")), by: mira)?.code == .notAssigned)
        let joined = try open.asked(.join, by: mira)
        let spoke = try joined.asked(.send(.text("Hi")), by: mira)
        #expect(spoke.state.assignee == .firstAgent, "Dana still answers")
        #expect(try spoke.asked(.leave, by: mira).refusal(.send(.text("Hi")), by: mira)?.code == .notAssigned)
    }

    @Test func `a manager takes over from the agent`() throws {
        let over = try open.asked(.takeOver, by: mira)
        #expect(over.state.assignee == ParticipantNumber(3))
        #expect(
            over.state.routing.here == [] && over.due(.managerJoined) == nil, "they answer; they did not join beside")
        #expect(over.refusal(.send(.text("x")), by: dana)?.code == .notAssigned)
    }

    @Test(arguments: [
        (Command.close, Permission.closeOthersConversations), (.closeQuietly, .closeOthersConversations),
        (.transfer(.init()), .transferOthersConversations), (.takeOver, .takeOverConversations),
        (.join, .joinConversations),
    ])
    func `with a colleague's conversation is a matter of permissions, not of the role`(
        command: Command, permission: Permission
    ) throws {
        let own: Set<Permission> = [.readConversations, .answerConversations, .closeConversations]
        let without = Actor.agent(
            id: AgentID(trusted: "agent-mira"), name: "Mira", role: .administrator, permissions: own)
        let with = Actor.agent(
            id: ConversationTimeline.omar, name: "Omar", role: .agent, permissions: own.union([permission]))
        #expect([.forbidden, .notAssigned].contains(open.refusal(command, by: without)?.code))
        #expect(open.refusal(command, by: with) == nil)
    }

    @Test func `an agent who joined may write in addition to the agent, and no longer after leaving`() throws {
        let omar = Actor.agent(
            id: ConversationTimeline.omar, name: "Omar", role: .agent,
            permissions: [.readConversations, .answerConversations, .joinConversations])
        let joined = try open.asked(.join, by: omar)
        #expect(joined.state.routing.here.count == 1 && joined.due(.managerJoined) != nil)
        let spoke = try joined.asked(.send(.text("Hi")), by: omar)
        #expect(spoke.state.assignee == .firstAgent, "Dana still answers")
        #expect(try spoke.asked(.leave, by: omar).refusal(.send(.text("Hi")), by: omar)?.code == .notAssigned)
    }

    @Test func `an offer may be taken by others only with the permission to take over`() {
        let offered = waiting.ringing(ConversationTimeline.dana)
        let (id, own) = (ConversationTimeline.omar, Set([Permission.answerConversations]))
        let without = Actor.agent(id: id, name: "Omar", role: .manager, permissions: own)
        let with = Actor.agent(id: id, name: "Omar", role: .agent, permissions: own.union([.takeOverConversations]))
        #expect(offered.refusal(.take, by: without)?.code == .offerGone)
        #expect(offered.refusal(.take, by: with) == nil)
    }

    @Test func `a person without the permission to read notes gets every event but notes`() {
        let note = Event(
            sequence: 1, at: ConversationTimeline.time("12:00"), by: .firstAgent, kind: .note(.init(text: "x")))
        let tags = Event(
            sequence: 2, at: ConversationTimeline.time("12:00"), by: .firstAgent, kind: .tagged(.init(tags: ["x"])))
        #expect(note.visible(to: .brandWithoutNotes) == .hidden && note.visible(to: .brand) == .same)
        #expect(tags.visible(to: .brandWithoutNotes) == .same)
    }

    @Test func `a callback holds until the agent writes again`() throws {
        let promised = try open.asked(.callback(2700), by: dana)
        #expect(promised.state.routing.callback?.until == ConversationTimeline.time("12:45"))
        #expect(promised.agent("12:20").state.routing.callback == nil)
        #expect(try promised.asked(.callback(0), by: dana).state.routing.callback == nil)
        #expect(
            try promised.asked(.transfer(.init()), by: dana).state.routing.callback != nil,
            "the consumer was promised it, by whomever")
    }

    @Test func `what only the brand may know is hidden from a consumer, and nothing else`() {
        let hidden: [Event.Kind] = [
            .queued(.init(skill: second, why: .silent)),
            .offered(.init(to: [ConversationTimeline.dana], until: ConversationTimeline.time("12:00"))),
            .declined(.init(agents: [], said: true)),
            .note(.init(text: "x")), .noticed(.init(agent: ConversationTimeline.dana)), .tagged(.init(tags: ["x"])),
            .attribute(.init(name: "a", value: "b")),
            .disposed(.init(id: "x", name: "X")), .urgent(.init(on: true)),
        ]
        let shown: [Event.Kind] = [
            .callback(.init(until: nil)), .automatic(.init(on: .welcome, text: "x")), .left, .rated(.init(csat: 5)),
            .surveyed(
                .init(question: "?", csat: true, nps: true, words: true, until: ConversationTimeline.time("12:00"))),
        ]
        func event(_ kind: Event.Kind) -> Event {
            Event(sequence: 1, at: ConversationTimeline.time("12:00"), by: .firstAgent, kind: kind)
        }
        for work in hidden { #expect(event(work).visible(to: .consumer) == .hidden) }
        for work in hidden + shown { #expect(event(work).visible(to: .brand) == .same) }
        for work in shown { #expect(event(work).visible(to: .consumer) == .same) }
        #expect(
            event(.joined(.init(role: .manager, name: "Mira", id: nil, quiet: true))).visible(to: .consumer) == .hidden)
    }

    @Test func `declining leaves the offer to the others; the last one ends it`() throws {
        let ringing = waiting.ringing(ConversationTimeline.dana, ConversationTimeline.omar)
        let once = try ringing.asked(.decline, by: dana)
        #expect(once.state.routing.offer?.to == [ConversationTimeline.omar])
        let both = try once.asked(.decline, by: omar)
        #expect(both.state.routing.offer == nil)
        #expect(both.state.routing.refused == [ConversationTimeline.dana, ConversationTimeline.omar])
    }
}

@Suite struct `An action of routing is decided again` {
    private func facts(
        _ action: RoutingAction, _ day: ConversationTimeline,
        _ change: (inout RoutingActionContext) -> Void = { _ in }
    ) -> [Event.Kind]? {
        var context = RoutingActionContext()
        change(&context)
        return try? day.state.decide(action, in: context).map(\.kind)
    }

    @Test func `an offer only where it waits without an offer`() {
        let offer = RoutingAction.offer(
            to: [ConversationTimeline.dana], until: ConversationTimeline.time("12:30"), reason: .leastLoaded)
        #expect(facts(offer, waiting) != nil)
        for day in [open, closed, waiting.ringing(ConversationTimeline.omar)] { #expect(facts(offer, day) == nil) }
    }

    @Test func `an assignment only where it still waits`() {
        let assign = RoutingAction.assign(ConversationTimeline.dana, reason: .leastLoaded)
        func assigned(_ day: ConversationTimeline) -> [Event.Kind]? {
            facts(assign, day) { $0.assignee = .init(name: "Dana", role: .agent) }
        }
        #expect(assigned(waiting)?.last == .assigned(.init(to: .firstAgent)))
        for day in [open, closed] { #expect(assigned(day) == nil) }
        #expect(facts(assign, waiting) == nil, "who the agent is was not looked up")
    }

    @Test func `requeuing only while the consumer still waits for the agent`() {
        let requeue = RoutingAction.requeue(reason: .silentOnline)
        #expect(facts(requeue, open) != nil)
        for day in [waiting, closed, open.agent("11:59")] { #expect(facts(requeue, day) == nil) }
        let promised = open.agent("11:40").at(
            "11:41", .callback(.init(until: ConversationTimeline.time("11:50"))), by: 2)
        #expect(facts(requeue, promised) != nil, "a promise that was broken")
    }

    @Test func `a withdrawal only while one of those who may not answer still has it or is asked`() {
        let withdraw = RoutingAction.withdraw(from: [ConversationTimeline.dana])
        let skill = ContactCentreSettings().defaultSkill.id
        for day in [open, open.agent("11:59"), waiting.ringing(ConversationTimeline.dana, ConversationTimeline.omar)] {
            #expect(facts(withdraw, day) == [.queued(.init(skill: skill, why: .noPermission))])
        }
        for day in [waiting, closed, waiting.ringing(ConversationTimeline.omar)] {
            #expect(facts(withdraw, day) == nil)
        }
        #expect(facts(.withdraw(from: [ConversationTimeline.omar]), open) == nil, "a colleague took over")
    }

    @Test func `an expiry only of the open offer`() {
        #expect(
            facts(.expireOffer(to: [ConversationTimeline.dana]), waiting.ringing(ConversationTimeline.dana)) == [
                .declined(.init(agents: [ConversationTimeline.dana], said: false))
            ])
        #expect(facts(.expireOffer(to: [ConversationTimeline.dana]), waiting.ringing(ConversationTimeline.omar)) == nil)
        #expect(facts(.expireOffer(to: [ConversationTimeline.dana]), waiting) == nil)
    }

    @Test func `a message once for its cause, a survey once for each close`() {
        let message = RoutingAction.sendMessage(.queued, armedAt: ConversationTimeline.time("11:00"))
        #expect(facts(message, waiting) { $0.text = "Soon" } != nil)
        #expect(facts(message, waiting.said("11:10", .queued)) { $0.text = "Soon" } == nil)
        let survey = RoutingAction.sendSurvey(closedAt: ConversationTimeline.time("11:50"))
        func asked(_ day: ConversationTimeline) -> [Event.Kind]? {
            facts(survey, day) {
                $0.survey = .init(
                    question: "?", csat: true, nps: false, words: false, until: ConversationTimeline.time("20:00"))
            }
        }
        #expect(asked(closed) != nil)
        #expect(asked(closed.at("11:55", .resumed, by: 1)) == nil)
    }
}
