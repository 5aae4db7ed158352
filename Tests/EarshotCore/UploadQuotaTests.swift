import EarshotModel
import Testing

@testable import EarshotCore

@Suite struct `The quota of uploaded bytes` {
    private static let start = Timestamp(milliseconds: 1_000_000)
    private static let brand = AccountID(trusted: "brand")
    private static let hourMs: Int64 = 3_600_000

    private static func quota(address: Int = 1_000_000, app: Int = 1_000_000, account: Int = 1_000_000) -> UploadQuota {
        var limits = UploadLimits()
        (limits.addressBytesPerDay, limits.appBytesPerDay, limits.accountBytesPerDay) = (address, app, account)
        limits.accountBytes = 500
        return UploadQuota(limits, capacity: 1_000)
    }

    private static func source(_ address: String, app: String = "shop", account: AccountID = brand) -> UploadSource {
        UploadSource(account: account, app: AppID(trusted: app), address: address)
    }

    @Test(arguments: ["address", "app", "account"])
    func `allows exactly the bytes of a day, and says when the next will be allowed`(kind: String) throws {
        let quota = Self.quota(
            address: kind == "address" ? 240 : 1_000_000, app: kind == "app" ? 240 : 1_000_000,
            account: kind == "account" ? 240 : 1_000_000)
        try quota.take(239, from: Self.source("a"), at: Self.start)
        try quota.take(1, from: Self.source("a"), at: Self.start)
        let refusal = #expect(throws: Rejection.self) {
            try quota.take(10, from: Self.source("a"), at: Self.start)
        }
        #expect(refusal?.code == .rateLimited && refusal?.limit == 240 && refusal?.retryAfter == 3600)
        let almost = Self.start.adding(milliseconds: Self.hourMs - 1000)
        #expect(throws: Rejection.self) { try quota.take(10, from: Self.source("a"), at: almost) }
        try quota.take(10, from: Self.source("a"), at: Self.start.adding(milliseconds: Self.hourMs))
    }

    @Test func `counts addresses, apps and brands apart, and a refusal counts for none`() throws {
        let quota = Self.quota(address: 100, app: 250)
        try quota.take(100, from: Self.source("a"), at: Self.start)
        for _ in 1...9 { #expect(throws: Rejection.self) { try quota.take(1, from: Self.source("a"), at: Self.start) } }
        try quota.take(100, from: Self.source("b"), at: Self.start)
        try quota.take(50, from: Self.source("c"), at: Self.start)
        #expect(throws: Rejection.self, "of the app") { try quota.take(1, from: Self.source("d"), at: Self.start) }
        try quota.take(1, from: Self.source("d", app: "other"), at: Self.start)
        try quota.take(1, from: Self.source("d", account: AccountID(trusted: "other")), at: Self.start)
    }

    @Test func `remembers a bounded number of names, and forgets those that have drained`() throws {
        let quota = Self.quota()
        for number in 0..<2_000 { try? quota.take(10, from: Self.source("\(number)"), at: Self.start) }
        #expect(quota.count <= 1_000)
        #expect(throws: Rejection.self) { try quota.take(10, from: Self.source("new"), at: Self.start) }
        try quota.take(10, from: Self.source("new"), at: Self.start.adding(milliseconds: Self.hourMs))
        #expect(quota.count < 10)
    }

    @Test func `refuses a brand that has as much as it may keep`() throws {
        try Self.quota().checkStored(499)
        let refusal = #expect(throws: Rejection.self) { try Self.quota().checkStored(500) }
        #expect(refusal?.code == .storageFull && refusal?.limit == 500)
    }
}
