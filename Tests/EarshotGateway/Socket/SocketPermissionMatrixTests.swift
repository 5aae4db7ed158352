import EarshotCore
import EarshotDomain
import EarshotModel
import EarshotStorage
import Testing

@testable import EarshotGateway

/// Generated from the schema of the wire and the declaration of the permissions.
@Suite struct `The permission of a frame` {
    private static let frames = SampleFrames.ofConversations.merging(SampleFrames.others) { first, _ in first }

    /// A person with these permissions, who sees what waits, and a ticket.
    private static func person(
        _ rig: SocketRig, _ name: String, _ permissions: Set<Permission>, _ role: Role = .agent
    ) async throws -> (caller: AgentCaller, ticket: String) {
        let person = try await rig.person(name, role)
        let profile = Profile(
            id: ProfileID(trusted: "of-\(name.lowercased())"), account: SocketRig.brand, name: name,
            permissions: permissions)
        #expect(profile.permissions == permissions)
        let audit = AuditEntry(account: SocketRig.brand, at: rig.now, by: "test", what: .profileChanged)
        _ = try await rig.store.profiles.save(profile, isNew: true, atMost: 50, audit: audit)
        var row = try #require(try await rig.store.accounts.agent(person.caller.id))
        row.profile = profile.id
        try await rig.store.accounts.save(row)
        return person
    }

    private static func waiting(_ rig: SocketRig) async throws -> ConversationID {
        let visitor = try await rig.consumer()
        try await rig.socket { consumer in
            try await consumer.send(#"{"hello":{"token":"\#(visitor.token)"}}"#)
            try await consumer.send(#"{"send":"first","text":"Hello"}"#)
            _ = try await consumer.next { if case .ok = $0 { true } else { false } }
        }
        return visitor.conversation
    }

    /// Sends a frame. A command is answered; what has no answer is followed by a page that does not exist, and its
    /// refusal comes before that one.
    private static func refusal(_ frame: String, _ title: String, to id: ConversationID, _ socket: TestSocket)
        async throws -> (code: String, text: String)?
    {
        try await socket.send(frame.replacing("ID", with: id.rawValue).replacing("KEY", with: "k-\(title.count)-a"))
        let isAnswered = ["{\"send", "{\"take", "{\"close", "{\"ask"].contains { frame.hasPrefix($0) }
        if !isAnswered { try await socket.send(#"{"page":"nowhere","before":9}"#) }
        var found: (code: String, text: String)?
        while true {
            switch try await socket.nextFrame() {
            case .problem(let problem) where problem.conversation?.rawValue == "nowhere": return found
            case .problem(let problem): found = found ?? (problem.code, problem.text)
            case .no(let refusal): return (refusal.code, refusal.text)
            case .ok: return nil
            default: continue
            }
        }
    }

    @Test func `is declared for every frame of the brand's people that reads or changes anything`() {
        let own = WireSchema.clientFrames.filter { $0.audience != .consumer && !$0.title.hasPrefix("hello") }
        #expect(Set(own.map(\.title)) == Set(Self.frames.keys))
        // `team` names colleagues, which everyone sees; `unwatch` ends what was followed.
        #expect(Set(own.filter { $0.permission == nil }.map(\.title)) == ["team", "unwatch"])
        #expect(
            WireSchema.clientFrames.allSatisfy { $0.audience != .consumer || $0.permission == nil },
            "consumers have no permissions")
    }

    @Test func `is missing: everything else does not help, the answer names it, and nothing is written`() async throws {
        try await SocketRig.run { rig in
            let id = try await Self.waiting(rig)
            var tried = 0
            for (index, permission) in Permission.allCases.enumerated() where permission != .readConversations {
                let own = WireSchema.clientFrames.filter { $0.permission == permission }
                guard !own.isEmpty else { continue }
                let ticket = try await Self.person(rig, "Most\(index)", permission.allOthers).ticket
                try await rig.socket { socket in
                    try await socket.send(#"{"hello":{"ticket":"\#(ticket)"}}"#)
                    for frame in own {
                        let sent = try #require(Self.frames[frame.title])
                        let refusal = try await Self.refusal(sent, frame.title, to: id, socket)
                        #expect(refusal?.code == "forbidden", "\(frame.title): \(refusal.debugDescription)")
                        #expect(refusal?.text.contains("“\(permission.declaration.name)”") == true, "\(frame.title)")
                    }
                }
                tried += own.count
            }
            #expect(tried >= 17)
            #expect(try await rig.store.log.view(id, after: nil, limit: 9)?.state.sequence == 2)
        }
    }

    @Test func `is enough, with what it needs`() async throws {
        try await SocketRig.run { rig in
            for (index, permission) in Permission.allCases.enumerated() {
                let own = WireSchema.clientFrames.filter { $0.permission == permission }
                guard !own.isEmpty else { continue }
                let person = try await Self.person(rig, "Single\(index)", permission.withNeeds)
                for frame in own {
                    let id = try await Self.waiting(rig)
                    let ticket = try rig.identity.ticket(for: person.caller)
                    try await rig.socket { socket in
                        try await socket.send(#"{"hello":{"ticket":"\#(ticket)"}}"#)
                        let sent = try #require(Self.frames[frame.title])
                        let refusal = try await Self.refusal(sent, frame.title, to: id, socket)
                        #expect(
                            refusal?.code != "forbidden" && refusal?.code != "unknown_frame",
                            "\(frame.title): \(refusal.debugDescription)")
                    }
                }
            }
        }
    }

    /// M1: who may close, transfer or take over what a colleague answers is a matter of permissions, not of the role.
    @Test func `for a colleague's conversation counts, not the role`() async throws {
        try await SocketRig.run { rig in
            let base: Set<Permission> = [
                .readConversations, .seeAllConversations, .answerConversations, .closeConversations,
            ]
            let wishes = [
                ("close", Permission.closeOthersConversations), ("ask closeQuietly", .closeOthersConversations),
                ("ask transfer", .transferOthersConversations), ("ask takeOver", .takeOverConversations),
                ("ask join", .joinConversations),
            ]
            let lea = try await rig.person("Lea")
            for (index, (title, permission)) in wishes.enumerated() {
                for (role, isServed) in [(Role.manager, false), (.agent, true)] {
                    let id = try await Self.waiting(rig)
                    let leasTicket = try rig.identity.ticket(for: lea.caller)
                    try await rig.socket { socket in
                        try await socket.send(#"{"hello":{"ticket":"\#(leasTicket)"}}"#)
                        try await socket.send(#"{"take":"t-\#(title.count)-\#(index)","c":"\#(id)"}"#)
                        _ = try await socket.next { if case .ok = $0 { true } else { false } }
                    }
                    let permissions = isServed ? base.union([permission]) : base
                    let ticket = try await Self.person(rig, "P\(index)\(role)", permissions, role).ticket
                    try await rig.socket { socket in
                        try await socket.send(#"{"hello":{"ticket":"\#(ticket)"}}"#)
                        let refusal = try await Self.refusal(Self.frames[title] ?? "", title, to: id, socket)
                        #expect((refusal == nil) == isServed, "\(title) as \(role): \(refusal.debugDescription)")
                        guard !isServed else { return }
                        #expect(["forbidden", "not_assigned"].contains(refusal?.code), "\(title)")
                    }
                }
            }
        }
    }
}
