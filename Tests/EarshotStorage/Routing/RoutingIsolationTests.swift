import EarshotCore
import EarshotDomain
import EarshotModel
import EarshotStorage
import EarshotTestKit
import GRDB
import Testing

private typealias Room = RoutingRoom

@Suite struct `A failure in routing` {
    @Test func `for one conversation leaves the others routed in the same round`() async throws {
        let room = try await Room(.oneSkill(), online: [Room.dana])
        var all: [ConversationIdentity] = []
        for number in 1...3 { all.append(try await room.arrive(number)) }
        try room.sabotage("UPDATE consumer SET body = x'00' WHERE id = 'consumer-2'")
        await #expect(throws: (any Error).self) { try await room.service.turn() }
        #expect(try await room.state(all[0]).routing.skill == Skill.general.id)
        #expect(try await room.state(all[1]).routing.skill == nil, "the premise: its consumer cannot be read")
        #expect(try await room.state(all[2]).routing.skill == Skill.general.id)
        #expect(try await room.state(all[2]).routing.offer != nil)
        try await room.store.accounts.save(room.visitor(2))
        try await room.service.turn()
        #expect(try await room.state(all[1]).routing.skill == Skill.general.id, "the next round tries again")
    }

    @Test func `to read one changed conversation does not drop the commits of the others`() async throws {
        let first = try await Room(.oneSkill(), online: [Room.dana])
        var all: [ConversationIdentity] = []
        for number in 1...3 { all.append(try await first.consumer(number)) }
        let (database, clock) = try await first.killed()
        let room = try await Room(.oneSkill(), database: database, clock: clock)
        let listener = RecordingRoutingListener()
        room.service.connect(listener)
        try room.sabotage("UPDATE conversation SET people = x'00' WHERE id = 'conversation-2'")
        room.service.committed(all.map { $0.notification(sequence: 100) })
        await #expect(throws: (any Error).self) { try await room.service.turn() }
        #expect(listener.conversations == [all[0].id, all[2].id])
    }

    @Test func `of one account does not keep another account from being routed`() async throws {
        let room = try await Room(.oneSkill())
        let centres = ControlledCentres { throw AdapterFailure("no settings", isRetryable: true) }
        let service = try await room.secondService(centres)
        let conversation = try await room.arrive(1)
        service.committed([.unloadedAccount, conversation.notification(sequence: 2)])
        await #expect(throws: AdapterFailure.self) { try await service.turn() }
        #expect(service.due(of: conversation.id, in: Room.account) != nil)
        #expect(try await room.state(conversation).routing.skill == Skill.general.id)
    }

    @Test func `that blocks one account does not delay another account`() async throws {
        let room = try await Room(.oneSkill())
        let (hasBlocked, block) = AsyncStream.makeStream(of: Void.self)
        let (release, releaser) = AsyncStream.makeStream(of: Void.self)
        let centres = ControlledCentres {
            block.yield()
            for await _ in release { break }
        }
        let service = try await room.secondService(centres)
        let (moves, move) = AsyncStream.makeStream(of: Set<ConversationID>.self)
        let listener = RecordingRoutingListener { move.yield($0) }
        service.connect(listener)
        // Stopping the service ends the blocked load with an error.
        let running = Task { await service.run { _ in } }
        service.committed([.unloadedAccount])
        for await _ in hasBlocked { break }
        let conversation = try await room.arrive(1)
        service.committed([conversation.notification(sequence: 2)])
        for await conversations in moves where conversations.contains(conversation.id) { break }
        #expect(service.due(of: conversation.id, in: Room.account) != nil, "routed while the other account is blocked")
        releaser.yield()
        running.cancel()
        await running.value
    }
}

extension RoutingRoom {
    fileprivate func sabotage(_ sql: String) throws {
        let other = try DatabaseQueue(path: database.path)
        try other.inDatabase { try $0.execute(sql: sql) }
        try other.close()
    }

    /// Another routing service on the same log. A test tells it of commits.
    fileprivate func secondService(_ centres: ControlledCentres) async throws -> RoutingService {
        let service = RoutingService(
            store: store.log, source: store.contactCentre,
            people: .init(accounts: store.accounts, profiles: store.profiles), centres: centres,
            environment: clock.environment(seed: 2))
        try await service.begin()
        return service
    }
}

/// Settings of the sample brand; for any other brand it first does what the test wants.
private struct ControlledCentres: ContactCentreSource {
    let act: @Sendable () async throws -> Void

    func centre(of account: AccountID) async throws -> ContactCentreSettings {
        if account != RoutingRoom.account { try await act() }
        return .oneSkill()
    }
}

extension CommitNotification {
    /// A commit of a brand that routing has not loaded.
    fileprivate static let unloadedAccount = CommitNotification(
        account: AccountID(trusted: "other-brand"), position: 1, conversation: ConversationID(trusted: "other"),
        sequence: 1, marksMoved: false)
}

extension ConversationIdentity {
    fileprivate func notification(sequence: Int) -> CommitNotification {
        CommitNotification(account: account, position: 1, conversation: id, sequence: sequence, marksMoved: false)
    }
}
