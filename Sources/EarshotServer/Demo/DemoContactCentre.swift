import EarshotModel

/// How the demo brand runs its contact centre: three skills, people in two time zones, shifts, rules, words.
enum DemoContactCentre {
    static let (advice, orders, returns) = (
        SkillID(trusted: "advice"), SkillID(trusted: "orders"), SkillID(trusted: "returns")
    )

    /// - Parameter people: agents by their short name (`dana`).
    static func centre(_ people: [String: AgentID]) -> ContactCentreSettings {
        var centre = ContactCentreSettings()
        centre.skills = [
            Skill(
                id: advice, name: "Advice", isDefault: true, accept: .offer, offerSeconds: 30,
                sla: ResponseTimes(usual: 900, urgent: 300, first: 600), hours: "both",
                autoCloseSeconds: 2 * 86_400),
            Skill(
                id: orders, name: "Orders", accept: .offerToAll, offerSeconds: 30,
                sla: ResponseTimes(usual: 600, urgent: 180, first: 300), hours: "both"),
            Skill(
                id: returns, name: "Returns", fallback: orders, accept: .auto,
                sla: ResponseTimes(usual: 1800, urgent: 600, first: 900), hours: "berlin",
                autoCloseSeconds: 86_400, disposition: .required),
        ]
        let seats: [(String, [SkillID], Int)] = [
            // Only what comes from the shop's pages rings for Dana: the queues of the demo's day have other skills.
            ("dana", [advice], 4), ("omar", [advice, orders], 3), ("lea", [advice], 3),
            ("noah", [orders, returns], 3), ("ines", [returns, orders], 3),
            ("kenji", [advice, returns], 2),
        ]
        centre.people = seats.compactMap { name, skills, capacity in
            people[name].map { Seat(agent: $0, skills: skills, capacity: capacity) }
        }
        centre.hours = hours
        centre.rules = [
            RoutingRule(
                id: "order-page", name: "From an order",
                conditions: [.init(of: "page", test: .contains, value: "/order")], skill: orders),
            RoutingRule(
                id: "return-page", name: "From the returns page",
                conditions: [.init(of: "page", test: .contains, value: "return")], skill: returns),
        ]
        centre.automatic = automatic
        centre.canned = canned
        centre.wrapUp = WrapUp(
            dispositions: [
                .init(id: "solved", name: "Solved"), .init(id: "refund", name: "Refund", skill: returns),
                .init(id: "exchange", name: "Exchange", skill: returns),
                .init(id: "shipping", name: "Shipping", skill: orders), .init(id: "no-answer", name: "No answer"),
            ],
            tags: ["vip", "damaged", "late parcel", "idea", "praise"],
            attributes: [
                .init(id: "order", name: "Order number", type: .text),
                .init(id: "member", name: "Club member", type: .yesNo),
            ])
        centre.survey = Survey(nps: true, question: "How did we do?")
        // Nobody sits at these services: what they have stays theirs, so that every page has something to show.
        centre.silence = Silence(onlineSeconds: 3600, awaySeconds: nil, offlineSeconds: nil)
        return centre
    }

    private static func week(_ from: Int, _ to: Int, days: ClosedRange<Int> = 1...7) -> [Hours.Shift] {
        days.map { .init(day: $0, from: from * 60, to: to * 60) }
    }

    /// A demo is tried at any hour: what the shop's pages lead to is open day and night. Returns show what closed hours
    /// look like.
    private static let hours = [
        Hours(
            id: "berlin", name: "Berlin shop", zone: "Europe/Berlin", week: week(7, 22),
            holidays: [
                .init(date: "2026-12-25", name: "Christmas Day"),
                .init(date: "2026-12-24", name: "Christmas Eve", open: [.init(from: 480, to: 840)]),
            ]),
        Hours(id: "new-york", name: "New York", zone: "America/New_York", week: week(9, 18, days: 1...5)),
        Hours(id: "both", name: "Berlin and New York together", zone: "UTC", week: week(0, 24)),
    ]

    /// Who answers, by when, and the place in the queue are said by the widget itself: these words add to that.
    private static let automatic = [
        AutomaticMessage(
            id: "first-welcome", on: .firstWelcome,
            text: "Thanks for writing to {brand}! Tell us more if you like; one of us reads along soon."),
        AutomaticMessage(
            id: "welcome", on: .welcome,
            text: "Good to hear from you again!"),
        AutomaticMessage(
            id: "off-hours", on: .offHoursFirst,
            text: "Leave us a message, spoken or written. We read every one when we are back."),
        AutomaticMessage(
            id: "queued", on: .queued, text: "Thanks for waiting. We have not forgotten you.", afterSeconds: 180),
        AutomaticMessage(id: "transferred", on: .transferred, text: "One moment, a colleague from {skill} takes over."),
        AutomaticMessage(
            id: "consumer-idle", on: .consumerIdle,
            text: "Are you still there? Just write when you like; nothing is lost.", afterSeconds: 3600),
    ]

    private static let canned = [
        CannedReply(
            id: "hello", shortcut: "hello", title: "Hello",
            text: "Hello {consumer}, this is {agentNickname} from {brand}. How can I help?"),
        CannedReply(
            id: "number", shortcut: "number", title: "Ask for the order number", skill: orders,
            text: "Could you tell me your order number? It begins with FW and stands in the confirmation."),
        CannedReply(
            id: "label", shortcut: "label", title: "Return label", skill: returns,
            text:
                """
                I am sending you a return label by e-mail. Put it on the box and hand it in at any parcel shop; \
                you need no printer, the code is enough.
                """
        ),
        CannedReply(
            id: "track", shortcut: "track", title: "Where the parcel is", skill: orders,
            text:
                """
                I have asked the carrier to look for it. You will hear from me by tomorrow noon, \
                also if there is no news.
                """
        ),
        CannedReply(
            id: "size", shortcut: "size", title: "Boot sizes", skill: advice,
            text: "Boots should leave a thumb's width at the front with the socks that you hike in."),
        CannedReply(
            id: "bye", shortcut: "bye", title: "Goodbye",
            text: "Glad I could help. Have a good trip, and send us a picture from the top!"),
    ]
}
