import EarshotCore
import EarshotDomain
import EarshotModel
import EarshotStorage
import Foundation
import Testing

@testable import EarshotGateway

@Suite struct `An agent who does not see everything` {
    private static let skills = #"""
        [{"id":"general","name":"General","default":true,"accept":"offer","offerSeconds":30,\#
        "sla":{"usual":900,"urgent":300,"first":600},"velocity":100,"disposition":"off","survey":false},
        {"id":"orders","name":"Orders","default":false,"accept":"offer","offerSeconds":30,\#
        "sla":{"usual":900,"urgent":300,"first":600},"velocity":100,"disposition":"off","survey":false}]
        """#

    /// Dana answers orders, Erik what is general; both have a profile without the permission to see everything. Mona is
    /// a manager with that profile, Lea sees everything.
    private static func prepare(_ rig: SocketRig) async throws -> [String: String] {
        try await rig.put(.skills, skills)
        let profile = Profile(
            id: ProfileID(trusted: "own"), account: SocketRig.brand, name: "Own",
            permissions: [
                .answerConversations, .startVoiceCalls, .closeConversations, .searchConversations, .readNotes,
                .takeOverConversations,
                .joinConversations,
            ])
        let audit = AuditEntry(account: SocketRig.brand, at: rig.now, by: "mona", what: .profileChanged)
        _ = try await rig.store.profiles.save(profile, isNew: true, atMost: 1, audit: audit)
        var tickets: [String: String] = [:]
        for (name, role) in [("Dana", Role.agent), ("Erik", .agent), ("Mona", .manager), ("Lea", .agent)] {
            let person = try await rig.person(name, role)
            tickets[name] = person.ticket
            guard name != "Lea" else { continue }
            var row = try #require(try await rig.store.accounts.agent(person.caller.id))
            row.profile = profile.id
            try await rig.store.accounts.save(row)
        }
        try await rig.put(
            .people,
            #"[{"agent":"dana","skills":["orders"],"capacity":3},{"agent":"erik","skills":["general"],"capacity":3},"#
                + #"{"agent":"mona","skills":["orders"],"capacity":3}]"#)
        return tickets
    }

    /// A visitor who wrote; the conversation waits without a skill, so it counts as general.
    private static func say(_ rig: SocketRig, _ text: String, as visitor: ConsumerWelcome) async throws {
        try await rig.socket { consumer in
            try await consumer.send(#"{"hello":{"token":"\#(visitor.token)"}}"#)
            try await consumer.send(#"{"send":"\#(text)","text":"\#(text)"}"#)
            _ = try await consumer.next { if case .ok = $0 { true } else { false } }
        }
    }

    private static func inbox(_ socket: TestSocket) async throws -> ServerFrame.AgentReady {
        while true { if case .inbox(let inbox) = try await socket.nextFrame() { return inbox } }
    }

    @Test func `gets no row, no event and no answer about a conversation outside the scope, by any frame`()
        async throws
    {
        try await SocketRig.run { rig in
            let tickets = try await Self.prepare(rig)
            let visitor = try await rig.consumer()
            try await Self.say(rig, "secret", as: visitor)
            let id = visitor.conversation.rawValue
            try await rig.socket { dana in
                try await dana.send(#"{"hello":{"ticket":"\#(tickets["Dana"] ?? "")"}}"#)
                #expect(try await Self.inbox(dana).rows.isEmpty)
                // These two have no answer: `typing` reaches only those who follow, `unwatch` ends what was followed.
                let named = WireSchema.clientFrames.filter { frame in
                    frame.audience != .consumer && !["typing", "unwatch"].contains(frame.title)
                        && (frame.fields.contains { $0.name == "c" } || ["watch", "page"].contains(frame.title))
                }
                #expect(Set(named.map(\.title)) == Set(SampleFrames.ofConversations.keys))
                for frame in SampleFrames.ofConversations.values {
                    try await dana.send(frame.replacing("ID", with: id))
                    let refusal = try await dana.refusal()
                    try await dana.send(frame.replacing("ID", with: "nowhere"))
                    let unknown = try await dana.refusal()
                    #expect(refusal == unknown && refusal == "not_found", "\(frame): \(refusal), \(unknown)")
                }
            }
            let read = try await rig.store.log.view(visitor.conversation, after: nil, limit: 9)
            #expect(read?.state.sequence == 2, "nothing was written")
        }
    }

    @Test func `sees what is in scope, and loses it when a colleague takes it`() async throws {
        try await SocketRig.run { rig in
            let tickets = try await Self.prepare(rig)
            let visitor = try await rig.consumer()
            try await Self.say(rig, "first", as: visitor)
            let id = visitor.conversation
            try await rig.socket { erik in
                try await erik.send(#"{"hello":{"ticket":"\#(tickets["Erik"] ?? "")"}}"#)
                let inbox = try await Self.inbox(erik)
                #expect(inbox.rows.map(\.conversation) == [id] && inbox.epoch != rig.store.log.epoch)
                try await erik.send(#"{"watch":"\#(id)"}"#)
                _ = try await erik.next { if case .watching = $0 { true } else { false } }
                try await rig.socket { lea in
                    try await lea.send(#"{"hello":{"ticket":"\#(tickets["Lea"] ?? "")"}}"#)
                    #expect(try await Self.inbox(lea).epoch == rig.store.log.epoch)
                    try await lea.send(#"{"take":"t1","c":"\#(id)"}"#)
                    _ = try await lea.next { if case .ok = $0 { true } else { false } }
                }
                var (isGone, isRefused) = (false, false)
                while !isGone || !isRefused {
                    switch try await erik.nextFrame() {
                    case .rows(let rows):
                        #expect(rows.rows.isEmpty && rows.gone == [id])
                        isGone = true
                    case .problem(let problem):
                        #expect(problem.code == "not_found" && problem.conversation == id)
                        isRefused = true
                    case .events: #expect(Bool(false), "what happened after it was lost")
                    default: break
                    }
                }
                try await Self.say(rig, "second", as: visitor)
                let other = try await rig.consumer()
                try await Self.say(rig, "third", as: other)
                // The next rows are those of the other conversation: of the lost one nothing comes.
                guard case .rows(let rows) = try await erik.next(where: { if case .rows = $0 { true } else { false } })
                else { return }
                #expect(rows.rows.map(\.conversation) == [other.conversation] && rows.gone == nil)
            }
        }
    }

    @Test func `comes back with what the new skills show, where they change while the socket signs in`()
        async throws
    {
        let gate = ProfileGate()
        try await SocketRig.run(profiles: { GatedProfiles(stored: $0, gate: gate) }) { rig in
            let tickets = try await Self.prepare(rig)
            await gate.close()
            try await rig.socket { dana in
                try await dana.send(#"{"hello":{"ticket":"\#(tickets["Dana"] ?? "")"}}"#)
                await gate.untilSomeoneWaits()
                try await rig.put(.people, #"[{"agent":"dana","skills":["general"],"capacity":3}]"#)
                await gate.open()
                guard case .bye(let bye) = try await dana.nextFrame() else { return #expect(Bool(false), "no bye") }
                #expect(bye.code == "unavailable" && bye.after != nil)
                #expect(await dana.next() == .close(1001))
            }
        }
    }

    @Test func `sees of a consumer's other conversations those in scope`() async throws {
        try await SocketRig.run { rig in
            let tickets = try await Self.prepare(rig)
            let provider = BrandProvider()
            _ = try await rig.identity.consumerSignIn.save(
                IdentityProvider(
                    issuer: BrandProvider.issuer, audience: BrandProvider.audience, keys: provider.publicKey,
                    claims: []), as: SocketRig.manager)
            let visitor = try await rig.consumer()
            let ada = try await rig.signIn("ada", with: provider, device: visitor.token)
            for consumer in [visitor, ada] { try await Self.say(rig, "hello", as: consumer) }
            try await rig.socket { lea in
                try await lea.send(#"{"hello":{"ticket":"\#(tickets["Lea"] ?? "")"}}"#)
                try await lea.send(#"{"watch":"\#(ada.conversation)"}"#)
                #expect(try await Self.related(lea) == [visitor.conversation])
                try await rig.socket { erik in
                    try await erik.send(#"{"hello":{"ticket":"\#(tickets["Erik"] ?? "")"}}"#)
                    try await erik.send(#"{"watch":"\#(ada.conversation)"}"#)
                    #expect(try await Self.related(erik) == [visitor.conversation], "both wait for his skill")
                    try await lea.send(#"{"take":"t1","c":"\#(visitor.conversation)"}"#)
                    _ = try await lea.next { if case .ok = $0 { true } else { false } }
                    try await erik.send(#"{"watch":"\#(ada.conversation)"}"#)
                    #expect(try await Self.related(erik) == nil, "a colleague has it now")
                }
                try await lea.send(#"{"watch":"\#(ada.conversation)"}"#)
                #expect(try await Self.related(lea) == [visitor.conversation])
            }
        }
    }

    private static func related(_ socket: TestSocket) async throws -> [ConversationID]? {
        while true {
            if case .watching(let watching) = try await socket.nextFrame() {
                return watching.who.related?.map(\.conversation)
            }
        }
    }

    @Test func `gets no wall, also in the role of a manager`() async throws {
        try await SocketRig.run { rig in
            let tickets = try await Self.prepare(rig)
            try await rig.socket { mona in
                try await mona.send(#"{"hello":{"ticket":"\#(tickets["Mona"] ?? "")"}}"#)
                try await mona.send(#"{"wall":true}"#)
                #expect(try await mona.refusal() == "forbidden")
            }
        }
    }

    @Test func `is connected again when the skills of people change`() async throws {
        try await SocketRig.run { rig in
            let tickets = try await Self.prepare(rig)
            try await rig.socket { dana in
                try await dana.send(#"{"hello":{"ticket":"\#(tickets["Dana"] ?? "")"}}"#)
                _ = try await Self.inbox(dana)
                try await rig.put(.people, #"[{"agent":"dana","skills":["general"],"capacity":3}]"#)
                guard case .bye(let bye) = try await dana.next(where: { if case .bye = $0 { true } else { false } })
                else { return }
                #expect(bye.code == Rejection.accountChanged.code.rawValue)
            }
        }
    }
}
