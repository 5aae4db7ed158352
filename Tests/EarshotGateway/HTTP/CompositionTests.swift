import EarshotCore
import EarshotModel
import Synchronization
import Testing

@testable import EarshotGateway

@Suite struct `The services of the core` {
    @Test func `are one listener of the log, and pass each commit to live connections once`() async throws {
        let brand = try await TestBrand()
        let commits = try #require(brand.log.connected.first)
        #expect(brand.log.connected.count == 1)
        let notification = CommitNotification(
            account: TestBrand.tulip, position: 1, conversation: ConversationID(trusted: "c"), sequence: 1,
            marksMoved: false)
        commits.committed([notification])
        let live = LiveRecorder()
        brand.core.connect(live)
        #expect(brand.log.connected.count == 1, "nothing takes the place of what was connected")
        commits.committed([notification])
        #expect(live.notifications == [notification])
    }

    @Test func `remove what is due`() async throws {
        let brand = try await TestBrand()
        #expect(try await brand.core.retention.removeDue(of: [TestBrand.tulip]) == .done)
        #expect(await brand.retention.known == brand.clock.now, "the service works with the brand's store")
    }
}

/// Records the commits that live connections learn of.
private final class LiveRecorder: LiveListener {
    private let seen = Mutex<[CommitNotification]>([])
    var notifications: [CommitNotification] { seen.withLock { $0 } }

    func committed(_ notifications: [CommitNotification]) { seen.withLock { $0 += notifications } }
    func changed(_ centre: ContactCentreSettings, of account: AccountID) {}
    func changed(_ settings: AccountSettings, of account: AccountID) {}
    func moved(in account: AccountID, conversations: Set<ConversationID>, people: Set<AgentID>) {}
    func ended(_ session: [UInt8]) {}
    func ended(_ agent: AgentID, mayComeBack: Bool) {}
    func ended(_ agent: AgentID, except sessions: [[UInt8]]) {}
    func blocked(_ consumer: ConsumerID) {}
    func signedOut(_ consumer: ConsumerID) {}
    func suspended(_ account: AccountID) {}
}
