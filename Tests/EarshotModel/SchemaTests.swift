import EarshotModel
import EarshotTestKit
import Foundation
import Testing

@Suite struct `The wire schema` {
    private static let root = GoldenFile.folder.deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// `bin/generate` runs this test with EARSHOT_GENERATE=1.
    @Test func `is generated into the documents and the Web code, and generating again changes nothing`() throws {
        let isWriting = ProcessInfo.processInfo.environment["EARSHOT_GENERATE"] == "1"
        if isWriting { try GeneratedFiles.write(into: Self.root) }
        let outdated = try GeneratedFiles.outdated(in: Self.root)
        #expect(outdated == [], "run bin/generate and commit what it writes")
    }

    @Test(arguments: GoldenFile.names("client-"))
    func `accepts every golden frame of a client, as its own kind`(name: String) throws {
        try check(name, "client-frames", kinds: WireSchema.clientKinds, frames: WireSchema.clientFrames)
    }

    @Test(arguments: GoldenFile.names("server-"))
    func `accepts every golden frame of the server, as its own kind`(name: String) throws {
        try check(name, "server-frames", kinds: WireSchema.serverKinds, frames: WireSchema.serverFrames)
    }

    @Test(arguments: GoldenFile.names("event-"))
    func `accepts every golden event`(name: String) throws {
        let value = try JSONSerialization.jsonObject(with: GoldenFile.data(name))
        #expect(try SchemaValidator("server-frames").problems(value, definition: "Event") == [])
    }

    @Test func `knows every event kind, every client frame and nothing twice`() throws {
        let events = try GoldenFile.names("event-").map {
            try JSONDecoder().decode(Event.self, from: GoldenFile.data($0))
        }
        for event in events where event.kind != .unknown {
            let members = try #require(try GoldenFile.value(Data(event.wireBytes)) as? [String: Any])
            let kinds = WireSchema.events.filter { members[$0.name] != nil }
            #expect(kinds.count == 1)
            #expect(kinds.first?.isPrivate == event.kind.isPrivate || members["joined"] != nil)
        }
        #expect(Set(WireSchema.events.map(\.name)).count == WireSchema.events.count)
        #expect(Set(WireSchema.clientFrames.map(\.kind)) == Set(WireSchema.clientKinds))
        #expect(Set(WireSchema.serverFrames.map(\.kind)) == Set(WireSchema.serverKinds))
    }

    @Test(arguments: [
        (#"{"send":"k"}"#, "client-frames"), (#"{"send":"a b","text":"x"}"#, "client-frames"),
        (#"{"played":3,"spans":[[0]]}"#, "client-frames"), (#"{"typing":1}"#, "client-frames"),
        (#"{"ok":"k","n":"1","at":2}"#, "server-frames"), (#"{"marks":[[1,2]]}"#, "server-frames"),
        (#"{"horoscope":7}"#, "server-frames"),
        (
            #"{"me":{"id":"a","name":"D","role":"king","presence":{},"skills":[],"load":0,"capacity":3,"open":0}}"#,
            "server-frames"
        ),
    ])
    func `refuses what is no frame`(text: String, schema: String) throws {
        let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
        #expect(try !SchemaValidator(schema).problems(value).isEmpty)
    }

    @Test func `accepts the settings that a brand begins with`() throws {
        let value = try JSONSerialization.jsonObject(with: JSONEncoder().encode(ContactCentreSettings()))
        #expect(try SchemaValidator("settings").problems(value) == [])
    }

    /// The kind by the documented order picks the frame, and the frame's own schema accepts it.
    private func check(_ name: String, _ schema: String, kinds: [String], frames: [WireFrame]) throws {
        let value = try JSONSerialization.jsonObject(with: GoldenFile.data(name))
        let members = try #require(value as? [String: Any])
        let validator = try SchemaValidator(schema)
        #expect(validator.problems(value) == [])
        let kind = try #require(kinds.first { members[$0] != nil })
        let fitting = frames.filter { $0.kind == kind && validator.problems(value, definition: $0.definition).isEmpty }
        #expect(!fitting.isEmpty, "\(kind)")
    }
}

@Suite struct `The error catalogue` {
    @Test(arguments: Rejection.Code.allCases) func `says what a client does about each code`(code: Rejection.Code) {
        let entry = code.entry
        #expect((400...599).contains(entry.status))
        #expect(entry.meaning.first?.isUppercase != true && entry.meaning.last != ".", "a part of a table")
        #expect(entry.retry != .afterSignIn || !entry.endsCommand, "the command is sent after signing in")
        #expect(entry.status < 500 || entry.retry == .later, "the server's own failures pass")
        let isDefault = entry.meaning == Rejection.Code.badRequest.entry.meaning
        #expect(isDefault == (code == .badRequest), "\(code) has no entry")
    }

    @Test func `keeps in the outbox exactly the commands that can still succeed unchanged`() {
        let kept = Rejection.Code.allCases.filter { !$0.entry.endsCommand }
        #expect(
            Set(kept) == [
                .blocked, .csrf, .damaged, .notSignedIn, .notYetValid, .rateLimited, .storageFull, .suspended, .timeout,
                .unavailable,
            ])
    }
}

@Suite struct `The order of a frame's members` {
    /// Ten shuffles of every golden frame: the fast reader says what the general decoder says, or leaves it to it.
    @Test(arguments: GoldenFile.names("client-"))
    func `says nothing about its kind`(name: String) throws {
        let seed: UInt64 = 20_261_122
        print("seed \(seed)")
        var random = SplitMix(seed: seed)
        let members = try #require(try GoldenFile.value(GoldenFile.data(name)) as? [String: Any])
        let expected = try JSONDecoder().decode(ClientFrame.self, from: GoldenFile.data(name))
        for _ in 0..<10 {
            let shuffled = members.keys.sorted().map { ($0, random.next()) }.sorted { $0.1 < $1.1 }.map(\.0)
            let parts = try shuffled.map { key in
                let value = try JSONSerialization.data(
                    withJSONObject: members[key] as Any, options: [.fragmentsAllowed, .withoutEscapingSlashes])
                return "\"\(key)\":\(String(decoding: value, as: UTF8.self))"
            }
            let text = "{\(parts.joined(separator: ","))}"
            #expect(try JSONDecoder().decode(ClientFrame.self, from: Data(text.utf8)) == expected, "\(text)")
            let reading = Array(text.utf8).withUnsafeBufferPointer(ClientFrame.read)
            #expect(reading == .frame(expected) || reading == .unsure, "\(text)")
        }
    }

    @Test func `does not make a send a read`() throws {
        for text in [#"{"read":3,"text":"x","send":"k"}"#, #"{"text":"x","read":3,"send":"k"}"#] {
            guard case .send(let send) = try JSONDecoder().decode(ClientFrame.self, from: Data(text.utf8)) else {
                return #expect(Bool(false), "\(text)")
            }
            #expect(send.read == 3)
            #expect(Array(text.utf8).withUnsafeBufferPointer(ClientFrame.read) == .unsure)
        }
    }
}
