import EarshotCore
import EarshotModel
import Testing

@Suite struct `The conversations that a person sees` {
    private static let (dana, erik, lea) = (
        AgentID(trusted: "dana"), AgentID(trusted: "erik"), AgentID(trusted: "lea")
    )
    private static let (general, orders, returns) = (
        SkillID(trusted: "general"), SkillID(trusted: "orders"), SkillID(trusted: "returns")
    )

    private static func row(
        _ status: ConversationStatus, _ skill: SkillID?, offer: [AgentID] = [], reserved: AgentID? = nil,
        mentioned: [AgentID] = []
    ) -> InboxRow {
        InboxRow(
            conversation: ConversationID(trusted: "c"), position: 1, status: status, assignee: nil, assigneeName: nil,
            who: "Visitor", channel: .web, app: AppID(trusted: "shop"), sequence: 1, at: Timestamp(milliseconds: 1),
            since: Timestamp(milliseconds: 1), last: nil, unread: 0,
            routing: InboxRow.RoutingInfo(
                skill: skill, offer: offer.isEmpty ? nil : .init(to: offer, until: Timestamp(milliseconds: 9)),
                reserved: reserved, mentioned: mentioned.isEmpty ? nil : mentioned))
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
        ("where she was mentioned", row(.open, general, mentioned: [dana]), [lea], true),
        ("what others closed", row(.closed, orders), [lea], false),
    ])
    func `are her own, those of her queues, of her groups, and where she is called`(
        what: String, row: InboxRow, people: [AgentID], isSeen: Bool
    ) {
        #expect(Self.part().sees(ScopeFacts(row, people: people)) == isSeen, "\(what)")
        #expect(ConversationScope.everything.sees(ScopeFacts(row, people: people)))
    }

    @Test func `are every closed one too, with the permission to read history`() {
        let (closed, open) = (Self.row(.closed, Self.orders), Self.row(.open, Self.orders))
        #expect(Self.part(hasHistory: true).sees(ScopeFacts(closed, people: [Self.lea])))
        #expect(!Self.part(hasHistory: true).sees(ScopeFacts(open, people: [Self.lea])))
    }

    @Test func `name the epoch, so that another scope begins again`() {
        let (one, other) = (Self.part().epoch(of: "E"), Self.part(hasHistory: true).epoch(of: "E"))
        #expect(one != other && one == Self.part().epoch(of: "E") && one.hasPrefix("E."))
        #expect(ConversationScope.everything.epoch(of: "E") == "E")
    }
}
