import EarshotCore
import EarshotDomain
import EarshotModel
import EarshotTestKit
import Testing

@Suite struct `The conversations that a person sees` {
    private static let (dana, erik, lea) = (
        AgentID(trusted: "dana"), AgentID(trusted: "erik"), AgentID(trusted: "lea")
    )
    private static let (general, orders, returns) = (
        SkillID(trusted: "general"), SkillID(trusted: "orders"), SkillID(trusted: "returns")
    )

    private static func row(
        _ status: ConversationStatus, _ skill: SkillID?, offer: [AgentID] = [], reserved: AgentID? = nil
    ) -> InboxRow {
        InboxRow(
            conversation: ConversationID(trusted: "c"), position: 1, status: status, assignee: nil, assigneeName: nil,
            who: "Visitor", channel: .web, app: AppID(trusted: "shop"), sequence: 1, at: Timestamp(milliseconds: 1),
            since: Timestamp(milliseconds: 1), last: nil, unread: 0,
            routing: InboxRow.RoutingInfo(
                skill: skill, offer: offer.isEmpty ? nil : .init(to: offer, until: Timestamp(milliseconds: 9)),
                reserved: reserved))
    }

    /// Dana answers orders; she is in a group with Erik that sees returns.
    private static func part(hasHistory: Bool = false) -> ConversationScope {
        var settings = ContactCentreSettings()
        settings.skills = [general, orders, returns].map { Skill(id: $0, name: $0.rawValue, isDefault: $0 == general) }
        settings.people = [Seat(agent: dana, skills: [orders])]
        let brand = AccountID(trusted: "brand")
        let groups = [
            PeopleGroup(
                id: GroupID(trusted: "g"), account: brand, name: "North", skills: [returns], people: [dana, erik]),
            PeopleGroup(
                id: GroupID(trusted: "h"), account: brand, name: "South", skills: [general], people: [lea]),
        ]
        return .part(.init(of: dana, groups: groups, in: settings, hasHistory: hasHistory))
    }

    @Test(arguments: [
        ("her own", row(.open, general), [dana], true),
        ("her own of before", row(.closed, general), [lea, dana], true),
        ("a colleague's of her group", row(.open, general), [erik], true),
        ("another colleague's", row(.open, orders), [lea], false),
        ("what waits in her queue", row(.waiting, orders), [], true),
        ("what waits in another queue", row(.waiting, general), [], false),
        ("what waits and has no skill yet", row(.waiting, nil), [], false),
        ("what her group sees, whatever its state", row(.open, returns), [lea], true),
        ("what her group saw", row(.closed, returns), [lea], true),
        ("what is offered to her", row(.waiting, general, offer: [lea, dana]), [], true),
        ("what is offered to another", row(.waiting, general, offer: [lea]), [], false),
        ("what is reserved for her", row(.waiting, general, reserved: dana), [], true),
        ("what others closed", row(.closed, orders), [lea], false),
    ])
    func `are her own, those of her queues, of her groups, and where she is called`(
        what: String, row: InboxRow, people: [AgentID], isSeen: Bool
    ) {
        #expect(Self.part().sees(ScopeFacts(row, people: .init(participants: people))) == isSeen, "\(what)")
        #expect(ConversationScope.everything.sees(ScopeFacts(row, people: .init(participants: people))))
    }

    /// A conversation of another skill, which Lea answers.
    private static func state(_ events: [(Event.Kind, by: Int)]) -> ConversationState {
        var state = ConversationState(.sample())
        let joined = Event.Joined(role: .agent, name: "Lea", id: lea)
        let begin: [(Event.Kind, by: Int)] = [
            (.started(.init(channel: .web, app: AppID(trusted: "shop"))), 1), (.text("Hello"), 1),
            (.queued(.init(skill: general, why: .routed)), 0), (.joined(joined), 2),
            (.assigned(.init(to: .init(2))), 2),
        ]
        for (index, event) in (begin + events).enumerated() {
            state.apply(
                Event(
                    sequence: index + 1, at: Timestamp(milliseconds: Int64(index)), by: ParticipantNumber(event.by),
                    kind: event.0))
        }
        return state
    }

    @Test func `are not those that she only tagged, declined or mentioned herself in`() {
        let quiet = Event.Kind.joined(.init(role: .agent, name: "Dana", id: Self.dana, quiet: true))
        let note = { (mentions: [AgentID]) in Event.Kind.note(.init(text: "Look", audio: nil, mentions: mentions)) }
        let noticed = Event.Kind.noticed(.init(agent: Self.dana))
        for (what, events, isSeen) in [
            ("tagged", [(quiet, 3), (.tagged(.init(tags: ["x"])), 3)], false),
            ("declined", [(quiet, 3), (.declined(.init(agents: [Self.dana], said: true)), 3)], false),
            ("mentioned herself", [(quiet, 3), (note([Self.dana]), 3)], false),
            ("was mentioned", [(note([Self.dana]), 2)], true),
            ("was mentioned and marked it as read", [(note([Self.dana]), 2), (quiet, 3), (noticed, 3)], true),
            (
                "was mentioned, and then mentions herself",
                [(note([Self.dana]), 2), (quiet, 3), (note([Self.dana]), 3)], true
            ),
            ("took part openly", [(.joined(.init(role: .agent, name: "Dana", id: Self.dana)), 3)], true),
        ] as [(String, [(Event.Kind, by: Int)], Bool)] {
            #expect(Self.part().sees(ScopeFacts(Self.state(events))) == isSeen, "\(what)")
        }
    }

    @Test func `are every closed one too, with the permission to read history`() {
        let (closed, open) = (Self.row(.closed, Self.orders), Self.row(.open, Self.orders))
        #expect(Self.part(hasHistory: true).sees(ScopeFacts(closed, people: .init(participants: [Self.lea]))))
        #expect(!Self.part(hasHistory: true).sees(ScopeFacts(open, people: .init(participants: [Self.lea]))))
    }

    @Test func `name the epoch, so that another scope begins again`() {
        let (one, other) = (Self.part().epoch(of: "E"), Self.part(hasHistory: true).epoch(of: "E"))
        #expect(one != other && one == Self.part().epoch(of: "E") && one.hasPrefix("E."))
        #expect(ConversationScope.everything.epoch(of: "E") == "E")
    }
}
