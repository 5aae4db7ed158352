import EarshotCore
import EarshotModel
import Logging
import Testing

@testable import EarshotMedia

@Suite struct `A recording with a scanner` {
    @Test func `is clean, and its original can be downloaded once the whole file was scanned`() async throws {
        let bytes = try await Fixtures.shared().bytes("speech.wav")
        try await Self.withClamd { clamd, lab in
            let finished = try await lab.store.upload(bytes)
            #expect(finished.scan == .clean)
            let queue = try #require(lab.store.store.scans)
            while queue.contains(finished.content.media) { await Task.yield() }
            #expect(try await lab.store.store.original(of: finished.content.media, in: finished.conversation) != nil)
            #expect(lab.verdicts.list.isEmpty)
        }
    }

    @Test(arguments: [0, 32 * 1024 - 10, 32 * 1024 * 2 - 1, 32 * 1024 * 3])
    func `is blocked wherever the harmful bytes are, also across windows; only the answer is kept`(at offset: Int)
        async throws
    {
        var bytes = try await Fixtures.shared().bytes("speech.wav")
        let harm = Array(Clamd.harm.utf8)
        let place = 100 + offset
        bytes.replaceSubrange(place..<(place + harm.count), with: harm)
        try await Self.withClamd { clamd, lab in
            await lab.store.expect(.audioBlocked) { _ = try await lab.store.upload(bytes, chunk: 8000) }
            #expect(lab.store.files.isEmpty)
            await lab.store.expect(.audioBlocked) { _ = try await lab.store.upload(bytes) }
        }
    }

    @Test(arguments: [false, true])
    func `keeps its packets in an Ogg only once the whole file was scanned and clean`(isScanned: Bool)
        async throws
    {
        let bytes = try await Fixtures.shared().bytes("speech.ogg")
        let packet = try #require(Ogg.packets(bytes).dropFirst(20).first { $0.count > 20 })
        let clamd = try Clamd()
        try clamd.start()
        // Without a backlog the whole file is never scanned, although the record says clean.
        try await ScannerLab.with(clamd, hasBacklog: isScanned) { lab in
            let finished = try await lab.store.upload(bytes)
            #expect(finished.scan == .clean)
            let queue = try #require(lab.store.store.scans)
            while isScanned, queue.contains(finished.content.media) { await Task.yield() }
            let file = try #require(
                try await lab.store.store.rendition(.ogg, of: finished.content.media, in: finished.conversation))
            let made = try FileSystem.contents(of: file.path)
            #expect(made.count > 1000 && (made.firstRange(of: packet) != nil) == isScanned)
        }
    }

    @Test func `that waits for the scanner gives none of its packets to others`() async throws {
        let bytes = try await Fixtures.shared().bytes("speech.ogg")
        let packet = try #require(Ogg.packets(bytes).dropFirst(20).first { $0.count > 20 })
        try await Self.withClamd { clamd, lab in
            clamd.stop()
            let finished = try await lab.store.upload(bytes)
            #expect(finished.scan == .pending)
            let file = try #require(
                try await lab.store.store.rendition(.ogg, of: finished.content.media, in: finished.conversation))
            #expect(try FileSystem.contents(of: file.path).firstRange(of: packet) == nil)
        }
    }

    @Test func `waits while the scanner is down, and gets one verdict, in order, when it is back`() async throws {
        let bytes = try await Fixtures.shared().bytes("speech.ogg")
        try await Self.withClamd { clamd, lab in
            clamd.stop()
            var waiting: [MediaID] = []
            for draft in ["a", "b", "c"] {
                let finished = try await lab.store.upload(bytes, StoreLab.request(draft: draft))
                #expect(finished.scan == .pending)
                waiting.append(finished.content.media)
                await lab.store.expect(.audioPending) {
                    _ = try await lab.store.store.original(of: finished.content.media, in: finished.conversation)
                }
            }
            try clamd.start()
            for _ in waiting { try await lab.verdicts.next() }
            #expect(lab.verdicts.list.map(\.media) == waiting && lab.verdicts.list.allSatisfy { $0.verdict == .clean })
            let again = try await lab.store.store.begin(StoreLab.request(draft: "a"))
            #expect(try await lab.store.store.finish(again.upload, bytes: bytes.count, by: "consumer").scan == .clean)
        }
    }

    @Test func `that was left unscanned is scanned after a restart`() async throws {
        let clamd = try Clamd()
        let bytes = try await Fixtures.shared().bytes("speech.webm")
        try await ScannerLab.with(clamd, isStarted: false, hasBacklog: false) { lab in
            let media = try await lab.store.upload(bytes).content.media
            let restarted = try await lab.store.restarted()
            let verdicts = Verdicts()
            let backlog = ScanBacklog(
                store: restarted, scanner: lab.scanner, logger: .init(label: "x") { _ in lab.log }
            ) { verdicts.settle($0, $2) }
            try clamd.start()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await backlog.run() }
                group.addTask { try await verdicts.next() }
                try await group.next()
                group.cancelAll()
            }
            #expect(verdicts.list.map(\.media) == [media])
        }
    }

    @Test func `is not delayed by a scanner that hangs`() async throws {
        let bytes = try await Fixtures.shared().bytes("speech.webm")
        try await Self.withClamd({ $0.gateLimit = .milliseconds(200) }) { clamd, lab in
            clamd.hold()
            #expect(try await lab.store.upload(bytes).scan == .pending)
            try await lab.log.next("The scanner does not answer. Recordings wait for it.")
            #expect(try await lab.store.upload(bytes, StoreLab.request(draft: "next")).scan == .pending)
            clamd.goOn()
            try await lab.verdicts.next()
        }
    }

    @Test func `that is aborted or refused needs no scan`() async throws {
        try await Self.withClamd { clamd, lab in
            let id = try await lab.store.receive([1, 2, 3])
            let queue = try #require(lab.store.store.scans)
            #expect(queue.savedIDs() == [id.rawValue])
            try await lab.store.store.abort(id, by: "consumer")
            await lab.store.expect(.notAudio) { _ = try await lab.store.upload(Array(repeating: 7, count: 500)) }
            #expect(queue.savedIDs().isEmpty)
        }
    }

    private static func withClamd(
        _ change: (inout EarshotMedia.Scanner.Settings) -> Void = { _ in },
        _ body: (Clamd, ScannerLab) async throws -> Void
    ) async throws {
        let clamd = try Clamd()
        try clamd.start()
        try await ScannerLab.with(clamd, change) { try await body(clamd, $0) }
    }
}
