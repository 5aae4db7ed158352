import EarshotCore
import EarshotModel
import EarshotTestKit
import GRDB
import Testing

@testable import EarshotStorage

@Suite struct `Second factors in the database` {
    private static let brand = AccountID(trusted: "brand")
    private static let dana = AgentID(trusted: "dana")
    private static let omar = AgentID(trusted: "omar")

    private static func factor(of agent: AgentID = dana, lastStep: Int64 = 10) -> SecondFactor {
        SecondFactor(
            agent: agent, account: brand, sealed: [1, 2, 3], lastStep: lastStep, since: Timestamp(milliseconds: 5))
    }

    private static func entry(_ what: AuditAction) -> AuditEntry {
        AuditEntry(account: brand, at: Timestamp(milliseconds: 1), by: "dana", what: what)
    }

    private static func with(_ body: (TemporaryDatabase, SQLiteStore) async throws -> Void) async throws {
        let place = try TemporaryDatabase()
        let store = try place.open()
        try await store.accounts.save(
            Account(id: brand, name: "Brand", color: "#000000", welcome: "", audioLimitMs: 15_000))
        for id in [dana, omar] {
            try await store.accounts.save(
                Agent(
                    id: id, account: brand, email: "\(id)@brand.example", name: id.rawValue, role: .agent,
                    password: PasswordHash(encoded: "hash")))
            try await store.accounts.save(
                Session(digest: Array(id.rawValue.utf8), agent: id, expires: Timestamp(milliseconds: 1_000)))
        }
        try await body(place, store)
        try store.close()
    }

    private static func save(_ factor: SecondFactor, in store: SQLiteStore) async throws -> Bool {
        try await store.secondFactors.save(
            factor, recoveryCodes: [[1], [2], [3]], audit: entry(.secondFactorAdded))
    }

    private static func audit(_ store: SQLiteStore) async throws -> [AuditAction] {
        try await store.accounts.audit(brand, AuditQuery(limit: 9)).map(\.entry.what)
    }

    @Test func `are stored once for each person, with the recovery codes`() async throws {
        try await Self.with { _, store in
            #expect(try await store.secondFactors.secondFactor(of: Self.dana) == nil)
            let isSaved = try await Self.save(Self.factor(), in: store)
            #expect(isSaved)
            #expect(try await !Self.save(Self.factor(lastStep: 99), in: store), "the first one stays")
            #expect(try await store.secondFactors.secondFactor(of: Self.dana) == Self.factor())
            #expect(try await store.secondFactors.recoveryCodes(of: Self.dana) == 3)
            #expect(try await store.secondFactors.secondFactors(of: Self.brand) == [Self.dana])
            #expect(try await store.secondFactors.secondFactors(of: AccountID(trusted: "other")).isEmpty)
            #expect(try await Self.audit(store) == [.secondFactorAdded])
        }
    }

    @Test func `accept each step once and never an earlier one`() async throws {
        try await Self.with { _, store in
            #expect(try await !store.secondFactors.use(step: 11, of: Self.dana), "without a second factor")
            _ = try await Self.save(Self.factor(), in: store)
            _ = try await Self.save(Self.factor(of: Self.omar), in: store)
            var accepted: [Bool] = []
            for step: Int64 in [10, 11, 11, 10, 13, 12, 14] {
                accepted.append(try await store.secondFactors.use(step: step, of: Self.dana))
            }
            #expect(accepted == [false, true, false, false, true, false, true])
            #expect(try await store.secondFactors.secondFactor(of: Self.omar)?.lastStep == 10)
        }
    }

    @Test func `let one of many requests at once use a step, and one a recovery code`() async throws {
        try await Self.with { _, store in
            _ = try await Self.save(Self.factor(), in: store)
            let (factors, audit) = (store.secondFactors, Self.entry(.recoveryCodeUsed))
            let (dana, tries) = (Self.dana, 20)
            let steps = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<tries { group.addTask { try await factors.use(step: 11, of: dana) } }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            let codes = try await withThrowingTaskGroup(of: Int?.self) { group in
                for _ in 0..<tries {
                    group.addTask { try await factors.use(recoveryCode: [2], of: dana, audit: audit) }
                }
                return try await group.reduce(into: [Int]()) { if let left = $1 { $0.append(left) } }
            }
            #expect(steps == 1 && codes == [2])
            #expect(try await factors.use(recoveryCode: [1], of: Self.omar, audit: audit) == nil, "of another person")
            #expect(try await Self.audit(store) == [.recoveryCodeUsed, .secondFactorAdded])
        }
    }

    @Test(arguments: [true, false]) func `are removed with their codes, and end sessions where asked`(
        endsSessions: Bool
    )
        async throws
    {
        try await Self.with { place, store in
            let now = Timestamp(milliseconds: 0)
            for agent in [Self.dana, Self.omar] { _ = try await Self.save(Self.factor(of: agent), in: store) }
            for isThere in [true, false] {
                let isRemoved = try await store.secondFactors.removeSecondFactor(
                    of: Self.dana, endsSessions: endsSessions, audit: Self.entry(.secondFactorRemoved))
                #expect(isRemoved == isThere)
            }
            #expect(try await store.secondFactors.recoveryCodes(of: Self.dana) == 0)
            #expect(try await store.secondFactors.recoveryCodes(of: Self.omar) == 3)
            #expect(try await store.accounts.sessions(of: Self.dana, at: now).isEmpty == endsSessions)
            #expect(try await store.accounts.sessions(of: Self.omar, at: now).count == 1)
            #expect(try await store.accounts.accessChanges(after: 0).isEmpty == !endsSessions)
            #expect(try await Self.audit(store).filter { $0 == .secondFactorRemoved }.count == 1)
        }
    }

    @Test func `go with a person who leaves the brand`() async throws {
        try await Self.with { _, store in
            _ = try await Self.save(Self.factor(), in: store)
            let change = PersonChange(
                account: Self.brand, person: Self.dana, patch: .removal, audit: Self.entry(.personRemoved))
            _ = try await store.accounts.change(change)
            #expect(try await store.secondFactors.secondFactor(of: Self.dana) == nil)
            #expect(try await store.secondFactors.recoveryCodes(of: Self.dana) == 0)
        }
    }

    @Test func `go with a brand that is removed`() async throws {
        try await Self.with { _, store in
            _ = try await Self.save(Self.factor(), in: store)
            _ = try await store.secondFactors.requireSecondFactor(
                true, of: Self.brand, audit: Self.entry(.secondFactorRuleChanged))
            #expect(try await store.installation.removeEmpty(Self.brand, audit: Self.entry(.brandRemoved)))
            #expect(try await store.secondFactors.recoveryCodes(of: Self.dana) == 0)
            let standing = try await store.secondFactors.standing(of: Self.dana, in: Self.brand)
            #expect(!standing.isOn && !standing.isRequired)
        }
    }

    @Test func `are required of one brand, and each change is noted once`() async throws {
        try await Self.with { _, store in
            let factors = store.secondFactors
            let other = AccountID(trusted: "other")
            for (isRequired, isChange) in [(false, false), (true, true), (true, false), (false, true), (true, true)] {
                let changed = try await factors.requireSecondFactor(
                    isRequired, of: Self.brand, audit: Self.entry(.secondFactorRuleChanged))
                #expect(changed == isChange)
                let standing = try await factors.standing(of: Self.dana, in: Self.brand)
                #expect(standing == SecondFactorStanding(isOn: false, isRequired: isRequired))
            }
            _ = try await Self.save(Self.factor(), in: store)
            let standing = try await factors.standing(of: Self.dana, in: Self.brand)
            #expect(standing.isOn && standing.isRequired && !standing.mustSetUp)
            #expect(try await factors.standing(of: Self.omar, in: Self.brand).mustSetUp)
            #expect(try await !factors.standing(of: Self.omar, in: other).isRequired)
            #expect(try await Self.audit(store).filter { $0 == .secondFactorRuleChanged }.count == 3)
        }
    }
}
