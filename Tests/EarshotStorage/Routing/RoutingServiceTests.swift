import EarshotCore
import EarshotDomain
import EarshotModel
import EarshotStorage
import EarshotTestKit
import Testing

private typealias Room = RoutingRoom

@Suite struct `The routing service` {
    @Test func `applies the brand's routing rules to a new conversation, once`() async throws {
        let rule = RoutingRule(
            id: "orders", name: "Orders", conditions: [.init(of: "page", test: .contains, value: "/order")],
            skill: SkillID(trusted: "orders"), urgent: true)
        let room = try await Room(.oneSkill(rules: [rule]))
        let order = try await room.consumer(1, page: "https://shop.example/order/4711")
        let other = try await room.consumer(2, page: "https://shop.example/tents")
        #expect(try await room.state(order).routing.skill == SkillID(trusted: "orders"))
        #expect(try await room.state(order).routing.isUrgent)
        #expect(try await room.state(other).routing.skill == Skill.general.id)
        try await room.perform(.say("Anybody?"), in: order, by: .consumer)
        #expect(try await room.contactCentreEvents(order).count { if case .queued = $0 { true } else { false } } == 1)
    }

    @Test(arguments: [AcceptMode.auto, .offer, .offerToAll])
    func `applies the rules before any agent gets it, however many are free elsewhere`(accept: AcceptMode)
        async throws
    {
        let rule = RoutingRule(
            id: "o", name: "O", conditions: [.init(of: "page", test: .contains, value: "/order")],
            skill: SkillID(trusted: "orders"))
        var centre = ContactCentreSettings.oneSkill(accept, rules: [rule])
        centre.people = [
            Seat(agent: Room.dana, skills: [Skill.general.id]), Seat(agent: Room.omar, skills: [Skill.general.id]),
        ]
        let room = try await Room(centre, online: [Room.dana, Room.omar])
        for number in 1...20 {
            let order = try await room.consumer(number, page: "https://shop.example/order")
            let state = try await room.state(order)
            #expect(state.routing.skill == SkillID(trusted: "orders") && state.status == .waiting, "\(number)")
            #expect(
                try await room.contactCentreEvents(order).count { if case .offered = $0 { true } else { false } } == 0,
                "\(number)")
        }
        let other = try await room.consumer(21)
        let state = try await room.state(other)
        #expect(
            state.routing.skill == Skill.general.id && (state.status == .open || state.routing.offer != nil),
            "the premise: they are free")
    }

    @Test func `greets with the text and the response time of the chosen skill, in the consumer's language`()
        async throws
    {
        let rule = RoutingRule(
            id: "o", name: "O", conditions: [.init(of: "page", test: .contains, value: "/order")],
            skill: SkillID(trusted: "orders"))
        var centre = ContactCentreSettings.oneSkill(
            automatic: [
                AutomaticMessage(id: "a", on: .firstWelcome, text: "Hello"),
                AutomaticMessage(
                    id: "b", on: .firstWelcome, skill: SkillID(trusted: "orders"),
                    text: "{skill}: by {expectedResponseTime}"),
                AutomaticMessage(
                    id: "c", on: .firstWelcome, skill: SkillID(trusted: "orders"), language: "de",
                    text: "{skill}: bis {expectedResponseTime}"),
            ], rules: [rule])
        centre.skills[1].sla = ResponseTimes(usual: 60, urgent: 60, first: 120)
        let room = try await Room(centre, online: [Room.dana])
        for (number, (page, language, text)) in [
            ("/order", nil, "Orders: by 08:02 UTC"), ("/order", "de-AT", "Orders: bis 08:02 UTC"),
            ("/tents", nil, "Hello"),
        ].enumerated() {
            let conversation = try await room.consumer(number, page: page, language: language)
            #expect(
                try await room.contactCentreEvents(conversation).compactMap {
                    if case .automatic(let said) = $0 { said.text } else { nil }
                } == [text])
        }
    }

    @Test func `routes a conversation of an unknown consumer by the default skill`() async throws {
        let room = try await Room(.oneSkill(.auto), online: [Room.dana])
        let identity = ConversationIdentity(
            id: ConversationID(trusted: "conversation"), account: Room.account, app: App.sample.id,
            consumer: ConsumerID(trusted: "nobody"), channel: .web)
        try await room.perform(.say("Hello?"), in: identity, by: .consumer)
        #expect(try await room.state(identity).status == .open)
    }

    @Test func `adds nothing to conversations of a brand without settings, and promises no time`() async throws {
        let (empty, room) = (
            try await Room(ContactCentreSettings()), try await Room(ContactCentreSettings(), online: [Room.dana])
        )
        let unseen = try await empty.consumer(1)
        #expect(try await empty.contactCentreEvents(unseen).isEmpty)
        #expect(
            empty.service.expectation(of: unseen.id, in: Room.account)
                == Expectation(
                    by: nil, isLate: false, position: nil, open: false, hours: .init(open: true, opens: nil)),
            "nobody is there")
        let conversation = try await room.consumer(1)
        #expect(room.service.expectation(of: conversation.id, in: Room.account) == nil)
        try await room.wait(seconds: 10_000)
        #expect(room.service.expectation(of: conversation.id, in: Room.account)?.late == true)
        #expect(room.service.expectation(of: conversation.id, in: Room.account)?.by == nil)
    }

    @Test func `tells a consumer that somebody is there only while a person who may answer is online`() async throws {
        let room = try await Room(.oneSkill())
        func isOpen() async throws -> Bool {
            try await room.service.outlook(for: RouteFacts(), in: Room.account).isOpen
        }
        let nobody = try await room.service.outlook(for: RouteFacts(), in: Room.account)
        #expect(!nobody.isOpen && nobody.hours == .init(open: true, opens: nil))
        try await room.choose(.online, Room.dana)
        #expect(try await isOpen())
        try await room.choose(.away, Room.dana)
        #expect(try await !isOpen())
        try await room.choose(.online, Room.mira)
        #expect(try await isOpen(), "a manager without a seat sees the queue")
    }

    @Test func `offers to one agent, then to the next, and assigns to the one who accepts`() async throws {
        let room = try await Room(.oneSkill(), online: [Room.dana, Room.omar])
        let conversation = try await room.consumer(1)
        let first = try #require(try await room.state(conversation).routing.offer?.to.first)
        let second = first == Room.dana ? Room.omar : Room.dana
        try await room.perform(.decline, in: conversation, by: Room.agent(first))
        #expect(try await room.state(conversation).routing.offer?.to == [second])
        try await room.perform(.take, in: conversation, by: Room.agent(second))
        let state = try await room.state(conversation)
        #expect(state.assignee.flatMap { state.person($0)?.id } == second)
        #expect(room.service.colleague(second, in: Room.account)?.open == 1)
    }

    @Test func `offers to the next agent when the first does not answer in time`() async throws {
        let room = try await Room(.oneSkill(), online: [Room.dana, Room.omar])
        let conversation = try await room.consumer(1)
        let first = try #require(try await room.state(conversation).routing.offer?.to.first)
        try await room.wait(seconds: 29)
        #expect(try await room.state(conversation).routing.offer?.to == [first], "it still rings")
        try await room.wait(seconds: 1)
        let next = try #require(try await room.state(conversation).routing.offer?.to.first)
        #expect(next != first)
        #expect(
            try await room.contactCentreEvents(conversation).contains(.declined(.init(agents: [first], said: false))))
    }

    @Test func `assigns without asking where the skill says so`() async throws {
        let room = try await Room(.oneSkill(.auto), online: [Room.omar])
        let conversation = try await room.consumer(1)
        let state = try await room.state(conversation)
        #expect(state.status == .open && state.person(state.assignee ?? .system)?.name == "Omar")
    }

    @Test func `of two agents who accept at once lets one win, and tells the other who it was`() async throws {
        let room = try await Room(.oneSkill(.offerToAll), online: [Room.dana, Room.omar])
        for number in 1...20 {
            let conversation = try await room.consumer(number)
            #expect(
                Set(try await room.state(conversation).routing.offer?.to ?? []) == [Room.dana, Room.omar],
                "the premise: it rings at both")
            async let one = room.ask(.take, in: conversation, by: Room.agent(Room.dana))
            async let other = room.ask(.take, in: conversation, by: Room.agent(Room.omar))
            let answers = try await [one, other]
            #expect(answers.count { if case .success = $0 { true } else { false } } == 1)
            for case .failure(.refused(let rejection)) in answers {
                #expect(rejection.code == .alreadyTaken)
                let winner = try await room.state(conversation)
                #expect(rejection.text.contains(winner.person(winner.assignee ?? .system)?.name ?? "?"))
            }
            try await room.service.turn()
            for agent in [Room.dana, Room.omar] {
                _ = try? await room.perform(.close, in: conversation, by: Room.agent(agent))
            }
        }
    }

    @Test func `gives no agent more than their capacity, and the next as soon as there is room`() async throws {
        let room = try await Room(.oneSkill(.auto), online: [Room.dana])
        var conversations: [ConversationIdentity] = []
        for number in 1...4 { conversations.append(try await room.consumer(number)) }
        var open = 0
        for conversation in conversations { open += try await room.state(conversation).status == .open ? 1 : 0 }
        #expect(open == 3)
        #expect(room.service.wall(of: Room.account).skills.first?.queued == 1)
        try await room.perform(.close, in: conversations[0], by: Room.agent(Room.dana))
        #expect(try await room.state(conversations[3]).status == .open)
    }

    @Test func `takes a conversation from an agent who does not answer, and from one who left`() async throws {
        let room = try await Room(.oneSkill(.auto), online: [Room.dana])
        let conversation = try await room.consumer(1)
        try await room.wait(seconds: 899)
        #expect(try await room.state(conversation).status == .open)
        try await room.wait(seconds: 1)
        #expect(
            try await room.contactCentreEvents(conversation).contains {
                if case .queued(let queued) = $0 { queued.why == .silent } else { false }
            })
        #expect(try await room.state(conversation).routing.refused == [Room.dana])
        try await room.choose(.online, Room.omar)
        #expect(try await room.state(conversation).routing.previous == Room.omar, "the other gets it")
        room.service.disconnected(Room.omar, of: Room.account)
        try await room.choose(.away, Room.dana)
        try await room.wait(seconds: 59)
        #expect(
            room.service.colleague(Room.omar, in: Room.account)?.presence.state == .online, "reloads the page"
        )
        try await room.wait(seconds: 1)
        #expect(room.service.colleague(Room.omar, in: Room.account)?.presence.state == .offline)
        try await room.wait(seconds: 60)
        #expect(try await room.state(conversation).status == .waiting)
        room.service.connected(Room.omar, of: Room.account)
        #expect(room.service.colleague(Room.omar, in: Room.account)?.presence.state == .online, "is what they were")
    }

    @Test func `sends each automatic message on time, once, and closes to the second`() async throws {
        let automatic = [
            AutomaticMessage(
                id: "w", on: .firstWelcome, text: "Welcome to {brand}! We answer by {expectedResponseTime}."),
            AutomaticMessage(id: "q", on: .queued, text: "Number {queuePosition} in line.", afterSeconds: 60),
            AutomaticMessage(id: "c", on: .connected, text: "You are connected to {agentNickname}."),
        ]
        let room = try await Room(.oneSkill(autoCloseSeconds: 7200, automatic: automatic))
        let conversation = try await room.consumer(1)
        func said() async throws -> [String] {
            try await room.contactCentreEvents(conversation).compactMap {
                if case .automatic(let said) = $0 { said.text } else { nil }
            }
        }
        #expect(try await said() == ["Welcome to The Brand! We answer by 08:10 UTC."])
        try await room.wait(seconds: 59)
        #expect(try await said().count == 1)
        try await room.wait(seconds: 1)
        #expect(try await said().last == "Number 1 in line.")
        try await room.wait(seconds: 600)
        #expect(try await said().count == 2)
        try await room.perform(.take, in: conversation, by: Room.agent(Room.dana))
        #expect(try await said().last == "You are connected to Dana.")
        try await room.perform(.say("Hi"), in: conversation, by: Room.agent(Room.dana))
        try await room.wait(seconds: 7199)
        #expect(try await room.state(conversation).status == .open)
        try await room.wait(seconds: 1)
        #expect(try await room.state(conversation).status == .closed)
        #expect(
            try await room.contactCentreEvents(conversation).contains { if case .surveyed = $0 { true } else { false } }
                == false,
            "an idle end asks nothing")
    }

    @Test func `closes what no one answers after thirty days of silence, also after a restart`() async throws {
        let day: Int64 = 86_400
        let room = try await Room(.oneSkill())
        let (silent, talking) = (try await room.consumer(1), try await room.consumer(2))
        try await room.wait(seconds: 20 * day)
        try await room.perform(.say("Is anybody there?"), in: talking, by: .consumer)
        try await room.wait(seconds: 10 * day - 1)
        #expect(try await room.state(silent).status == .waiting)
        try room.store.close()
        let again = try await Room(.oneSkill(), database: room.database, clock: room.clock)
        try await again.wait(seconds: day + 1)
        #expect(try await again.state(silent).status == .closed)
        #expect(try await again.state(silent).routing.closedWhy == .idle)
        #expect(try await again.state(talking).status == .waiting)
        try await again.wait(seconds: 21 * day)
        #expect(try await again.state(talking).status == .closed)
    }

    @Test func `tells times in the consumer's zone, else in that of the skill's hours, across clock changes`()
        async throws
    {
        var centre = ContactCentreSettings.oneSkill(automatic: [
            AutomaticMessage(id: "w", on: .firstWelcome, text: "By {expectedResponseTime}."),
            AutomaticMessage(id: "p", on: .callback, text: "Back at {time}."),
        ])
        centre.skills[0].hours = "h"
        centre.hours = [
            Hours(
                id: "h", name: "Always", zone: "Europe/Berlin", week: (1...7).map { .init(day: $0, from: 0, to: 1440) })
        ]
        for (now, berlin, newYork) in [
            // A quarter past midnight UTC, on the nights in which Berlin changes; ten minutes to the answer, an hour to
            // the promise's end.
            (1_774_743_300_000 as Int64, ["01:25", "03:15"], ["20:25", "21:15"]),
            (1_792_887_300_000, ["02:25", "02:15"], ["20:25", "21:15"]),
            // Half past five and half past six UTC, on those in which New York does.
            (1_772_951_400_000, ["07:40", "08:30"], ["01:40", "03:30"]),
            (1_793_510_400_000, ["06:30", "07:20"], ["01:30", "01:20"]),
        ] {
            let room = try await Room(centre, clock: ManualClock(Timestamp(milliseconds: now)))
            for (number, (zone, told)) in [(nil, berlin), ("America/New_York", newYork), ("Europe/Berlin", berlin)]
                .enumerated()
            {
                let conversation = try await room.consumer(number, zone: zone)
                try await room.perform(.take, in: conversation, by: Room.agent(Room.dana))
                try await room.perform(.callback(3600), in: conversation, by: Room.agent(Room.dana))
                let said = try await room.contactCentreEvents(conversation).compactMap {
                    if case .automatic(let said) = $0 { said.text } else { nil }
                }
                #expect(said == ["By \(told[0]).", "Back at \(told[1])."], "\(now) \(zone ?? "none")")
            }
        }
    }

    @Test func `after a crash continues offers, timers and callbacks, and does nothing twice`() async throws {
        let automatic = [
            AutomaticMessage(id: "q", on: .queued, text: "Soon.", afterSeconds: 60),
            AutomaticMessage(id: "w", on: .firstWelcome, text: "Welcome!"),
        ]
        let centre = ContactCentreSettings.oneSkill(autoCloseSeconds: 3600, automatic: automatic)
        var room = try await Room(centre, online: [Room.dana])
        let (ringing, idle) = (try await room.consumer(1), try await room.consumer(2))
        let waiting = try await room.consumer(3)
        try await room.perform(.takeOver, in: idle, by: Room.agent(Room.mira))
        try await room.perform(.say("Hi"), in: idle, by: Room.agent(Room.mira))
        try await room.wait(seconds: 10)
        let before = try await room.state(ringing)
        #expect(before.routing.offer != nil, "the premise: it rings")
        let (database, clock) = try await room.killed()
        clock.advance(milliseconds: 5000)
        room = try await Room(centre, database: database, clock: clock)
        #expect(try await room.state(ringing).routing.offer == before.routing.offer, "the same ring, to the same time")
        try await room.wait(seconds: 15)
        #expect(try await room.state(ringing).routing.offer != before.routing.offer, "it ended when it should")
        try await room.wait(seconds: 30)
        for conversation in [ringing, waiting] {
            let said = try await room.contactCentreEvents(conversation).compactMap {
                if case .automatic(let said) = $0 { said.on } else { nil }
            }
            #expect(said.count { $0 == .firstWelcome } == 1)
            #expect(said.count { $0 == .queued } == 1)
        }
        try await room.wait(seconds: 3539)
        #expect(try await room.state(idle).status == .open)
        try await room.wait(seconds: 1)
        #expect(
            try await room.state(idle).status == .closed,
            "an hour after the brand's word, whatever happened to the server")
    }

    @Test func `does what is overdue once when the clock jumps forward, and nothing again when it jumps back`()
        async throws
    {
        let room = try await Room(
            .oneSkill(
                autoCloseSeconds: 3600,
                automatic: [AutomaticMessage(id: "q", on: .queued, text: "Soon.", afterSeconds: 60)]))
        let conversation = try await room.consumer(1)
        try await room.wait(seconds: 90)
        room.clock.advance(milliseconds: -3_600_000)
        try await room.service.turn()
        try await room.wait(seconds: 61)
        #expect(
            try await room.contactCentreEvents(conversation).count { if case .automatic = $0 { true } else { false } }
                == 1)
        try await room.perform(.takeOver, in: conversation, by: Room.agent(Room.mira))
        try await room.perform(.say("Hi"), in: conversation, by: Room.agent(Room.mira))
        try await room.wait(seconds: 100_000)
        #expect(try await room.state(conversation).status == .closed)
        let sequence = try await room.state(conversation).sequence
        try await room.wait(seconds: 100_000)
        #expect(try await room.state(conversation).sequence == sequence)
    }

    @Test func `tells a consumer a position and a time, and no time that has passed`() async throws {
        let room = try await Room(.oneSkill(), online: [Room.dana])
        let (first, second) = (try await room.consumer(1), try await room.consumer(2))
        #expect(room.service.expectation(of: first.id, in: Room.account)?.position == 1)
        let expected = try #require(room.service.expectation(of: second.id, in: Room.account))
        #expect(expected.position == 2 && expected.open)
        #expect(expected.by == room.clock.now.adding(milliseconds: 600_000), "the first answer's time")
        try await room.perform(.take, in: first, by: Room.agent(Room.dana))
        #expect(room.service.expectation(of: second.id, in: Room.account)?.position == 1)
        #expect(room.service.expectation(of: first.id, in: Room.account)?.position == nil)
        try await room.wait(seconds: 600)
        let late = room.service.expectation(of: second.id, in: Room.account)
        #expect(late?.late == true && late?.by == room.clock.now.adding(milliseconds: 600_000), "a new time")
        try await room.perform(.say("Hi"), in: first, by: Room.agent(Room.dana))
        #expect(room.service.expectation(of: first.id, in: Room.account) == nil, "it waits for the consumer")
    }

    @Test func `tells a new consumer how many wait in their queue, and when they will have an answer`() async throws {
        let rule = RoutingRule(
            id: "o", name: "O", conditions: [.init(of: "page", test: .contains, value: "/order")],
            skill: SkillID(trusted: "orders"))
        let room = try await Room(.oneSkill(rules: [rule]), online: [Room.dana])
        for number in 1...3 { try await room.consumer(number, page: number == 3 ? "https://shop.example/order" : nil) }
        let here = try await room.service.outlook(for: RouteFacts(), in: Room.account)
        #expect(here.waiting == 2 && here.isOpen && here.hours == .init(open: true, opens: nil))
        #expect(here.by == room.clock.now.adding(milliseconds: 600_000) && here.withinSeconds == 600)
        #expect(
            try await room.service.outlook(for: RouteFacts(page: "https://shop.example/order/1"), in: Room.account)
                .waiting == 1)
        let unset = try await Room(ContactCentreSettings())
        #expect(
            try await unset.service.outlook(for: RouteFacts(), in: Room.account)
                == Outlook(
                    isOpen: false, hours: .init(open: true, opens: nil), by: nil, withinSeconds: nil, waiting: 0))
    }

    @Test func `measures how many answers came by the promised time`() async throws {
        let room = try await Room(.oneSkill())
        let (soon, late) = (try await room.consumer(1), try await room.consumer(2))
        try await room.perform(.say("Hi"), in: soon, by: Room.agent(Room.dana))
        try await room.wait(seconds: 601)
        let before = try #require(room.service.wall(of: Room.account).skills.first)
        #expect((before.answered, before.kept, before.broken) == (1, 1, 1), "it is broken already before the answer")
        try await room.perform(.say("Sorry"), in: late, by: Room.agent(Room.dana))
        try await room.perform(.say("Anything else?"), in: late, by: Room.agent(Room.dana))
        let line = try #require(room.service.wall(of: Room.account).skills.first)
        #expect((line.answered, line.kept, line.broken) == (2, 1, 0))
        room.clock.advance(milliseconds: 86_400_000)
        #expect(room.service.wall(of: Room.account).skills.first?.answered == 0, "a new day")
    }

    @Test func `counts no promises where the brand tells consumers no times`() async throws {
        let room = try await Room(ContactCentreSettings())
        let answered = try await room.consumer(1)
        try await room.consumer(2)
        try await room.perform(.say("Hi"), in: answered, by: Room.agent(Room.dana))
        try await room.wait(seconds: 3_600)
        let line = try #require(room.service.wall(of: Room.account).skills.first)
        #expect((line.answered, line.kept, line.broken) == (0, 0, 0))
        #expect(line.overdue > 0, "the premise: someone waits too long")
    }

    @Test func `keeps these counts over a crash, also for answers after the last save`()
        async throws
    {
        var room = try await Room(.oneSkill())
        var all: [ConversationIdentity] = []
        for number in 1...4 { all.append(try await room.consumer(number)) }
        try await room.wait(seconds: 60)
        try await room.perform(.say("Hi"), in: all[0], by: Room.agent(Room.dana))
        #expect(
            try await room.store.contactCentre.etaAccuracy(of: Room.account)?.sum(of: Skill.general.id).answered == 1,
            "the premise: it is written down")
        try await room.wait(ms: 999)
        try await room.perform(.say("Hi"), in: all[1], by: Room.agent(Room.dana))
        #expect(
            try await room.store.contactCentre.etaAccuracy(of: Room.account)?.sum(of: Skill.general.id).answered == 1,
            "not within a second")
        let (database, clock) = try await room.killed()
        room = try await Room(.oneSkill(), database: database, clock: clock)
        #expect(room.service.wall(of: Room.account).skills.first.map { [$0.answered, $0.kept] } == [2, 2])
        try await room.wait(seconds: 541)
        try await room.perform(.say("Sorry"), in: all[2], by: Room.agent(Room.dana))
        try await room.perform(.say("Anything else?"), in: all[2], by: Room.agent(Room.dana))
        try await room.wait(ms: 1)
        try await room.perform(.say("Sorry"), in: all[3], by: Room.agent(Room.dana))
        let (again, later) = try await room.killed()
        room = try await Room(.oneSkill(), database: again, clock: later)
        #expect(room.service.wall(of: Room.account).skills.first.map { [$0.answered, $0.kept] } == [4, 2])
        let (last, tomorrow) = try await room.killed()
        tomorrow.advance(milliseconds: 86_400_000)
        room = try await Room(.oneSkill(), database: last, clock: tomorrow)
        #expect(
            room.service.wall(of: Room.account).skills.first.map { [$0.answered, $0.kept] } == [0, 0], "a new day")
    }

    @Test func `saves the counts when it stops`() async throws {
        let room = try await Room(.oneSkill())
        let (first, second) = (try await room.consumer(1), try await room.consumer(2))
        try await room.perform(.say("Hi"), in: first, by: Room.agent(Room.dana))
        try await room.perform(.say("Hi"), in: second, by: Room.agent(Room.dana))
        #expect(
            try await room.store.contactCentre.etaAccuracy(of: Room.account)?.sum(of: Skill.general.id).answered == 1,
            "the premise")
        let running = Task { await room.service.run { _ in } }
        running.cancel()
        await running.value
        #expect(
            try await room.store.contactCentre.etaAccuracy(of: Room.account)?.sum(of: Skill.general.id).answered == 2)
    }

    @Test func `sends a survey after the close, and counts the answer on the wall`() async throws {
        let room = try await Room(.oneSkill(.auto), online: [Room.dana])
        let conversation = try await room.consumer(1)
        try await room.perform(.say("Hi"), in: conversation, by: Room.agent(Room.dana))
        try await room.perform(.close, in: conversation, by: Room.agent(Room.dana))
        #expect(try await room.state(conversation).routing.survey != nil)
        try await room.perform(.rate(.init(csat: 5)), in: conversation, by: .consumer)
        let line = try #require(room.service.wall(of: Room.account).skills.first)
        #expect((line.closed, line.satisfied, line.rated) == (1, 1, 1))
    }

    @Test func `counts on the wall from the brand's midnight, also after a restart`() async throws {
        var centre = ContactCentreSettings.oneSkill()
        centre.skills[0].hours = "h"
        let always = (1...7).map { Hours.Shift(day: $0, from: 0, to: 1440) }
        centre.hours = [
            Hours(id: "other", name: "Other", zone: "America/New_York", week: always),
            Hours(id: "h", name: "Always", zone: "Asia/Tokyo", week: always),
        ]
        func figures(_ room: Room) -> [Int]? {
            room.service.wall(of: Room.account).skills.first.map { [$0.closed, $0.answered] }
        }
        func answerAndClose(_ number: Int, _ room: Room) async throws {
            let conversation = try await room.consumer(number)
            try await room.perform(.say("Hi"), in: conversation, by: Room.agent(Room.dana))
            try await room.perform(.close, in: conversation, by: Room.agent(Room.dana))
        }
        // 2026-06-30, 14:59 UTC: one minute to midnight in Tokyo.
        var room = try await Room(centre, clock: ManualClock(Timestamp(milliseconds: 1_782_831_540_000)))
        try await answerAndClose(1, room)
        #expect(figures(room) == [1, 1])
        try await room.wait(seconds: 59)
        #expect(figures(room) == [1, 1], "a second to midnight")
        try await room.wait(seconds: 1)
        #expect(figures(room) == [0, 0], "midnight there, 15:00 UTC")
        try await room.wait(seconds: 60)
        try await answerAndClose(2, room)
        try await room.wait(seconds: 10 * 3600)
        #expect(figures(room) == [1, 1], "midnight UTC is no border")
        let (database, clock) = try await room.killed()
        room = try await Room(centre, database: database, clock: clock)
        #expect(figures(room) == [1, 1], "what closed before midnight UTC is read at start")
    }
}
