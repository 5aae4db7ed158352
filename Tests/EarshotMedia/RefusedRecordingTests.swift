import EarshotModel
import EarshotWorkerProtocol
import Foundation
import Testing

@testable import EarshotMedia

@Suite struct `A recording that is refused` {
    @Test func `has no bytes`() async throws {
        #expect(try await WorkerRun.decode([]).failure == .empty)
    }

    @Test(arguments: UntrustedFile.all)
    func `is not audio, whatever it is named`(file: UntrustedFile) async throws {
        let run = try await WorkerRun.decode(Array(file.content.utf8))
        #expect(run.failure == .notAudio)
        #expect(run.audio.isEmpty)
    }

    @Test func `in a codec that is not read names it`() async throws {
        let fixtures = try await Fixtures.shared()
        #expect(try await WorkerRun.decode(fixtures.bytes("vorbis.ogg")).failure == .vorbis)
        for failure in WorkerFailure.allCases {
            guard let name = failure.codecName else { continue }
            let rejection = Rejection.audio(failure, limitMs: 1)
            #expect(rejection.code == .notAudio && rejection.text.contains(name))
        }
    }

    @Test(arguments: [16, 2]) func `of many channels or an odd rate says so`(channels: Int) async throws {
        let fixtures = try await Fixtures.shared()
        let file = fixtures.path("unusual-\(channels).wav")
        let rate = channels == 2 ? "384000" : "48000"
        try await Tool.run("sox", ["-n", "-r", rate, "-c", "\(channels)", file, "synth", "1", "sine", "300"])
        #expect(try await WorkerRun.decode(fixtures.bytes("unusual-\(channels).wav")).failure == .unusual)
        #expect(Rejection.audio(.unusual, limitMs: 1).code == .notAudio)
    }

    @Test(arguments: ["speech.flac", "silent-film.webm"])
    func `has a format that is not accepted`(name: String) async throws {
        #expect(try await WorkerRun.decode(Fixtures.shared().bytes(name)).failure == .notAudio)
    }

    @Test(arguments: [
        "speech.webm", "live.webm", "speech.ogg", "opusenc.opus", "index-last.m4a", "index-first.m4a", "fragmented.mp4",
        "speech.wav", "narrow.amr", "wide.awb", "wide.3gp", "opus.caf", "aac.caf", "pcm.caf",
    ])
    func `ends inside an element`(name: String) async throws {
        let bytes = try await Fixtures.shared().bytes(name)
        // sox ends AMR with frames that are one byte long: cut between two of them it is whole.
        let last = name == "narrow.amr" ? [] : [bytes.count - 1, bytes.count - 3]
        for left in last + [bytes.count * 2 / 3, bytes.count / 2 + 1, 40] {
            let run = try await WorkerRun.decode(Array(bytes[..<left]))
            #expect(run.failure == .damaged, "\(left) of \(bytes.count)")
        }
    }

    @Test func `is a WebM whose Segment or Cluster is longer than the file, even if it ends after a block`()
        async throws
    {
        let fixtures = try await Fixtures.shared()
        let bytes = try fixtures.bytes("speech.webm")
        let cluster: [UInt8] = [0x1F, 0x43, 0xB6, 0x75]
        let top = WebM.elements(bytes[...])
        let last = try #require(WebM.elements(top[1].content).last { $0.id == cluster })
        let block = try #require(WebM.elements(last.content).last)
        #expect(try await WorkerRun.decode(Array(bytes[..<block.whole.startIndex])).failure == .damaged)
        #expect(try await WorkerRun.decode(Array(bytes[..<last.whole.startIndex])).failure == .damaged)
    }

    @Test func `is an MP3 with something else in the middle`() async throws {
        var bytes = try await Fixtures.shared().bytes("lame.mp3")
        bytes.insert(contentsOf: Array("<html><script>alert(1)</script></html>".utf8), at: bytes.count / 2)
        #expect(try await WorkerRun.decode(bytes).failure == .damaged)
    }

    @Test func `is an MP3 only in its first bytes`() async throws {
        let page = Array("<html>".utf8) + [UInt8](repeating: 0x41, count: 5000)
        #expect(try await WorkerRun.decode(Array("ID3".utf8) + page).failure == .damaged)
        #expect(try await WorkerRun.decode([0xFF, 0xFB, 0x90, 0x64] + page).failure == .damaged)
    }

    @Test func `is not an MP3 with a cut last frame or old tags at its end: those are accepted`() async throws {
        let bytes = try await Fixtures.shared().bytes("lame.mp3")
        let tag = Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125)
        #expect(try await WorkerRun.decode(Array(bytes.dropLast(20))).result != nil)
        #expect(try await WorkerRun.decode(bytes + tag).result != nil)
        #expect(try await WorkerRun.decode(bytes + tag + [1]).failure == .damaged)
    }
}

@Suite struct `A recording over a limit` {
    @Test func `by one second is too long, and exactly at it is not`() async throws {
        let fixtures = try await Fixtures.shared()
        for (seconds, name) in [(15, "at.wav"), (16, "over.wav")] {
            try await Tool.run(
                "sox",
                [
                    "-n", "-r", "16000", "-c", "1", fixtures.path(name), "synth", "\(seconds)", "sine", "300", "gain",
                    "-20",
                ])
        }
        #expect(try await WorkerRun.decode(fixtures.bytes("at.wav"), limitMs: 15_000).result?.durationMs == 15_000)
        #expect(try await WorkerRun.decode(fixtures.bytes("at.wav"), limitMs: 14_999).failure == .tooLong)
        #expect(try await WorkerRun.decode(fixtures.bytes("over.wav"), limitMs: 15_000).failure == .tooLong)
    }

    @Test func `of bytes is too large, and exactly at it is not`() async throws {
        let bytes = try await Fixtures.shared().bytes("speech.ogg")
        #expect(try await WorkerRun.decode(bytes, ["--input-bytes", "\(bytes.count)"]).result != nil)
        #expect(try await WorkerRun.decode(bytes, ["--input-bytes", "\(bytes.count - 1)"]).failure == .tooLarge)
        #expect(
            try await WorkerRun.decode([UInt8](repeating: 0x4F, count: 100), ["--input-bytes", "99"]).failure != nil)
    }

    @Test func `only according to its header gets its real duration`() async throws {
        let fixtures = try await Fixtures.shared()
        let tenHours = 36_000_000.0
        let years317: UInt64 = 317 * 365 * 24 * 3600 * 48_000
        let honest = try #require(try await WorkerRun.decode(fixtures.bytes("speech.webm")).result)
        let webm = WebM.claiming(tenHours, try fixtures.bytes("speech.webm"))
        #expect(try await WorkerRun.decode(webm).result?.durationMs == honest.durationMs)
        let ogg = Ogg.claiming(years317, try fixtures.bytes("speech.ogg"))
        let played = try #require(try await WorkerRun.decode(ogg).result)
        #expect(abs(Int(played.durationMs) - Int(honest.durationMs)) <= 50)
    }

    @Test func `only according to an MP3 or MP4 header gets its real duration`() async throws {
        let fixtures = try await Fixtures.shared()
        for (name, liar) in [("tagged.mp3", Liar.mp3), ("index-last.m4a", Liar.mp4)] {
            let bytes = try fixtures.bytes(name)
            let honest = try #require(try await WorkerRun.decode(bytes).result)
            let lie = liar(bytes)
            #expect(lie != bytes && lie.count == bytes.count)
            let played = try #require(try await WorkerRun.decode(lie).result)
            #expect(abs(Int(played.durationMs) - Int(honest.durationMs)) <= 50)
        }
    }

    @Test func `in a WAV header that says ten hours is damaged: the bytes are missing`() async throws {
        var bytes = try await Fixtures.shared().bytes("speech.wav")
        let size = UInt32(36_000 * 96_000 / 2)
        let at = try #require(bytes.firstRange(of: Array("data".utf8))?.upperBound)
        withUnsafeBytes(of: size.littleEndian) { bytes.replaceSubrange(at..<at + 4, with: $0) }
        #expect(try await WorkerRun.decode(bytes).failure == .damaged)
    }
}

/// Headers that lie about the length.
enum Liar {
    /// The number of frames in an MP3's Xing or Info header.
    static func mp3(_ bytes: [UInt8]) -> [UInt8] {
        replacing(
            bytes, behind: bytes.firstRange(of: Array("Info".utf8)) ?? bytes.firstRange(of: Array("Xing".utf8)),
            skip: 4, with: 1_500_000)
    }

    /// The duration in an MP4's movie header (version 0).
    static func mp4(_ bytes: [UInt8]) -> [UInt8] {
        replacing(bytes, behind: bytes.firstRange(of: Array("mvhd".utf8)), skip: 16, with: 36_000_000)
    }

    private static func replacing(_ bytes: [UInt8], behind range: Range<Int>?, skip: Int, with value: UInt32) -> [UInt8]
    {
        guard let at = range?.upperBound else { return bytes }
        var made = bytes
        withUnsafeBytes(of: value.bigEndian) { made.replaceSubrange(at + skip..<at + skip + 4, with: $0) }
        return made
    }
}

/// What is not audio, and is sent under an audio name.
enum UntrustedFile: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case text, page, picture, archive, program, playlist, concat, session, dash, remote, single

    static let all = Self.allCases

    var testDescription: String { rawValue }

    var content: String { content(secret: "/etc/passwd", server: "127.0.0.1:9") }

    /// The same content, pointing to a file and a server that must never be accessed.
    func content(secret: String, server: String) -> String {
        switch self {
        case .text: "Hello, this is a text and no recording at all."
        case .page: "<!doctype html><html><body><script>alert(1)</script></body></html>"
        case .picture:
            "<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"alert(1)\"><image href=\"http://\(server)/\"/></svg>"
        case .archive: "PK\u{3}\u{4}\u{14}\u{0}\u{0}\u{0}\u{8}\u{0} and so on, as long as a small archive is"
        case .program: "MZ\u{0}\u{0}\u{3}\u{0}\u{0}\u{0}\u{4} This program cannot be run in DOS mode."
        case .playlist:
            "#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:10.0,\n\(secret)\n"
                + "#EXTINF:10.0,\nhttp://\(server)/a.ts\n#EXT-X-ENDLIST\n"
        case .concat: "ffconcat version 1.0\nfile '\(secret)'\nfile 'http://\(server)/a.wav'\n"
        case .session:
            "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=x\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 9 RTP/AVP 0\r\n"
        case .dash:
            "<?xml version=\"1.0\"?><MPD><Period><BaseURL>http://\(server)/</BaseURL>"
                + "<BaseURL>file://\(secret)</BaseURL></Period></MPD>"
        case .remote: "[playlist]\nFile1=http://\(server)/x.mp3\nFile2=\(secret)\nNumberOfEntries=2\n"
        case .single: "O"
        }
    }
}
