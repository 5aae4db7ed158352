import EarshotCore
import EarshotModel

/// Changes of people, and suspended brands.
extension AccountStoreContract {
    static var personChangeChecks: [Check] {
        [
            check("A new role or disabling ends the person's sessions, a new name does not; each change is audited") {
                store in
                try await begin(store)
                for patch in [
                    PersonPatch(name: "Another"), PersonPatch(role: .administrator), PersonPatch(isDisabled: true),
                ] {
                    for digest: [UInt8] in [[1], [2]] { try await store.save(.sample(digest, of: Agent.sample.id)) }
                    try await store.save(.sample([3], of: AgentID.second))
                    let outcome = try await store.change(.sample(patch))
                    guard case .changed(_, let after) = outcome else { return try hold(false, "it changes something") }
                    try same(try await store.agent(Agent.sample.id), after, "who is stored")
                    let isName = patch.name != nil
                    try hold((try await store.session([1], at: .zero) != nil) == isName, "a session of theirs")
                    try hold((try await store.session([2], at: .zero) != nil) == isName, "their other session")
                    try hold(try await store.session([3], at: .zero) != nil, "somebody else's session")
                }
                try same(try await store.audit(Account.sample.id, AuditQuery(limit: 9)).count, 3, "audit entries")
                try same(try await store.agent(Agent.sample.id)?.isDisabled, true, "being disabled")
            },
            check("A change that changes nothing, of nobody, or of the last administrator writes nothing") { store in
                try await begin(store)
                try same(
                    try await store.change(.sample(PersonPatch(role: .agent))), .unchanged(.sample),
                    "a change to what is")
                try same(
                    try await store.change(.sample(PersonPatch(role: .administrator), of: AgentID(trusted: "x"))),
                    .notFound,
                    "a change of nobody")
                let elsewhere = PersonChange(
                    account: AccountID(trusted: "other"), person: Agent.sample.id, patch: PersonPatch(name: "x"),
                    audit: .sample("x"))
                try same(try await store.change(elsewhere), .notFound, "a change by another brand")
                for patch in [PersonPatch(role: .agent), PersonPatch(isDisabled: true)] {
                    try same(
                        try await store.change(.sample(patch, of: .second)), .lastAdministrator,
                        "a brand without administrators")
                }
                try same(try await store.agent(AgentID.second)?.role, .administrator, "the administrator")
                try same(try await store.audit(Account.sample.id, AuditQuery(limit: 9)).count, 0, "audit entries")
            },
            check("Of two administrators who demote each other at once, one stays") { store in
                try await begin(store)
                _ = try await store.change(.sample(PersonPatch(role: .administrator)))
                async let first = store.change(.sample(PersonPatch(role: .agent)))
                async let second = store.change(.sample(PersonPatch(role: .agent), of: .second))
                let outcomes = try await [first, second]
                try same(outcomes.filter { $0 == .lastAdministrator }.count, 1, "those that were refused")
            },
        ]
    }

    static var suspensionChecks: [Check] {
        [
            check("The origins that apps allow are known over all brands") { store in
                try await store.save(Account.sample)
                try same(try await store.allowedOrigins(), [], "no app, no origin")
                var app = App(id: AppID(trusted: "a"), account: Account.sample.id, name: "A", allowedOrigins: [])
                try await store.save(app)
                try same(try await store.allowedOrigins(), [], "an app that allows none")
                app.allowedOrigins = ["https://a.example", "https://b.example"]
                try await store.save(app)
                let other = AccountID(trusted: "other")
                try await store.save(
                    Account(id: other, name: "Other", color: "#000000", welcome: "Hello", audioLimitMs: 1))
                try await store.save(
                    App(
                        id: app.id, account: other, name: "B",
                        allowedOrigins: ["https://b.example", "https://c.example"]))
                try same(
                    try await store.allowedOrigins(), ["https://a.example", "https://b.example", "https://c.example"],
                    "those of two brands")
                app.allowedOrigins = []
                try await store.save(app)
                try same(
                    try await store.allowedOrigins(), ["https://b.example", "https://c.example"], "those that are left")
            },
            check("The first brands are read in order, and no more than asked for") { store in
                try same(try await store.accounts(atMost: 2).count, 0, "without a brand")
                try await store.save(Account.sample)
                try same(try await store.accounts(atMost: 2).map(\.id), [Account.sample.id], "the only one")
                for id in ["zz-last", "zz-middle"] {
                    let id = AccountID(trusted: id)
                    try await store.save(
                        Account(id: id, name: "Other", color: "#000000", welcome: "Hello", audioLimitMs: 1))
                }
                try same(
                    try await store.accounts(atMost: 2).map(\.id), [Account.sample.id, AccountID(trusted: "zz-last")],
                    "two of three")
            },
            check("Brands are suspended and resumed, each written down once") { store in
                try await store.save(Account.sample)
                let brand = Account.sample.id
                try same(try await store.suspended(), [], "nobody is suspended")
                for _ in 1...2 { try await store.suspend(brand, true, audit: .sample("off")) }
                try same(try await store.suspended(), [brand], "who is suspended")
                for _ in 1...2 { try await store.suspend(brand, false, audit: .sample("on")) }
                try same(try await store.suspended(), [], "who is suspended later")
                try same(
                    try await store.audit(brand, AuditQuery(limit: 9)).map(\.entry.detail), ["on", "off"],
                    "the entries")
            },
        ]
    }

    private static func begin(_ store: any AccountData) async throws {
        try await store.save(Account.sample)
        try await store.save(Agent.sample)
        try await store.save(
            Agent(
                id: .second, account: Account.sample.id, email: "second@brand.example", name: "Second",
                role: .administrator,
                password: Agent.sample.password))
    }
}

extension PersonChange {
    static func sample(_ patch: PersonPatch, of person: AgentID = Agent.sample.id) -> PersonChange {
        PersonChange(account: Account.sample.id, person: person, patch: patch, audit: .sample("changed"))
    }
}

extension AgentID {
    fileprivate static var second: AgentID { AgentID(trusted: "second") }
}

extension Session {
    fileprivate static func sample(_ digest: [UInt8], of agent: AgentID) -> Session {
        Session(digest: digest, agent: agent, expires: Timestamp(milliseconds: 1_000))
    }
}

extension Timestamp {
    fileprivate static let zero = Timestamp(milliseconds: 0)
}
