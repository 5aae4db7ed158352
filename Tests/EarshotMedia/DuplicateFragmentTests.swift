import EarshotAudioFormats
import EarshotWorkerProtocol
import Foundation
import Testing

@Suite struct `A duplicate fragment header` {
    /// Offsets and lengths of the top boxes of this kind.
    private static func boxes(_ kind: String, in bytes: [UInt8]) -> [Range<Int>] {
        var (at, found): (Int, [Range<Int>]) = (0, [])
        while at + 8 <= bytes.count {
            let length = bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
            guard length >= 8 else { break }
            if Array(bytes[at + 4..<at + 8]) == Array(kind.utf8) { found.append(at..<at + length) }
            at += length
        }
        return found
    }

    /// The same with a copy in front of this `moof`, and of all.
    private static func doubled(_ bytes: [UInt8], _ which: (Int, Int) -> Bool) -> [UInt8] {
        let all = boxes("moof", in: bytes)
        return all.enumerated().reversed().reduce(into: bytes) { made, one in
            if which(one.offset, all.count) { made.insert(contentsOf: bytes[one.element], at: one.element.lowerBound) }
        }
    }

    private static let choices: [(name: String, choose: @Sendable (Int, Int) -> Bool)] = [
        ("the last", { $0 == $1 - 1 }), ("the first", { index, _ in index == 0 }), ("each", { _, _ in true }),
    ]

    @Test(arguments: [0, 1, 2]) func `is read once`(choice: Int) async throws {
        let bytes = try await Fixtures.shared().bytes("fragmented.mp4")
        #expect(Self.boxes("moof", in: bytes).count > 2, "the premise")
        let (plain, doubled) = (
            try await WorkerRun.decode(bytes),
            try await WorkerRun.decode(Self.doubled(bytes, Self.choices[choice].choose))
        )
        #expect(
            plain.result != nil && doubled.result?.durationMs == plain.result?.durationMs,
            "\(Self.choices[choice].name): \(String(describing: doubled.failure))")
        #expect(doubled.audio == plain.audio, "\(Self.choices[choice].name)")
    }

    /// As WebKitGTK 2.50 with GStreamer 1.22 recorded it.
    @Test func `in a real WebKit recording does not damage it`() async throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(
            path: "Fixtures/audio/webkitgtk.mp4")
        let bytes = Array(try Data(contentsOf: file))
        let fragments = Self.boxes("moof", in: bytes)
        #expect(
            zip(fragments, fragments.dropFirst()).contains { $0.upperBound == $1.lowerBound && bytes[$0] == bytes[$1] },
            "the premise")
        let run = try await WorkerRun.decode(bytes)
        #expect(
            run.failure == nil && (1500...2500).contains(run.result?.durationMs ?? 0),
            "\(String(describing: run.failure)) \(String(describing: run.result?.durationMs))")
    }

    @Test(arguments: [1, 7, 64, 100_000]) func `is found whatever the sizes of the chunks are`(piece: Int) async throws
    {
        let bytes = Self.doubled(try await Fixtures.shared().bytes("fragmented.mp4"), Self.choices[2].choose)
        var (fragments, freed, there) = (MP4Fragments(), [Int](), 0)
        while fragments.settled < bytes.count {
            let step = Array(bytes.prefix(there)).withUnsafeBytes {
                fragments.checkNext(ByteView($0), isComplete: there == bytes.count)
            }
            switch step {
            case .needs(let wanted):
                #expect(
                    wanted > there && there < bytes.count,
                    "it asks for more than there is, and never for what cannot come")
                there = min(bytes.count, max(wanted, there + piece))
            case .settled(let free): if let free { freed.append(free) }
            }
        }
        let all = Self.boxes("moof", in: bytes)
        #expect(freed == stride(from: 0, to: all.count, by: 2).map { all[$0].lowerBound + 4 })
    }

    @Test func `is not assumed if the two differ, and other bytes stay unchanged`() {
        func box(_ kind: String, _ body: [UInt8]) -> [UInt8] {
            [0, 0, 0, UInt8(8 + body.count)] + Array(kind.utf8) + body
        }
        let others: [[UInt8]] = [
            box("moof", [1]) + box("moof", [2]) + box("mdat", [3]), box("moof", [1]) + box("moof", [1, 1]),
            box("moof", [1]), [0, 0, 0, 0, 1, 2, 3, 4], [0, 0, 0, 3, 1, 2, 3, 4], [0, 0], [],
        ]
        for bytes in others {
            var fragments = MP4Fragments()
            while fragments.settled < bytes.count {
                #expect(
                    bytes.withUnsafeBytes { fragments.checkNext(ByteView($0), isComplete: true) }
                        == .settled(free: nil),
                    "\(bytes)")
            }
        }
    }
}
