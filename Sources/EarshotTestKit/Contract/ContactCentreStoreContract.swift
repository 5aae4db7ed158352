import EarshotCore
import EarshotDomain
import EarshotModel

/// What every adapter of `ContactCentreStore` promises. Run each check with a database of its own.
public enum ContactCentreStoreContract<Subject: StoreUnderTest> {
    /// A check of this suite.
    public typealias Check = ContractCheck<Subject>

    /// All checks of the suite.
    public static var checks: [Check] { sectionChecks + peopleChecks + searchChecks }

    static func check(_ promise: String, _ body: @escaping @Sendable (Subject.Store) async throws -> Void) -> Check {
        Check(promise) { subject in
            let store = try await subject.open()
            let outcome: Result<Void, any Error>
            do { outcome = .success(try await body(store)) } catch { outcome = .failure(error) }
            try await subject.close(store)
            try outcome.get()
        }
    }

    private static var sectionChecks: [Check] {
        [
            check("A section that somebody changed since is not changed, and nothing is written") { store in
                try await store.accounts.save(Account.sample)
                try same(try await store.contactCentre.change(.sample(.survey, "1", seen: 1)), 2, "the first change")
                try same(
                    try await store.contactCentre.change(.sample(.survey, "2", seen: 1)), nil,
                    "a change that did not see it")
                try same(
                    try await store.contactCentre.centre(of: Account.sample.id),
                    [.survey: StoredSection(version: 2, body: Array("1".utf8))], "what is in force")
                try same(
                    try await store.contactCentre.revisions(of: Account.sample.id, before: nil, limit: 9).count, 1,
                    "revisions")
                try same(
                    try await store.accounts.audit(Account.sample.id, AuditQuery(limit: 9)).count, 1, "audit entries")
            },
            check("Another section may have changed meanwhile; the version is the centre's and rises with every change")
            { store in
                try await store.accounts.save(Account.sample)
                _ = try await store.contactCentre.change(.sample(.survey, "1", seen: 1))
                try same(try await store.contactCentre.change(.sample(.skills, "[]", seen: 1)), 3, "another section")
                try same(try await store.contactCentre.change(.sample(.survey, "2", seen: 2)), 4, "the same again")
            },
            check("A revision has what was before and after, and what it undoes") { store in
                try await store.accounts.save(Account.sample)
                _ = try await store.contactCentre.change(.sample(.survey, "1", seen: 1))
                _ = try await store.contactCentre.change(.sample(.survey, "0", seen: 2, undoes: 2))
                let all = try await store.contactCentre.revisions(of: Account.sample.id, before: nil, limit: 9)
                try same(all.map(\.version), [3, 2], "versions, newest first")
                try same(all.map(\.undoes), [2, nil], "what they undo")
                try same(all.map { String(decoding: $0.before, as: UTF8.self) }, ["1", "initial"], "before")
                try same(
                    try await store.contactCentre.revisions(of: Account.sample.id, before: 3, limit: 1), [all[1]],
                    "a page")
                try same(try await store.contactCentre.revision(2, of: Account.sample.id), all[1], "one")
                try hold(
                    try await store.contactCentre.revision(2, of: AccountID(trusted: "other")) == nil,
                    "none of another account")
            },
        ]
    }

    private static var peopleChecks: [Check] {
        [
            check("People, what they chose to be and their views are their brand's") { store in
                try await store.accounts.save(Account.sample)
                try await store.accounts.save(Agent.sample)
                let presence = Presence(state: .away, reason: "Lunch", since: Timestamp(milliseconds: 5))
                let view = SavedView(
                    id: "v", name: "Mine", shared: true,
                    filter: ["tag": .text("vip"), "open": .flag(true), "n": .number(3), "s": .list(["a"])])
                try await store.contactCentre.save(
                    Presence(state: .online, since: Timestamp(milliseconds: 1)), of: Agent.sample.id,
                    in: Account.sample.id)
                try await store.contactCentre.save(presence, of: Agent.sample.id, in: Account.sample.id)
                try await store.contactCentre.save([view], of: Agent.sample.id, in: Account.sample.id)
                let other = AccountID(trusted: "other")
                try same(try await store.contactCentre.accounts(), [Account.sample.id], "the accounts")
                try same(try await store.accounts.agents(of: Account.sample.id), [.sample], "the people")
                try same(
                    try await store.contactCentre.presences(of: Account.sample.id), [Agent.sample.id: presence],
                    "the last that was chosen")
                try same(
                    try await store.contactCentre.views(of: Account.sample.id), [Agent.sample.id: [view]], "the views")
                try same(try await store.accounts.agents(of: other), [], "people of another brand")
                try same(try await store.contactCentre.presences(of: other), [:], "presences of another brand")
                try same(try await store.contactCentre.views(of: other), [:], "views of another brand")
            },
            check("How right the promised times were is what was stored last, for each brand") { store in
                let (brand, other) = (Account.sample.id, AccountID(trusted: "other"))
                try hold(try await store.contactCentre.etaAccuracy(of: brand) == nil, "nothing was stored")
                var etaAccuracy = EtaAccuracy(day: Timestamp(milliseconds: 0))
                for due in [6, 5, 4] {
                    etaAccuracy.count(
                        Skill.general.id, at: Timestamp(milliseconds: 5), due: Timestamp(milliseconds: Int64(due)))
                }
                try await store.contactCentre.save(EtaAccuracy(day: Timestamp(milliseconds: 0)), of: brand)
                try await store.contactCentre.save(etaAccuracy, of: brand)
                let found = try await store.contactCentre.etaAccuracy(of: brand)
                try same(found, etaAccuracy, "the last")
                try same(found?.sum(of: Skill.general.id).answered, 3, "answered")
                try same(found?.sum(of: Skill.general.id).kept, 2, "in time: at the moment too")
                try hold(try await store.contactCentre.etaAccuracy(of: other) == nil, "nothing of another brand")
            },
        ]
    }
}

extension ContactCentreChange {
    static func sample(_ section: ContactCentreSettings.Section, _ value: String, seen: Int, undoes: Int? = nil)
        -> ContactCentreChange
    {
        ContactCentreChange(
            account: Account.sample.id, section: section,
            values: .init(initial: Array("initial".utf8), new: Array(value.utf8)), at: Timestamp(milliseconds: 7),
            author: .init(id: "agent-dana", seen: seen, undoes: undoes))
    }
}
