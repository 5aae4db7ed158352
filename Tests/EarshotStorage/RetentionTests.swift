import EarshotCore
import EarshotDomain
import EarshotModel
import EarshotTestKit
import Foundation
import GRDB
import Synchronization
import Testing

@testable import EarshotStorage

@Suite struct `Retention` {
    private static let dayMs: Int64 = 24 * 3600 * 1000

    @Test func `removes what is thirteen months old, byte for byte, and writes a receipt`() async throws {
        let lab = try RetentionLab()
        for number in 1...3 { try await lab.converse(number, saying: "zanzibar\(number)quokka", closing: true) }
        try await lab.converse(4, saying: "openquokka", closing: false)
        try await lab.converse(5, saying: "heldquokka", closing: true)
        try await lab.hold(5)
        while try await lab.store.contactCentre.index(atMost: 500) > 0 {}
        #expect(try await lab.found("zanzibar2quokka") == 1)
        #expect(lab.bytesFound("2quokka") > 0 && lab.bytesFound("voice-of-2") > 0, "the search can find them")

        #expect(try await lab.pass() == .done)
        #expect(try await lab.receipts().isEmpty, "nothing is old enough")
        lab.clock.advance(milliseconds: 397 * Self.dayMs)
        try await lab.converse(6, saying: "newquokka", closing: true)
        try await lab.store.retention.note(time: lab.clock.now)
        let before = try await lab.store.log.inbox(lab.account, after: nil).position
        #expect(try await lab.pass() == .done)

        for number in 1...3 {
            #expect(try await lab.store.log.view(lab.identity(number).id, after: nil, limit: 10) == nil)
            #expect(try await lab.store.accounts.consumer(lab.identity(number).consumer) == nil)
            #expect(try await lab.found("zanzibar\(number)quokka") == 0)
            #expect(lab.bytesFound("zanzibar\(number)quokka") == 0, "database, log and files")
            #expect(lab.bytesFound("\(number)quokka") == 0, "a part of the word, as the index may keep it")
            #expect(lab.bytesFound("voice-of-\(number)") == 0)
            #expect(lab.bytesFound("Name of \(number)") == 0)
        }
        for word in ["openquokka", "heldquokka", "newquokka"] {
            #expect(try await lab.found(word) == 1, "\(word) is kept")
        }
        let receipt = try #require(try await lab.receipts().first)
        #expect(receipt.receipt.removed.conversations == 3 && receipt.receipt.removed.recordings == 3)
        #expect(receipt.receipt.removed.keys == 3)
        let keys = try await lab.store.database.pool.read { db in
            try String.fetchSet(db, sql: "SELECT conversation FROM conversation_key")
        }
        #expect(keys == Set((4...6).map { lab.identity($0).id.rawValue }), "a removed conversation has no key")
        #expect(receipt.receipt.removed.bytes == 3 * 54_321 && receipt.signature.count == 64)
        #expect(String(decoding: receipt.payload, as: UTF8.self).contains("\"kind\":\"retention\""))
        let inbox = try await lab.store.log.inbox(lab.account, after: before)
        #expect(!inbox.continuesPosition && inbox.rows.count == 3, "who has older rows loads the inbox again")
        try lab.store.close()
    }

    @Test func `waits after the clock jumped, until the clock is confirmed`() async throws {
        let lab = try RetentionLab()
        try await lab.converse(1, saying: "zanzibar1quokka", closing: true)
        #expect(try await lab.pass() == .done)
        let known = lab.clock.now
        lab.clock.advance(milliseconds: 400 * Self.dayMs)
        #expect(try await lab.pass() == .clockJumped(lastKnown: known))
        #expect(try await lab.found("zanzibar1quokka") == 1)
        lab.clock.advance(milliseconds: -402 * Self.dayMs)
        #expect(try await lab.pass() == .clockJumped(lastKnown: known), "backwards too")
        lab.clock.advance(milliseconds: 402 * Self.dayMs)
        try await lab.store.retention.note(time: lab.clock.now)
        #expect(try await lab.pass() == .done)
        #expect(try await lab.found("zanzibar1quokka") == 0)
        try lab.store.close()
    }

    @Test func `goes on after a crash, and writes no receipt before everything is gone`() async throws {
        let lab = try RetentionLab()
        for number in 1...3 { try await lab.converse(number, saying: "zanzibar\(number)quokka", closing: true) }
        while try await lab.store.contactCentre.index(atMost: 500) > 0 {}
        lab.clock.advance(milliseconds: 397 * Self.dayMs)
        try await lab.store.retention.note(time: lab.clock.now)
        lab.failingRemovals.withLock { $0 = true }
        await #expect(throws: AdapterFailure.self) { try await lab.pass() }
        #expect(lab.bytesFound("voice-of-3") > 0)
        #expect(try await lab.receipts().isEmpty)
        lab.failingRemovals.withLock { $0 = false }
        try lab.restart()
        try await lab.service.removeRequested()
        #expect(try await lab.receipts().map(\.receipt.removed.conversations) == [3])
        for number in 1...3 {
            #expect(lab.bytesFound("zanzibar\(number)quokka") == 0 && lab.bytesFound("voice-of-\(number)") == 0)
        }
        try lab.store.close()
    }

    @Test func `shows what would go without removing it`() async throws {
        let lab = try RetentionLab()
        let began = lab.clock.now
        for number in 1...2 { try await lab.converse(number, saying: "zanzibar", closing: true) }
        try await lab.converse(3, saying: "zanzibar", closing: false)
        try await lab.hold(2)
        lab.clock.advance(milliseconds: Self.dayMs)
        let counts = try await lab.store.retention.dueCounts(of: lab.account, before: lab.clock.now)
        #expect(counts.conversations == 1 && counts.recordings == 1 && counts.bytes == 54_321 && counts.events > 1)
        #expect(counts.oldest == began)
        #expect(try await lab.store.retention.dueCounts(of: lab.account, before: began).conversations == 0)
        #expect(try await lab.found("zanzibar") == 3)
        try lab.store.close()
    }

    @Test func `counts the days that the brand chose`() async throws {
        let lab = try RetentionLab()
        try await lab.converse(1, saying: "zanzibar", closing: true)
        try await lab.store.retention.save(
            retentionDays: 2, of: lab.account,
            audit: AuditEntry(account: lab.account, at: lab.clock.now, by: "dana", what: .retentionChanged))
        #expect(try await lab.pass() == .done)
        for day in 1...3 {
            lab.clock.advance(milliseconds: Self.dayMs)
            #expect(try await lab.pass() == .done)
            #expect(try await lab.receipts().count == (day > 2 ? 1 : 0), "day \(day)")
        }
        try lab.store.close()
    }

    @Test func `erases a consumer whose conversation is open, and what comes after it is found`() async throws {
        let lab = try RetentionLab()
        try await lab.converse(1, saying: "keptquokka", closing: false)
        try await lab.converse(2, saying: "zanzibar2quokka", closing: false)
        while try await lab.store.contactCentre.index(atMost: 500) > 0 {}
        try await lab.erase(2)
        try await lab.service.removeRequested()
        #expect(try await lab.store.accounts.blockedConsumers() == [lab.identity(2).consumer])
        #expect(try await lab.store.log.identity(of: lab.identity(2).id) == nil)
        #expect(lab.bytesFound("zanzibar2quokka") == 0 && lab.bytesFound("voice-of-2") == 0)
        #expect(try await lab.receipts().map(\.receipt.kind) == [.erasure])
        // The rows of the erased conversation were the last ones: the next have their numbers.
        try await lab.converse(3, saying: "nextquokka", closing: false)
        while try await lab.store.contactCentre.index(atMost: 500) > 0 {}
        #expect(try await lab.found("nextquokka") == 1)
        #expect(try await lab.found("keptquokka") == 1)
        let again = try await lab.probe.accept(.say("nextquokka"), key: "say", in: lab.identity(3))
        #expect(again.isRepeat, "its key is known")
        try lab.store.close()
    }

    @Test func `removes the words from an index that takes many steps to rewrite, while messages arrive`() async throws
    {
        let lab = try RetentionLab()
        var generator = SeededGenerator(seed: 7)
        for round in 0..<30 {
            for number in 0..<40 {
                let words = (0..<25).map { _ in String(UInt64.random(in: 0 ... .max, using: &generator), radix: 36) }
                let text = (words + (number == 20 ? ["zanzibar\(round)quokka"] : [])).joined(separator: " ")
                try await lab.probe.accept(
                    .say(text), key: "\(round)-\(number)", in: lab.identity(number == 20 ? 2 : 1))
            }
            while try await lab.store.contactCentre.index(atMost: 500) > 0 {}
        }
        try await lab.erase(2)
        let erasing = Task { [service = lab.service] in try await service.removeRequested() }
        for number in 0..<50 { try await lab.probe.accept(.say("kept"), key: "late-\(number)", in: lab.identity(1)) }
        try await erasing.value
        for round in 0..<30 { #expect(lab.bytesFound("\(round)quokka") == 0, "round \(round)") }
        while try await lab.store.contactCentre.index(atMost: 500) > 0 {}
        #expect(try await lab.found("kept") == 1)
        try lab.store.close()
    }

    @Test
    func `removes anonymous consumers who never wrote after thirty days, and signed-in ones after the brand's days`()
        async throws
    {
        let lab = try RetentionLab()
        try await lab.arrive(1)
        try await lab.arrive(2, subject: "zanzibar2quokka")
        try await lab.converse(3, saying: "hello", closing: false)
        lab.clock.advance(milliseconds: 30 * Self.dayMs)
        try await lab.store.retention.note(time: lab.clock.now)
        #expect(try await lab.pass() == .done)
        #expect(try await lab.present(1...3) == [1, 2, 3], "the thirty days have not passed")
        lab.clock.advance(milliseconds: 1)
        #expect(try await lab.pass() == .done)
        #expect(try await lab.present(1...3) == [2, 3])
        try await lab.arrive(2, subject: "zanzibar2quokka")
        lab.clock.advance(milliseconds: 396 * Self.dayMs)
        try await lab.store.retention.note(time: lab.clock.now)
        #expect(try await lab.pass() == .done)
        #expect(try await lab.present(1...3) == [2, 3], "each sign-in begins the time again")
        lab.clock.advance(milliseconds: 1)
        #expect(try await lab.pass() == .done)
        #expect(try await lab.present(1...3) == [3], "who has a conversation goes with it")
        let keys = try await lab.store.database.pool.read { db in
            try String.fetchSet(db, sql: "SELECT conversation FROM conversation_key")
        }
        #expect(keys == [lab.identity(3).id.rawValue], "a removed consumer has no key")
        _ = try await lab.store.retention.emptyLog(at: lab.clock.now)
        #expect(lab.bytesFound("zanzibar2quokka") == 0)
        try lab.store.close()
    }

    @Test func `keeps anonymous consumers for the brand's days where those are fewer`() async throws {
        let lab = try RetentionLab()
        try await lab.arrive(1)
        try await lab.store.retention.save(
            retentionDays: 2, of: lab.account,
            audit: AuditEntry(account: lab.account, at: lab.clock.now, by: "dana", what: .retentionChanged))
        lab.clock.advance(milliseconds: 2 * Self.dayMs + 1)
        try await lab.store.retention.note(time: lab.clock.now)
        #expect(try await lab.pass() == .done)
        #expect(try await lab.present(1...1).isEmpty)
        try lab.store.close()
    }

    @Test func `looks at a bounded number of silent consumers in one transaction, and at others never`() async throws {
        let lab = try RetentionLab()
        for number in 1...5 { try await lab.arrive(number) }
        lab.clock.advance(milliseconds: 1)
        try await lab.converse(6, saying: "hello", closing: false)
        let later = lab.clock.now.adding(milliseconds: 1)
        let retention = lab.store.retention
        func step(_ account: AccountID) async throws -> Int {
            try await retention.removeSilentConsumers(of: account, signedIn: false, before: later, limit: 4)
        }
        #expect(try await step(AccountID(trusted: "rival")) == 0)
        #expect(try await step(lab.account) == 4)
        #expect(try await lab.present(1...6).count == 2)
        #expect(try await step(lab.account) == 2)
        #expect(try await lab.present(1...6) == [6])
        #expect(try await step(lab.account) == 0, "the one with a conversation is not looked at again")
        try lab.store.close()
    }

    @Test func `erases a consumer who never wrote, and writes a receipt`() async throws {
        let lab = try RetentionLab()
        try await lab.arrive(1, subject: "zanzibar1quokka")
        try await lab.arrive(2)
        #expect(lab.bytesFound("zanzibar1quokka") > 0, "the search can find it")
        let lookup = ConsumerLookup(consumers: lab.store.accounts, identities: lab.store.identities)
        let subject = ProviderSubject(issuer: RetentionLab.issuer, subject: "zanzibar1quokka")
        let found = try await lookup.consumers(.subject(subject), of: lab.account)
        #expect(found.map(\.id) == [lab.identity(1).consumer])
        #expect(try await lookup.consumers(.subject(subject), of: AccountID(trusted: "rival")).isEmpty)
        #expect(try await lookup.consumers(.consumer(found[0].id), of: AccountID(trusted: "rival")).isEmpty)
        #expect(try await lookup.consumers(.consumer(found[0].id), of: lab.account) == found)
        try await lab.erase(1)
        try await lab.service.removeRequested()
        #expect(try await lab.present(1...2) == [2])
        #expect(lab.bytesFound("zanzibar1quokka") == 0)
        let receipt = try #require(try await lab.receipts().first?.receipt)
        #expect(receipt.kind == .erasure && receipt.removed.conversations == 0 && receipt.removed.keys == 1)
        #expect(try await lab.store.retention.erasureRequests().isEmpty)
        try lab.store.close()
    }

    @Test func `does not erase what is under a legal hold`() async throws {
        let lab = try RetentionLab()
        try await lab.converse(1, saying: "zanzibar1quokka", closing: true)
        try await lab.hold(1)
        try await lab.erase(1)
        await #expect(throws: AdapterFailure.self) { try await lab.service.removeRequested() }
        #expect(try await lab.found("zanzibar1quokka") == 1)
        #expect(try await lab.receipts().isEmpty)
        try lab.store.close()
    }
}

/// A database with conversations, a folder of recordings, and the service that removes both, by a clock of the test.
private final class RetentionLab {
    let database: TemporaryDatabase
    let clock = ManualClock()
    let account = ConversationIdentity.sample().account
    let failingRemovals = Locked(false)
    private(set) var store: SQLiteStore
    private(set) var probe: StoreProbe
    private(set) var service: RetentionService

    init() throws {
        database = try TemporaryDatabase()
        store = try database.open()
        (probe, service) = try Self.make(store, database, clock, failingRemovals)
    }

    func restart() throws {
        try store.close()
        store = try database.open()
        (probe, service) = try Self.make(store, database, clock, failingRemovals)
    }

    private static func make(
        _ store: SQLiteStore, _ database: TemporaryDatabase, _ clock: ManualClock, _ isFailing: Locked
    ) throws -> (StoreProbe, RetentionService) {
        let environment = clock.environment(seed: 1)
        let identity = IdentityService(
            .init(
                accounts: store.accounts, links: store.links, identities: store.identities,
                secondFactors: store.secondFactors, profiles: store.profiles,
                centres: ContactCentreService(
                    store: store.contactCentre, people: store.accounts, environment: environment)),
            environment: environment,
            keys: KeyRing([SigningKey(id: SigningKey.firstID, secret: environment.random(KeyRing.keyBytes))]),
            clock: ServerClock(records: store.retention, environment: environment))
        let folder = database.folder
        let files = RetentionService.Files { media in
            if isFailing.withLock({ $0 }), media.rawValue == "voice-of-3" {
                throw AdapterFailure("the volume hangs", isRetryable: true)
            }
            try? FileManager.default.removeItem(atPath: folder + "/" + media.rawValue)
        } removeUploads: { _ in
        }
        let service = RetentionService(
            .init(
                store: store.retention, files: files, log: store.log, accounts: store.accounts,
                sessions: identity.sessions),
            environment: environment,
            signer: try DocumentSigner(seed: [UInt8](repeating: 7, count: DocumentSigner.seedBytes)))
        return (StoreProbe(store, clock: clock), service)
    }

    func identity(_ number: Int) -> ConversationIdentity { .sample(number) }

    /// A consumer says something, records a voice message without sending it, and may be done.
    func converse(_ number: Int, saying text: String, closing: Bool) async throws {
        let identity = identity(number)
        try await store.accounts.save(
            Consumer(
                id: identity.consumer, account: account, app: identity.app, conversation: identity.id,
                since: clock.now, name: "Name of \(number)", page: nil, language: nil, device: nil))
        try await probe.accept(.say(text), key: "say", in: identity)
        _ = try await store.accounts.keep(
            RecordedMedia(
                content: .sample("voice-of-\(number)"), conversation: identity.id,
                author: identity.consumer.rawValue, sha256: [1], container: "webm", account: account, at: clock.now))
        try Data("the bytes of voice-of-\(number)".utf8).write(
            to: URL(filePath: database.folder + "/voice-of-\(number)"))
        if closing { try await probe.accept(.close, key: "close", in: identity, by: .mona) }
    }

    static let issuer = "https://id.brand.example"

    /// A consumer opens the widget, or signs in, and says nothing.
    func arrive(_ number: Int, subject: String? = nil) async throws {
        let identity = identity(number)
        let consumer = Consumer(
            id: identity.consumer, account: account, app: identity.app, conversation: identity.id, since: clock.now,
            name: "Name of \(number)", page: nil, language: nil, device: nil,
            subject: subject.map { ProviderSubject(issuer: Self.issuer, subject: $0) })
        if subject == nil {
            try await store.accounts.save(consumer)
        } else {
            _ = try await store.identities.signIn(consumer, device: nil)
        }
    }

    /// Which of these consumers are stored.
    func present(_ numbers: ClosedRange<Int>) async throws -> [Int] {
        var found: [Int] = []
        for number in numbers where try await store.accounts.consumer(identity(number).consumer) != nil {
            found.append(number)
        }
        return found
    }

    func hold(_ number: Int) async throws {
        try await store.retention.place(
            LegalHold(
                conversation: identity(number).id, account: account, by: "dana", reason: "a lawsuit", at: clock.now),
            audit: AuditEntry(account: account, at: clock.now, by: "dana", what: .holdPlaced))
    }

    func erase(_ number: Int) async throws {
        try await store.retention.request(
            ErasureRequest(identity(number), by: "dana", reason: "asked", at: clock.now),
            audit: AuditEntry(account: account, at: clock.now, by: "dana", what: .erasureRequested))
    }

    func pass() async throws -> RetentionService.Outcome {
        try await service.removeDue(of: [account])
    }

    func receipts() async throws -> [SignedReceipt] {
        try await store.retention.receipts(of: account, limit: 10)
    }

    func found(_ words: String) async throws -> Int {
        var query = SearchQuery(limit: 100)
        query.words = words
        guard case .found(let results) = try await store.contactCentre.search(query, in: account) else { return -1 }
        return results.count
    }

    /// How many files under the folder have these bytes, in their content or their name.
    func bytesFound(_ text: String) -> Int {
        let files = FileManager.default.enumerator(atPath: database.folder)?.compactMap { $0 as? String } ?? []
        return files.count { name in
            let content = FileManager.default.contents(atPath: database.folder + "/" + name) ?? Data()
            return name.contains(text) || content.range(of: Data(text.utf8)) != nil
        }
    }
}

/// A switch that a test and the service share.
private final class Locked: Sendable {
    private let value: Mutex<Bool>
    init(_ value: Bool) { self.value = Mutex(value) }
    func withLock<T>(_ body: (inout Bool) -> T) -> T { value.withLock { body(&$0) } }
}
