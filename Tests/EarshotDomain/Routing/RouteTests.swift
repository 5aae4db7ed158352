import EarshotDomain
import EarshotModel
import Testing

@Suite struct `A routing rule` {
    private static let skills = ["general", "sales", "repairs"].map {
        Skill(id: .init(trusted: $0), name: $0, isDefault: $0 == "general")
    }

    private static func route(_ rules: [RoutingRule], _ facts: RouteFacts) -> Routed {
        ContactCentreSettings(skills: skills, rules: rules).route(facts)
    }

    private static func rule(
        _ id: String, _ conditions: [RoutingRule.Condition] = [], to skill: String = "sales", isOn: Bool = true
    ) -> RoutingRule {
        RoutingRule(
            id: id, name: id, isOn: isOn, conditions: conditions, skill: .init(trusted: skill), urgent: id == "urgent")
    }

    private static func holds(_ of: String, _ test: RoutingRule.Test, _ value: String, _ facts: RouteFacts) -> Bool {
        route([rule("r", [.init(of: of, test: test, value: value)])], facts).rule == "r"
    }

    @Test func `has no effect when it does not match, is off, or names a deleted skill`() {
        let failing = Self.rule("failing", [.init(of: "language", test: .is, value: "fr")])
        let routed = Self.route(
            [failing, Self.rule("off", isOn: false), Self.rule("gone", to: "nowhere")], RouteFacts(language: "de"))
        #expect(routed.skill.rawValue == "general" && routed.rule == nil && !routed.urgent)
        #expect(routed.explanation.map(\.outcome) == [.failed, .off, .noSkill])
        #expect(Self.route([], RouteFacts()).skill.rawValue == "general")
    }

    @Test func `wins over all later ones, which say that they would have matched`() {
        let rules = [
            Self.rule("no", [.init(of: "page", test: .contains, value: "repair")]),
            Self.rule("urgent", [.init(of: "language", test: .is, value: "DE")], to: "repairs"),
            Self.rule("any"),
        ]
        let routed = Self.route(rules, RouteFacts(page: "https://shop.example/cart", language: "de"))
        #expect(routed.skill.rawValue == "repairs" && routed.urgent && routed.rule == "urgent")
        #expect(routed.explanation.map(\.outcome) == [.failed, .won, .outranked])
    }

    @Test func `matches only when all its conditions hold, and says which does not and what was found`() {
        let both = [
            RoutingRule.Condition(of: "language", test: .is, value: "de"),
            .init(of: "attribute.tier", test: .is, value: "gold"),
        ]
        let routed = Self.route([Self.rule("both", both)], RouteFacts(language: "de", attributes: ["tier": "silver"]))
        #expect(routed.rule == nil)
        #expect(routed.explanation.first?.checks.map(\.holds) == [true, false])
        #expect(routed.explanation.first?.checks.map(\.found) == ["de", "silver"])
        #expect(
            Self.route([Self.rule("both", both)], RouteFacts(language: "de", attributes: ["tier": "gold"])).rule
                == "both")
    }

    @Test func `without conditions always matches`() {
        #expect(Self.route([Self.rule("any")], RouteFacts()).rule == "any")
    }

    @Test(
        arguments: [
            (.is, "Cart", true), (.is, "car", false), (.isNot, "cart", false), (.isNot, "car", true),
            (.contains, "AR", true),
            (.contains, "x", false),
            (.starts, "ca", true), (.starts, "art", false), (.ends, "RT", true), (.ends, "ca", false),
            (.exists, "", true), (.atLeast, "1", false),
            (.atMost, "9", false),
        ] as [(RoutingRule.Test, String, Bool)])
    func `compares words in any case`(test: RoutingRule.Test, value: String, holds: Bool) {
        #expect(Self.holds("page", test, value, RouteFacts(page: "cArT")) == holds)
    }

    @Test(
        arguments: [
            (.atLeast, "100", "100", true), (.atLeast, "99.5", "100", false), (.atMost, "99.5", "100", true),
            (.atMost, "101", "100", false),
            (.atLeast, "9", "10", false), (.atLeast, "nan", "0", false), (.atLeast, "inf", "0", false),
            (.atLeast, "5", "many", false),
            (.atMost, "", "5", false),
        ] as [(RoutingRule.Test, String, String, Bool)])
    func `compares numbers as numbers`(test: RoutingRule.Test, found: String, value: String, holds: Bool) {
        #expect(Self.holds("attribute.spent", test, value, RouteFacts(attributes: ["spent": found])) == holds)
    }

    @Test(arguments: RoutingRule.Test.allCases) func `holds of what is not known only that it is not this`(
        test: RoutingRule.Test
    ) {
        for name in ["page", "language", "channel", "app", "attribute.tier", "attribute.", "weather", ""] {
            #expect(Self.holds(name, test, "", RouteFacts()) == (test == .isNot), "\(name)")
        }
    }

    @Test func `reads page, language, channel, app and attributes, each its own`() {
        let facts = RouteFacts(page: "1", language: "2", channel: "3", app: "4", attributes: ["page": "5", "a.b": "6"])
        let names = ["page", "language", "channel", "app", "attribute.page", "attribute.a.b"]
        for (index, name) in names.enumerated() { #expect(Self.holds(name, .is, "\(index + 1)", facts), "\(name)") }
    }
}
