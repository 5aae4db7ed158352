import EarshotCore
import EarshotModel
import EarshotStorage
import Testing

@testable import EarshotGateway

/// What a brand lets consumers see of their earlier messages.
@Suite struct `A consumer's history` {
    private static let dayMs: Int64 = 24 * 3600 * 1000

    /// Checks the snapshot that the consumer gets, and the page before its first event.
    private static func see(
        _ rig: SocketRig, _ token: String, after: Int? = nil,
        check: @escaping @Sendable (ServerFrame.ConsumerReady, ServerFrame.Page) throws -> Void
    ) async throws {
        let cursor = after.map { #","after":\#($0),"epoch":"\#(rig.store.log.epoch)""# } ?? ""
        try await rig.socket { socket in
            try await socket.send(#"{"hello":{"token":"\#(token)"\#(cursor)}}"#)
            let ready = try await socket.next { if case .ready(let ready) = $0 { ready } else { nil } }
            try await socket.send(#"{"page":null,"before":\#(ready.events.first?.sequence ?? ready.through + 1)}"#)
            try check(ready, try await socket.next { if case .page(let page) = $0 { page } else { nil } })
        }
    }

    private static func perform(_ frame: String, as token: String, _ rig: SocketRig) async throws {
        rig.clock.advance(milliseconds: 1000)
        try await rig.socket { socket in
            try await socket.send(#"{"hello":{"token":"\#(token)"}}"#)
            _ = try await socket.nextFrame()
            try await socket.send(frame)
            _ = try await socket.next { if case .ok(let ok) = $0 { ok } else { nil } }
        }
    }

    @Test func `is shown as a whole unless the brand says otherwise`() async throws {
        try await SocketRig.run { rig in
            let visitor = try await rig.consumer()
            try await Self.perform(#"{"send":"k1","text":"old"}"#, as: visitor.token, rig)
            rig.clock.advance(milliseconds: 399 * Self.dayMs)
            try await Self.see(rig, visitor.token) { ready, _ in #expect(ready.events.count == 2) }
        }
    }

    @Test func `ends so many days ago, also for a client that continues and for one that asks for more`() async throws {
        try await SocketRig.run { rig in
            let visitor = try await rig.consumer()
            try await Self.perform(#"{"send":"k1","text":"old"}"#, as: visitor.token, rig)
            try await Self.perform(#"{"send":"k2","text":"newer"}"#, as: visitor.token, rig)
            _ = try await rig.settings.change(SettingsPatch(historyDays: 30), of: SocketRig.brand, by: "test")
            rig.clock.advance(milliseconds: 30 * Self.dayMs - 1)
            try await Self.see(rig, visitor.token) { ready, _ in #expect(ready.events.map(\.sequence) == [3]) }
            rig.clock.advance(milliseconds: 1)
            try await Self.see(rig, visitor.token) { ready, _ in #expect(ready.events.map(\.sequence) == [3]) }
            rig.clock.advance(milliseconds: 1)
            for after in [nil, 1] {
                try await Self.see(rig, visitor.token, after: after) { ready, page in
                    #expect(ready.events.isEmpty && !ready.more && ready.through == 3)
                    #expect(page.events.isEmpty && !page.more)
                }
            }
            let ticket = try await rig.ticket()
            try await rig.socket { agent in
                try await agent.send(#"{"hello":{"ticket":"\#(ticket)"}}"#)
                _ = try await agent.nextFrame()
                try await agent.send(#"{"watch":"\#(visitor.conversation)"}"#)
                let whole = try await agent.next { if case .watching(let watching) = $0 { watching } else { nil } }
                #expect(whole.events.count >= 3, "agents see everything")
            }
        }
    }

    @Test func `begins where the conversation was last opened, if the brand shows nothing closed`() async throws {
        try await SocketRig.run { rig in
            let visitor = try await rig.consumer()
            _ = try await rig.settings.change(SettingsPatch(historyClosed: false), of: SocketRig.brand, by: "test")
            try await Self.perform(#"{"send":"k1","text":"old"}"#, as: visitor.token, rig)
            try await Self.see(rig, visitor.token) { ready, _ in #expect(ready.events.map(\.sequence) == [1, 2]) }
            try await Self.perform(#"{"close":"k2"}"#, as: visitor.token, rig)
            try await Self.see(rig, visitor.token) { ready, page in
                #expect(ready.status == .closed && ready.events.first?.sequence == 3 && !ready.more)
                #expect(page.events.isEmpty && !page.more)
            }
            try await Self.perform(#"{"send":"k3","text":"new"}"#, as: visitor.token, rig)
            try await Self.see(rig, visitor.token) { ready, page in
                let texts = ready.events.compactMap { if case .text(let text) = $0.kind { text } else { nil } }
                #expect(texts == ["new"] && !ready.more)
                #expect(page.events.isEmpty && !page.more)
            }
        }
    }
}
