import EarshotCore
import EarshotModel
import EarshotStorage
import Testing

@testable import EarshotGateway

/// Real sockets, the real log.
@Suite struct `On real sockets` {
    @Test func `a foreign page gets no socket`() async throws {
        try await SocketRig.run { rig in
            try await rig.socket(origin: "https://evil.example") { socket in
                #expect(await socket.status == "HTTP/1.1 403 Forbidden")
            }
            try await rig.socket(origin: "http://localhost:\(rig.port)") { socket in
                #expect(await socket.status == "HTTP/1.1 101 Switching Protocols")
            }
        }
    }

    @Test(arguments: ["e1.tulip.shop.a.b.1.AAAAAAAAAAAAAAAAAAAAAA", "", "e1"])
    func `a forged token is told to sign in`(token: String) async throws {
        try await SocketRig.run { rig in
            try await rig.socket { socket in
                try await socket.send(#"{"hello":{"token":"\#(token)"}}"#)
                #expect(
                    try await socket.nextFrame()
                        == .bye(.init(code: "not_signed_in", text: Rejection.notSignedIn.text, after: nil)))
                #expect(await socket.next() == .close(4401))
            }
        }
    }

    @Test func `a client without a hello is told so and closed`() async throws {
        var limits = SocketLimits()
        limits.helloMs = 1
        try await SocketRig.run(limits: limits) { rig in
            try await rig.socket { socket in
                guard case .bye = try await socket.nextFrame() else { return #expect(Bool(false)) }
                #expect(await socket.next() == .close(4408))
            }
        }
    }

    @Test func `an agent's ticket opens one socket, once`() async throws {
        try await SocketRig.run { rig in
            let ticket = try rig.identity.ticket(for: SocketRig.agent)
            try await rig.socket { socket in
                try await socket.send(#"{"hello":{"ticket":"\#(ticket)"}}"#)
                guard case .inbox(let ready) = try await socket.nextMessageFrame() else { return #expect(Bool(false)) }
                #expect(ready.rows.isEmpty && ready.fresh && ready.agent == SocketRig.agent.id)
            }
            try await rig.socket { socket in
                try await socket.send(#"{"hello":{"ticket":"\#(ticket)"}}"#)
                guard case .bye = try await socket.nextMessageFrame() else { return #expect(Bool(false)) }
                #expect(await socket.next() == .close(4401))
            }
        }
    }

    @Test(arguments: [(-1, true), (1_000_000_000, true), (0, false)])
    func `an agent with a position that the feed does not have begins again`(position: Int, isFresh: Bool) async throws
    {
        try await SocketRig.run { rig in
            let ticket = try rig.identity.ticket(for: SocketRig.agent)
            try await rig.socket { socket in
                let epoch = rig.store.log.epoch
                try await socket.send(#"{"hello":{"ticket":"\#(ticket)","position":\#(position),"epoch":"\#(epoch)"}}"#)
                guard case .inbox(let ready) = try await socket.nextMessageFrame() else { return #expect(Bool(false)) }
                #expect(ready.fresh == isFresh)
            }
        }
    }

    @Test func `signing out closes the sockets of the session and voids its tickets`() async throws {
        try await SocketRig.run { rig in
            var tickets: [String] = []
            for cookie in ["mine", "mine", "other"] { tickets.append(try await rig.ticket(cookie: cookie)) }
            let (own, unused, others) = (tickets[0], tickets[1], tickets[2])
            try await rig.socket { other in
                try await other.send(#"{"hello":{"ticket":"\#(others)"}}"#)
                _ = try await other.nextMessageFrame()
                try await rig.socket { mine in
                    try await mine.send(#"{"hello":{"ticket":"\#(own)"}}"#)
                    _ = try await mine.nextMessageFrame()
                    try await rig.identity.logout(cookie: "mine")
                    #expect(
                        try await mine.nextMessageFrame()
                            == .bye(.init(code: "not_signed_in", text: Rejection.notSignedIn.text, after: nil)))
                    #expect(await mine.next() == .close(4401))
                }
                #expect(throws: Rejection.notSignedIn) { try rig.identity.redeem(ticket: unused) }
                try await other.send(#"{"watch":"nowhere"}"#)
                guard case .problem = try await other.nextMessageFrame() else {
                    return #expect(Bool(false), "another session's socket stays")
                }
            }
        }
    }

    @Test func `a message is stored, answered, seen by the agent, answered and seen`() async throws {
        try await SocketRig.run { rig in
            let visitor = try await rig.consumer()
            let ticket = try rig.identity.ticket(for: SocketRig.agent)
            try await rig.socket { consumer in
                try await consumer.send(#"{"hello":{"token":"\#(visitor.token)"}}"#)
                guard case .ready(let ready) = try await consumer.nextMessageFrame() else {
                    return #expect(Bool(false))
                }
                #expect(ready.status == .new && ready.through == 0 && ready.epoch == rig.store.log.epoch)
                try await consumer.send(#"{"send":"k1","text":"Hello"}"#)
                guard case .events(let started) = try await consumer.nextMessageFrame() else {
                    return #expect(Bool(false))
                }
                #expect(started.events.map(\.sequence) == [1] && started.conversation == nil)
                guard case .ok(let ok) = try await consumer.nextMessageFrame() else { return #expect(Bool(false)) }
                #expect(ok.sequence == 2 && ok.key.rawValue == "k1")
                try await rig.socket { agent in
                    try await agent.send(#"{"hello":{"ticket":"\#(ticket)"}}"#)
                    _ = try await agent.nextMessageFrame()
                    try await agent.send(#"{"watch":"\#(visitor.conversation)"}"#)
                    guard case .watching(let watching) = try await agent.nextMessageFrame() else {
                        return #expect(Bool(false))
                    }
                    #expect(watching.events.map(\.sequence) == [1, 2] && watching.through == 2)
                    try await agent.send(#"{"send":"a1","c":"\#(visitor.conversation)","text":"Hi"}"#)
                    guard case .events(let joined) = try await agent.nextMessageFrame() else {
                        return #expect(Bool(false))
                    }
                    #expect(joined.events.map(\.sequence) == [3, 4])
                    guard case .ok(let ok) = try await agent.nextMessageFrame() else { return #expect(Bool(false)) }
                    #expect(ok.sequence == 5)
                }
                guard case .events(let answer) = try await consumer.nextMessageFrame() else {
                    return #expect(Bool(false))
                }
                #expect(answer.events.map(\.sequence) == [3, 4, 5] && answer.events.last?.kind == .text("Hi"))
                guard case .joined(let person) = answer.events[0].kind else { return #expect(Bool(false)) }
                #expect(person.name == "Dana" && person.id == nil, "a consumer does not learn an agent's id")
            }
        }
    }

    @Test
    func `a repeated key gets the same answer, another use of it is refused, and the cursor delivers what was missed`()
        async throws
    {
        try await SocketRig.run { rig in
            let visitor = try await rig.consumer()
            let hello = #"{"hello":{"token":"\#(visitor.token)","after":2,"epoch":"\#(rig.store.log.epoch)"}}"#
            try await rig.socket { first in
                try await first.send(#"{"hello":{"token":"\#(visitor.token)"}}"#)
                _ = try await first.nextFrame()
                for key in ["k1", "k2", "k3"] { try await first.send(#"{"send":"\#(key)","text":"\#(key)"}"#) }
                var oks: [Int] = []
                while oks.count < 3 { if case .ok(let ok) = try await first.nextFrame() { oks.append(ok.sequence) } }
                #expect(oks == [2, 3, 4])
            }
            try await rig.socket { second in
                try await second.send(hello)
                guard case .ready(let ready) = try await second.nextFrame() else { return #expect(Bool(false)) }
                #expect(ready.events.map(\.sequence) == [3, 4] && ready.fresh == nil)
                try await second.send(#"{"send":"k2","text":"k2"}"#)
                guard case .ok(let ok) = try await second.nextFrame() else { return #expect(Bool(false)) }
                #expect(ok.sequence == 3)
                try await second.send(#"{"send":"k2","text":"other"}"#)
                guard case .no(let no) = try await second.nextFrame() else { return #expect(Bool(false)) }
                #expect(no.code == "key_reused")
            }
        }
    }

    @Test func `another consumer's conversation does not exist`() async throws {
        try await SocketRig.run { rig in
            let (victim, thief) = (try await rig.consumer(), try await rig.consumer())
            try await rig.socket { socket in
                try await socket.send(#"{"hello":{"token":"\#(thief.token)"}}"#)
                _ = try await socket.nextFrame()
                try await socket.send(#"{"send":"k","c":"\#(victim.conversation)","text":"x"}"#)
                guard case .no(let no) = try await socket.nextFrame() else { return #expect(Bool(false)) }
                #expect(no.code == "not_found")
                try await socket.send(#"{"watch":"\#(victim.conversation)"}"#)
                guard case .problem(let problem) = try await socket.nextFrame() else { return #expect(Bool(false)) }
                #expect(problem.code == "unknown_frame")
            }
        }
    }

    @Test func `a flood is refused and then closed, whatever it says`() async throws {
        try await SocketRig.run { rig in
            let visitor = try await rig.consumer()
            try await rig.socket { socket in
                try await socket.send(#"{"hello":{"token":"\#(visitor.token)"}}"#)
                _ = try await socket.nextFrame()
                let flood = (0..<3000).flatMap { _ in ClientBytes.text(#"{"typing":true}"#) }
                try? await socket.raw(flood)
                var played = await socket.next()
                while case .text = played { played = await socket.next() }
                #expect(played == .close(4429))
            }
        }
    }
}

extension TestSocket {
    /// The next frame that is no status and no inbox row.
    fileprivate func nextMessageFrame() async throws -> ServerFrame {
        while true {
            let frame = try await nextFrame()
            switch frame {
            case .me, .rows, .expect: continue
            default: return frame
            }
        }
    }
}
