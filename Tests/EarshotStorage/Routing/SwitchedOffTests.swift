import EarshotCore
import EarshotDomain
import EarshotModel
import EarshotStorage
import EarshotTestKit
import Testing

private typealias Room = RoutingRoom

@Suite struct `A person of the brand whose account changes` {
    private static func transfer(to agent: AgentID) -> Command { .transfer(.init(agent: agent)) }

    @Test func `gets no transfer and no mention once disabled, as if the id were unknown`()
        async throws
    {
        let room = try await Room(.oneSkill(), online: [Room.dana, Room.omar])
        let conversation = try await room.consumer(1)
        try await room.change(Room.omar, PersonPatch(isDisabled: true))
        try await room.perform(.take, in: conversation, by: Room.agent(Room.mira))
        let nobody = AgentID(trusted: "agent-nobody")
        for agent in [Room.omar, nobody] {
            let commands = [Self.transfer(to: agent), .note(.init(text: "Look", mentions: [agent]))]
            for command in commands {
                let answer = try await room.ask(command, in: conversation, by: Room.agent(Room.mira))
                guard case .failure(.refused(let rejection)) = answer else {
                    return #expect(Bool(false), "\(agent) is somebody")
                }
                #expect(rejection.code == .unknownAgent)
            }
        }
        try await room.change(Room.omar, PersonPatch(isDisabled: false))
        try await room.perform(Self.transfer(to: Room.omar), in: conversation, by: Room.agent(Room.mira))
        #expect(try await room.state(conversation).routing.reserved?.agent == Room.omar)
    }

    @Test func `leaves lists and routing at once when disabled, and loses conversations as if offline`() async throws {
        let room = try await Room(.oneSkill(.auto), online: [Room.omar])
        let conversation = try await room.consumer(1)
        #expect(try await room.state(conversation).routing.previous == Room.omar, "the premise: it is theirs")
        try await room.wait(seconds: 300)
        try await room.change(Room.omar, PersonPatch(isDisabled: true))
        #expect(room.service.colleagues(of: Room.account).map(\.name) == ["Dana", "Mira"])
        #expect(room.service.wall(of: Room.account).people.count == 2)
        #expect(room.service.colleague(Room.omar, in: Room.account) == nil)
        let other = try await room.consumer(2)
        #expect(try await room.state(other).status == .waiting)
        #expect(room.service.explain(other.id, in: Room.account)?.agents.map(\.agent) == [Room.dana])
        try await room.wait(seconds: 59)
        #expect(try await room.state(conversation).status == .open)
        try await room.wait(seconds: 1)
        #expect(try await room.state(conversation).status == .waiting)
        #expect(
            try await room.contactCentreEvents(conversation).contains {
                if case .queued(let queued) = $0 { queued.why == .offline } else { false }
            })
    }

    @Test func `stays disabled over a restart, and comes back without an open page when enabled`() async throws {
        var room = try await Room(.oneSkill(.auto), online: [Room.omar])
        let conversation = try await room.consumer(1)
        try await room.change(Room.omar, PersonPatch(isDisabled: true))
        let (database, clock) = try await room.killed()
        room = try await Room(.oneSkill(.auto), database: database, clock: clock)
        #expect(room.service.colleagues(of: Room.account).map(\.name) == ["Dana", "Mira"])
        let other = try await room.consumer(2)
        #expect(try await room.state(other).status == .waiting)
        try await room.wait(seconds: 60)
        #expect(try await room.state(conversation).status == .waiting, "their conversations go back from then on")
        try await room.change(Room.omar, PersonPatch(isDisabled: false))
        #expect(
            room.service.colleague(Room.omar, in: Room.account)?.presence.state == .offline, "no page of theirs is open"
        )
        room.service.connected(Room.omar, of: Room.account)
        try await room.service.turn()
        #expect(room.service.colleague(Room.omar, in: Room.account)?.presence.state == .online)
        #expect(try await room.state(other).status == .open)
    }

    @Test func `to manager gets no conversations, and to agent does`() async throws {
        let room = try await Room(.oneSkill(.auto), online: [Room.omar, Room.mira])
        try await room.change(Room.dana, PersonPatch(role: .manager))
        try await room.change(Room.omar, PersonPatch(role: .manager))
        let conversation = try await room.consumer(1)
        #expect(try await room.state(conversation).status == .waiting)
        try await room.change(Room.mira, PersonPatch(role: .agent))
        #expect(try await room.state(conversation).routing.previous == Room.mira)
        #expect(room.service.colleagues(of: Room.account).map(\.role) == [.manager, .agent, .manager])
    }

    @Test func `before the brand was loaded is known as they are`() async throws {
        let room = try await Room(.oneSkill())
        let late = RoutingService(
            store: room.store.log, source: room.store.contactCentre,
            people: .init(accounts: room.store.accounts, profiles: room.store.profiles),
            centres: Room.Source(centre: .oneSkill()), environment: room.clock.environment(seed: 2))
        guard var omar = try await room.store.accounts.agent(Room.omar) else {
            throw AdapterFailure("no omar", isRetryable: false)
        }
        omar.isDisabled = true
        late.changed(omar)
        try await late.begin()
        #expect(late.colleagues(of: Room.account).map(\.name) == ["Dana", "Mira"])
    }
}

@Suite struct `A person of the brand whose profile changes` {
    /// A profile of the brand with which people may only read, unless they may answer.
    private static func reader(_ mayAnswer: Bool = false) -> Profile {
        Profile(
            id: ProfileID(trusted: "profile-reader"), account: Room.account, name: "Reader",
            permissions: mayAnswer ? [.seeAllConversations, .answerConversations] : [.seeAllConversations])
    }

    private static func save(_ profile: Profile, isNew: Bool, in room: Room) async throws {
        let audit = AuditEntry(account: Room.account, at: room.clock.now, by: "test", what: .profileChanged)
        _ = try await room.store.profiles.save(profile, isNew: isNew, atMost: 50, audit: audit)
    }

    private static func give(_ profile: PersonPatch.ProfileChoice, in room: Room) async throws {
        var patch = PersonPatch()
        patch.profile = profile
        try await room.change(Room.omar, patch)
    }

    @Test func `loses what is theirs at once, gets nothing, and gets conversations again with the permission`()
        async throws
    {
        let room = try await Room(.oneSkill(.auto), online: [Room.omar])
        let conversation = try await room.consumer(1)
        #expect(try await room.state(conversation).status == .open, "the premise: it is theirs")
        try await Self.save(Self.reader(), isNew: true, in: room)
        try await Self.give(.made(Self.reader().id), in: room)
        #expect(try await room.state(conversation).status == .waiting)
        #expect(
            try await room.contactCentreEvents(conversation).contains {
                if case .queued(let queued) = $0 { queued.why == .noPermission } else { false }
            })
        let omar = room.service.colleague(Room.omar, in: Room.account)
        #expect((omar?.presence.state, omar?.isReadOnly) == (.away, true))
        #expect(room.service.wall(of: Room.account).skills.allSatisfy { $0.online == 0 })
        let other = try await room.consumer(2)
        #expect(try await room.state(other).status == .waiting)
        try await Self.save(Self.reader(true), isNew: false, in: room)
        room.service.changedProfiles(of: Room.account)
        try await room.service.turn()
        #expect(room.service.colleague(Room.omar, in: Room.account)?.isReadOnly == nil)
        #expect(try await room.state(other).status == .open)
    }

    @Test func `cannot go online and gets no transfer, also after a restart`() async throws {
        var room = try await Room(.oneSkill(), online: [Room.dana, Room.omar])
        try await Self.save(Self.reader(), isNew: true, in: room)
        try await Self.give(.made(Self.reader().id), in: room)
        let (database, clock) = try await room.killed()
        room = try await Room(.oneSkill(), database: database, clock: clock)
        let conversation = try await room.consumer(1)
        #expect(try await room.state(conversation).routing.offer?.to == [Room.dana])
        try await room.perform(.take, in: conversation, by: Room.agent(Room.dana))
        let answer = try await room.ask(
            .transfer(.init(agent: Room.omar)), in: conversation, by: Room.agent(Room.dana))
        guard case .failure(.refused(let rejection)) = answer else {
            return #expect(Bool(false), "omar may not answer")
        }
        #expect(rejection.code == .mayNotAnswer)
        guard let row = try await room.store.accounts.agent(Room.omar) else {
            return #expect(Bool(false), "omar works for the brand")
        }
        let omar = AgentCaller(row, permissions: Self.reader().permissions, scope: .everything)
        for state in [Presence.State.online, .occupied] {
            await #expect(throws: Rejection.lacking(.answerConversations)) {
                try await room.service.choose(state, reason: nil, as: omar)
            }
        }
        try await room.service.choose(.away, reason: nil, as: omar)
        try await Self.give(.builtIn, in: room)
        #expect(room.service.colleague(Room.omar, in: Room.account)?.isReadOnly == nil)
    }
}
