import EarshotCore
import EarshotModel
import EarshotStorage
import Testing

@testable import EarshotGateway

@Suite struct `Status on real sockets` {
    private static let skills = #"""
        [{"id":"general","name":"General","default":true,"accept":"auto","offerSeconds":30,\#
        "sla":{"usual":900,"urgent":300,"first":600},"velocity":100,
        "disposition":"off","survey":false}]
        """#

    @Test
    func
        `is sent to agents on connect and on choice, and refuses a reason that the brand does not list`()
        async throws
    {
        try await SocketRig.run { rig in
            let dana = try await rig.person("Dana")
            try await rig.socket { socket in
                try await socket.send(#"{"hello":{"ticket":"\#(dana.ticket)"}}"#)
                let first = try await socket.me()
                #expect(
                    first.presence.state == .away && first.load == 0 && first.capacity == 3,
                    "who never chose takes nothing")
                try await socket.send(#"{"state":"online"}"#)
                let online = try await socket.me()
                #expect(online.presence.state == .online)
                try await socket.send(#"{"state":"away","reason":"Nap"}"#)
                guard case .problem(let problem) = try await socket.nextFrame() else { return #expect(Bool(false)) }
                #expect(problem.code == "out_of_range")
                try await socket.send(#"{"state":"away","reason":"Lunch"}"#)
                let away = try await socket.me()
                #expect(away.presence.reason == "Lunch")
                let kept = try await rig.store.contactCentre.presences(of: SocketRig.brand)[dana.caller.id]
                #expect(kept?.reason == "Lunch", "it is kept")
            }
        }
    }

    @Test func `is refused to callers without the permission`() async throws {
        try await SocketRig.run { rig in
            let (dana, visitor) = (try await rig.person("Dana"), try await rig.consumer())
            for (hello, frames) in [
                (#"{"ticket":"\#(dana.ticket)"}"#, [#"{"wall":true}"#]),
                (#"{"token":"\#(visitor.token)"}"#, [#"{"wall":true}"#, #"{"team":true}"#, #"{"state":"online"}"#]),
            ] {
                try await rig.socket { socket in
                    try await socket.send(#"{"hello":\#(hello)}"#)
                    for frame in frames {
                        try await socket.send(frame)
                        guard case .problem(let problem) = try await socket.next(where: \.isProblem) else {
                            return #expect(Bool(false))
                        }
                        #expect(problem.code == (hello.contains("ticket") ? "forbidden" : "unknown_frame"), "\(frame)")
                    }
                }
            }
        }
    }

    @Test func `is sent on request: the team to agents, the wall to managers`() async throws {
        try await SocketRig.run { rig in
            try await rig.put(.skills, Self.skills)
            let (dana, mona) = (try await rig.person("Dana"), try await rig.person("Mona", .administrator))
            try await rig.socket { agent in
                try await agent.send(#"{"hello":{"ticket":"\#(dana.ticket)"}}"#)
                try await agent.send(#"{"team":true}"#)
                guard case .team(let team) = try await agent.next(where: \.isTeam) else { return #expect(Bool(false)) }
                #expect(team.map(\.name) == ["Dana", "Mona"])
                try await rig.socket { manager in
                    try await manager.send(#"{"hello":{"ticket":"\#(mona.ticket)"}}"#)
                    try await manager.send(#"{"wall":true}"#)
                    guard case .wall(let wall) = try await manager.next(where: \.isWall) else {
                        return #expect(Bool(false))
                    }
                    #expect(wall.skills.map(\.skill.rawValue) == ["general"] && wall.people.count == 2)
                    try await agent.send(#"{"state":"online"}"#)
                    // Frames are coalesced: one with the old state may come first.
                    _ = try await manager.next { frame in
                        if case .wall(let wall) = frame { wall.people.first?.presence.state == .online } else { false }
                    }
                }
            }
        }
    }

    @Test func `of a disabled agent leaves the team of the others at once`()
        async throws
    {
        try await SocketRig.run { rig in
            try await rig.put(.skills, Self.skills)
            let (dana, mona) = (try await rig.person("Dana"), try await rig.person("Mona", .administrator))
            try await rig.socket { manager in
                try await manager.send(#"{"hello":{"ticket":"\#(mona.ticket)"}}"#)
                try await rig.socket { agent in
                    try await agent.send(#"{"hello":{"ticket":"\#(dana.ticket)"}}"#)
                    try await agent.send(#"{"state":"online"}"#)
                    _ = try await agent.me { $0.presence.state == .online }
                    try await manager.send(#"{"team":true}"#)
                    guard case .team(let team) = try await manager.next(where: \.isTeam) else {
                        return #expect(Bool(false))
                    }
                    #expect(team.map(\.name) == ["Dana", "Mona"])
                    _ = try await rig.identity.change(
                        PersonPatch(isDisabled: true), of: dana.caller.id, as: mona.caller)
                    #expect(rig.routing.colleagues(of: SocketRig.brand).map(\.name) == ["Mona"], "before the answer")
                    // Frames are coalesced: one with both people may come first.
                    _ = try await manager.next { frame in
                        if case .team(let team) = frame { team.map(\.name) == ["Mona"] } else { false }
                    }
                    while case .text = await agent.next() {}
                }
            }
        }
    }

    @Test func `in the queue is sent to a consumer: place, time, and its end`() async throws {
        try await SocketRig.run { rig in
            try await rig.put(.skills, Self.skills)
            let (visitor, dana) = (try await rig.consumer(), try await rig.person("Dana"))
            try await rig.socket { consumer in
                try await consumer.send(#"{"hello":{"token":"\#(visitor.token)"}}"#)
                try await consumer.send(#"{"send":"k1","text":"Hello"}"#)
                _ = try await consumer.next(where: \.isOK)
                try await rig.routing.turn()
                guard case .expect(let expected) = try await consumer.next(where: \.isExpect) else {
                    return #expect(Bool(false))
                }
                #expect(expected?.position == 1 && expected?.open == false && expected?.hours.open == true)
                #expect(expected?.by == rig.now.adding(milliseconds: 600_000), "the first answer's time")
                try await rig.socket { agent in
                    try await agent.send(#"{"hello":{"ticket":"\#(dana.ticket)"}}"#)
                    guard case .inbox(let inbox) = try await agent.nextFrame() else { return #expect(Bool(false)) }
                    #expect(inbox.rows.first?.routing?.due == expected?.by, "the row says the same")
                    try await agent.send(#"{"state":"online"}"#)
                    _ = try await agent.me { $0.presence.state == .online }
                    try await rig.routing.turn()
                    try await agent.send(#"{"send":"a1","c":"\#(visitor.conversation)","text":"Hi"}"#)
                    _ = try await agent.next(where: \.isOK)
                    try await rig.routing.turn()
                    var expected = expected
                    while expected != nil, case .expect(let next) = try await consumer.next(where: \.isExpect) {
                        expected = next
                    }
                    #expect(expected == nil)
                }
            }
        }
    }

    @Test func `changes with the contact-centre settings: agents get the version and rows with new due times`()
        async throws
    {
        try await SocketRig.run { rig in
            try await rig.put(.skills, Self.skills)
            let (visitor, dana) = (try await rig.consumer(), try await rig.person("Dana"))
            try await rig.socket { consumer in
                try await consumer.send(#"{"hello":{"token":"\#(visitor.token)"}}"#)
                try await consumer.send(#"{"send":"k1","text":"Hello"}"#)
                _ = try await consumer.next(where: \.isOK)
            }
            try await rig.routing.turn()
            try await rig.socket { agent in
                try await agent.send(#"{"hello":{"ticket":"\#(dana.ticket)"}}"#)
                _ = try await agent.me()
                try await rig.put(.skills, Self.skills.replacing("\"first\":600", with: "\"first\":60"))
                let told = try await agent.next(where: \.isCentre)
                #expect(told == .centre(3))
                guard case .rows(let rows) = try await agent.next(where: \.isRows) else { return #expect(Bool(false)) }
                #expect(rows.rows.first?.routing?.due == rig.now.adding(milliseconds: 60_000))
            }
        }
    }
}

extension TestSocket {
    /// The next frame of this kind; what comes before it is dropped.
    func next(where fits: @Sendable (ServerFrame) -> Bool) async throws -> ServerFrame {
        while true {
            let frame = try await nextFrame()
            if fits(frame) { return frame }
        }
    }

    /// The next own status that fits.
    func me(where fits: @Sendable (Colleague) -> Bool = { _ in true }) async throws -> Colleague {
        while true {
            if case .me(let me) = try await nextFrame(), fits(me) { return me }
        }
    }
}

extension ServerFrame {
    fileprivate var isOK: Bool { if case .ok = self { true } else { false } }
    fileprivate var isProblem: Bool { if case .problem = self { true } else { false } }
    fileprivate var isTeam: Bool { if case .team = self { true } else { false } }
    fileprivate var isWall: Bool { if case .wall = self { true } else { false } }
    fileprivate var isExpect: Bool { if case .expect = self { true } else { false } }
    fileprivate var isCentre: Bool { if case .centre = self { true } else { false } }
    fileprivate var isRows: Bool { if case .rows = self { true } else { false } }
}

extension SocketRig {
    /// The rig's clock does not advance.
    var now: Timestamp { Timestamp(milliseconds: 1_763_757_600_000) }
}
