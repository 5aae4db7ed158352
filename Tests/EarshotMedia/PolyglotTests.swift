import EarshotAudioFormats
import EarshotWorkerProtocol
import Foundation
import Testing

/// Recordings that carry something else too: nothing of it is in what others get.
@Suite struct `Text hidden in a recording` {
    static let hidden = "<script>alert('earshot')</script>"
    static let works = WorkerOrder.Work.allCases
    /// What would be left of words, tags and pictures. None is shorter than five bytes: encoded sound holds any three
    /// bytes now and then by chance.
    static let marks =
        ["<script", "alert", "earshot", "TITLE"].map { Array($0.utf8) } + [
            [0x49, 0x44, 0x33, 3, 0], [0x49, 0x44, 0x33, 4, 0], [0x89, 0x50, 0x4E, 0x47, 0x0D],
        ]

    @Test(arguments: Carrier.allCases, works)
    func `is not in anything that is made of it`(carrier: Carrier, work: WorkerOrder.Work) async throws {
        let bytes = try await carrier.recording()
        #expect(bytes.firstRange(of: Array(Self.hidden.utf8)) != nil, "the premise: they are in the original")
        let run = try await WorkerRun.order(WorkerOrder(work, limitMs: 120_000), bytes)
        if run.failure == nil {
            #expect(run.audio.count > 1000)
        } else {
            #expect(run.failure == .damaged || run.failure == .notAudio)
        }
        #expect(run.failure == nil || !carrier.mustPlay, "\(String(describing: run.failure))")
        for mark in Self.marks { #expect(run.audio.firstRange(of: mark) == nil, "\(mark)") }
    }

    /// Where the words stand.
    enum Carrier: String, CaseIterable, Sendable {
        case mp3Tail, mp3Title, mp3Picture, oggTitle, oggPadding, webmTitle, webmVoid, m4aTitle, m4aFree, wavTail,
            wavChunk, cafInformation, amrTail, page, picture

        /// The rest may be refused: it is not sound to its last byte.
        var mustPlay: Bool {
            switch self {
            case .mp3Title, .mp3Picture, .oggTitle, .oggPadding, .webmTitle, .webmVoid, .m4aTitle, .m4aFree, .wavChunk,
                .cafInformation:
                true
            case .mp3Tail, .wavTail, .amrTail, .page, .picture: false
            }
        }

        func recording() async throws -> [UInt8] {
            let fixtures = try await Fixtures.shared()
            let words = Array(hidden.utf8)
            switch self {
            case .mp3Tail: return try fixtures.bytes("lame.mp3") + words
            case .mp3Title: return try await titled("mp3", ["-c:a", "libmp3lame"])
            case .mp3Picture: return try await Self.pictured(fixtures)
            case .oggTitle: return try await titled("ogg", ["-c:a", "libopus"])
            case .oggPadding: return try Self.padded(fixtures.bytes("speech.ogg"), with: words)
            case .webmTitle: return try await titled("webm", ["-c:a", "libopus"])
            case .webmVoid: return try fixtures.bytes("live.webm") + [0xEC, 0x80 | UInt8(words.count)] + words
            case .m4aTitle: return try await titled("m4a", ["-c:a", "aac"])
            case .m4aFree:
                return try fixtures.bytes("index-last.m4a") + [0, 0, 0, UInt8(words.count + 8)] + Array("free".utf8)
                    + words
            case .wavTail: return try fixtures.bytes("speech.wav") + words
            case .wavChunk: return try Self.chunked(fixtures.bytes("speech.wav"), words)
            case .cafInformation: return try await titled("caf", ["-c:a", "pcm_s16be"])
            case .amrTail: return try fixtures.bytes("narrow.amr") + words
            case .page: return Array("<!doctype html><body>\(hidden)</body>".utf8)
            case .picture: return Array("<svg xmlns=\"http://www.w3.org/2000/svg\">\(hidden)</svg>".utf8)
            }
        }

        private func titled(_ format: String, _ codec: [String]) async throws -> [UInt8] {
            let fixtures = try await Fixtures.shared()
            let name = "titled-\(UUID().uuidString).\(format)"
            let tags = ["-metadata", "title=\(hidden)", "-metadata", "comment=\(hidden)"]
            try await Tool.run(
                "ffmpeg", ["-v", "error", "-i", fixtures.path("speech.wav")] + codec + tags + [fixtures.path(name)])
            return try fixtures.bytes(name)
        }

        private static func pictured(_ fixtures: Fixtures) async throws -> [UInt8] {
            let name = fixtures.path("pictured-\(UUID().uuidString).mp3")
            let inputs = [
                "-i", fixtures.path("speech.wav"), "-f", "lavfi", "-i", "color=red:size=16x16:duration=0.04", "-map",
                "0:a", "-map", "1:v", "-frames:v", "1",
            ]
            let tags = [
                "-c:v", "png", "-c:a", "libmp3lame", "-metadata:s:v", "title=\(hidden)", "-metadata", "title=\(hidden)",
                "-disposition:v", "attached_pic",
            ]
            try await Tool.run("ffmpeg", ["-v", "error"] + inputs + tags + [name])
            return Array(try Data(contentsOf: URL(fileURLWithPath: name)))
        }

        /// Every packet in the format that may carry padding, and the words as padding.
        private static func padded(_ bytes: [UInt8], with words: [UInt8]) throws -> [UInt8] {
            var file = OggOpusFile(preSkip: 312)
            for packet in Ogg.packets(bytes).dropFirst(2) {
                let many = [packet[0] | 3, 0x41, UInt8(words.count)] + packet.dropFirst() + words
                let samples = try #require(packet.withUnsafeBytes { OpusPacket(ByteView($0)) }?.samples)
                file.add(packet[0] & 3 == 0 ? many : packet, samples: samples)
            }
            file.finish(trim: 0)
            return file.bytes
        }

        /// A chunk that no player knows, behind the sound.
        private static func chunked(_ bytes: [UInt8], _ words: [UInt8]) throws -> [UInt8] {
            let chunk =
                Array("junk".utf8) + [UInt8(words.count), 0, 0, 0] + words + (words.count.isMultiple(of: 2) ? [] : [0])
            var made = bytes + chunk
            withUnsafeBytes(of: UInt32(made.count - 8).littleEndian) { made.replaceSubrange(4..<8, with: $0) }
            return made
        }
    }
}
