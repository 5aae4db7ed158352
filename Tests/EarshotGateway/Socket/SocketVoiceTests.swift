import EarshotCore
import EarshotDomain
import EarshotModel
import EarshotStorage
import Testing

@testable import EarshotGateway

/// Voice messages on real sockets, over the real log.
@Suite struct `A voice message on real sockets` {
    private static func recording(_ name: String, of visitor: ConsumerWelcome, scan: ScanState) -> RecordedMedia {
        RecordedMedia(
            content: AudioContent(
                media: MediaID(trusted: name), durationMs: 10_000, waveform: [1], sizeBytes: 1, loudness: -231),
            conversation: visitor.conversation, author: visitor.consumer.rawValue, sha256: [], container: "webm",
            account: SocketRig.brand, scan: scan)
    }

    /// A consumer's socket and a watching agent's, with one voice message (number 2) between them.
    private static func run(
        scan: ScanState = .unscanned,
        _ body: @escaping @Sendable (SocketRig, ConsumerWelcome, TestSocket, TestSocket) async throws -> Void
    ) async throws {
        try await SocketRig.run { rig in
            let visitor = try await rig.consumer()
            _ = try await rig.store.keep(recording("voice", of: visitor, scan: scan))
            let ticket = try rig.identity.ticket(for: SocketRig.agent)
            try await rig.socket { consumer in
                try await consumer.send(#"{"hello":{"token":"\#(visitor.token)","v":1}}"#)
                _ = try await consumer.nextFrame()
                try await consumer.send(#"{"send":"k1","audio":"voice"}"#)
                while true { if case .ok = try await consumer.nextFrame() { break } }
                try await rig.socket { agent in
                    try await agent.send(#"{"hello":{"ticket":"\#(ticket)"}}"#)
                    _ = try await agent.nextFrame()
                    try await agent.send(#"{"watch":"\#(visitor.conversation)"}"#)
                    _ = try await agent.next { if case .watching(let watching) = $0 { watching } else { nil } }
                    try await agent.send(#"{"take":"k2","c":"\#(visitor.conversation)"}"#)
                    _ = try await agent.next { if case .ok(let ok) = $0 { ok } else { nil } }
                    try await body(rig, visitor, consumer, agent)
                }
            }
        }
    }

    private static let half = PlaybackProgress(sequence: 2, by: .firstAgent, percent: 40, isListened: false)

    @Test func `tells its sender how far it was played, and the brand what is left`() async throws {
        try await Self.run { rig, visitor, consumer, agent in
            try await agent.send(#"{"played":2,"c":"\#(visitor.conversation)","spans":[[0,4000]]}"#)
            let told = try await consumer.next { if case .played(let played) = $0 { played } else { nil } }
            #expect(told == .init(played: [Self.half], conversation: nil))
            let colleague = try await agent.next { if case .played(let played) = $0 { played } else { nil } }
            #expect(colleague == .init(played: [Self.half], conversation: visitor.conversation))
            try await agent.send(#"{"played":2,"c":"\#(visitor.conversation)","spans":[[9000,10000],[4000,6000]]}"#)
            let later = try await consumer.next { if case .played(let played) = $0 { played } else { nil } }
            #expect(later.played == [PlaybackProgress(sequence: 2, by: .firstAgent, percent: 70, isListened: true)])
            let rows = try await agent.next {
                if case .rows(let rows) = $0, rows.rows.last?.unplayed == nil { rows } else { nil }
            }
            #expect(rows.rows.last?.unplayed == nil)
        }
    }

    @Test func `says in every snapshot how far it was played`() async throws {
        try await Self.run { rig, visitor, consumer, agent in
            try await agent.send(#"{"played":2,"c":"\#(visitor.conversation)","spans":[[0,4000]]}"#)
            _ = try await consumer.next { if case .played(let played) = $0 { played } else { nil } }
            try await agent.send(#"{"watch":"\#(visitor.conversation)","after":2}"#)
            let watching = try await agent.next { if case .watching(let watching) = $0 { watching } else { nil } }
            #expect(watching.played == [Self.half], "also of what the client has already")
            try await agent.send(#"{"page":"\#(visitor.conversation)","before":3}"#)
            #expect(try await agent.next { if case .page(let page) = $0 { page } else { nil } }.played == [Self.half])
            for after in ["", #","after":2,"epoch":"\#(rig.store.epoch)""#] {
                try await rig.socket { second in
                    try await second.send(#"{"hello":{"token":"\#(visitor.token)"\#(after)}}"#)
                    guard case .ready(let ready) = try await second.nextFrame() else { return #expect(Bool(false)) }
                    #expect(ready.played == [Self.half])
                }
            }
        }
    }

    @Test func `is not counted as played by watchers or by its own sender`() async throws {
        try await Self.run { rig, visitor, consumer, agent in
            let ticket = try await rig.person("Mona", .manager).ticket
            try await consumer.send(#"{"played":2,"spans":[[0,10000]]}"#)
            try await rig.socket { spectator in
                try await spectator.send(#"{"hello":{"ticket":"\#(ticket)"}}"#)
                _ = try await spectator.nextFrame()
                try await spectator.send(#"{"played":2,"c":"\#(visitor.conversation)","spans":[[0,10000]]}"#)
                try await spectator.send(#"{"page":"\#(visitor.conversation)","before":9}"#)
                _ = try await spectator.next { if case .page(let page) = $0 { page } else { nil } }
            }
            // What these said came before: had it moved anything, it would be told before or with this.
            try await agent.send(#"{"played":2,"c":"\#(visitor.conversation)","spans":[[0,4000]]}"#)
            let told = try await consumer.next { if case .played(let played) = $0 { played } else { nil } }
            #expect(told.played == [Self.half])
            let all = try await rig.store.played(visitor.conversation, from: 0, through: 99)
            #expect(all.flatMap(\.listeners) == [Self.half])
        }
    }

    @Test func `that waits for the scanner is released once, by a system event`() async throws {
        try await Self.run(scan: .pending) { rig, visitor, consumer, agent in
            #expect(try await rig.media.apply(.clean, to: MediaID(trusted: "voice"), in: visitor.conversation))
            #expect(try await !rig.media.apply(.blocked, to: MediaID(trusted: "voice"), in: visitor.conversation))
            for socket in [consumer, agent] {
                let event = try await socket.next { frame in
                    if case .events(let delivery) = frame {
                        delivery.events.first { if case .scanned = $0.kind { true } else { false } }
                    } else {
                        nil
                    }
                }
                #expect(event.by == .system && event.kind == .scanned(.init(of: 2, verdict: .clean)))
            }
        }
    }

    @Test func `cannot be sent where voice messages are off, and connected clients get the setting`() async throws {
        try await Self.run { rig, visitor, consumer, agent in
            _ = try await rig.store.keep(Self.recording("second", of: visitor, scan: .unscanned))
            var patch = AudioSettingsPatch()
            patch.consumers = false
            _ = try await rig.settings.change(SettingsPatch(audio: patch), of: SocketRig.brand, by: "test")
            let told = try await consumer.next { if case .settings(let view) = $0 { view } else { nil } }
            #expect(told == SettingsView(version: 2, audio: .init(isOn: false, why: .role, limitMs: 120_000, keep: 20)))
            let agentsView = try await agent.next { if case .settings(let view) = $0 { view } else { nil } }
            #expect(
                agentsView == SettingsView(version: 2, audio: .init(isOn: true, why: nil, limitMs: 120_000, keep: 20)))
            try await consumer.send(#"{"send":"k9","audio":"second"}"#)
            #expect(try await consumer.next { if case .no(let no) = $0 { no } else { nil } }.code == "audio_off")
            try await rig.socket { second in
                try await second.send(#"{"hello":{"token":"\#(visitor.token)","v":1}}"#)
                guard case .ready = try await second.nextFrame() else { return #expect(Bool(false)) }
                #expect(try await second.nextFrame() == .settings(told))
            }
        }
    }

    @Test func `is not counted as played at an impossible speed`() async throws {
        try await Self.run { rig, visitor, consumer, agent in
            let flood = (0..<3000).flatMap { _ in ClientBytes.text(#"{"played":2,"spans":[[0,1]]}"#) }
            try? await consumer.raw(flood)
            var played = await consumer.next()
            while case .text = played { played = await consumer.next() }
            #expect(played == .close(4429))
        }
    }

    @Test func `is refused with the name of its conversation where there are too many`() async throws {
        try await Self.run { rig, visitor, consumer, agent in
            try await agent.send(#"{"watch":"nowhere"}"#)
            let problem = try await agent.next { if case .problem(let problem) = $0 { problem } else { nil } }
            #expect(problem.code == "not_found" && problem.conversation == ConversationID(trusted: "nowhere"))
        }
    }
}

extension TestSocket {
    /// The next frame that `pick` takes; the others are passed over.
    func next<Value>(_ pick: (ServerFrame) -> Value?) async throws -> Value {
        while true { if let value = pick(try await nextFrame()) { return value } }
    }
}
