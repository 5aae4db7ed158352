import EarshotAudioFormats
import EarshotWorkerProtocol
import Foundation
import Testing

@testable import EarshotMedia

@Suite struct `Another format of a recording` {
    static let formats: [WorkerOrder.Work] = [.ogg, .oggKeepingPackets, .m4a]
    static let sources = [
        "live.webm", "opusenc.opus", "killed.ogg", "index-last.m4a", "tagged.mp3", "stereo.wav", "narrow.amr",
        "wide.3gp", "opus.caf", "aac.caf",
    ]

    @Test(arguments: formats, sources)
    func `has the same speech and duration in mono, according to an independent decoder`(
        format: WorkerOrder.Work, name: String
    ) async throws {
        let fixtures = try await Fixtures.shared()
        let length = try #require(try await WorkerRun.decode(fixtures.bytes(name)).result?.durationMs)
        let run = try await WorkerRun.order(WorkerOrder(format, limitMs: 120_000), fixtures.bytes(name))
        let made = try #require(run.made, "\(String(describing: run.failure)), signal \(run.signal)")
        #expect(Int(made.sizeBytes) == run.audio.count && made.durationMs == length)
        let file = "\(UUID().uuidString).\(format == .m4a ? "m4a" : "ogg")"
        try fixtures.write(run.audio, file)
        let played = try await fixtures.decoded(fixtures.path(file))
        #expect(abs(played.count / 24 - Int(length)) <= 50)
        let spoken = fixtures.path(`A recording of an accepted format`.reference(name))
        #expect(Sound.likeness(played, try await fixtures.decoded(spoken)) > 0.9)
        let described = try await fixtures.probe(file, "stream=codec_name,channels")
        #expect(described == (format == .m4a ? "aac,1" : "opus,1"))
    }

    @Test(arguments: ["speech.webm", "live.webm", "film.webm", "opusenc.opus", "speech.ogg", "opus.caf"])
    func `keeps every packet of the sender unchanged if that is allowed`(name: String) async throws {
        let fixtures = try await Fixtures.shared()
        let run = try await WorkerRun.order(WorkerOrder(.oggKeepingPackets, limitMs: 120_000), fixtures.bytes(name))
        #expect(run.made?.method == .remuxed)
        try fixtures.write(run.audio, "remuxed-\(name).ogg")
        let kept = try await fixtures.packets("remuxed-\(name).ogg")
        #expect(kept.count > 50)
        #expect(try await fixtures.packets(name) == kept)
        let encoded = try await WorkerRun.order(WorkerOrder(.ogg, limitMs: 120_000), fixtures.bytes(name))
        #expect(encoded.made?.method == .encoded)
        try fixtures.write(encoded.audio, "encoded-\(name).ogg")
        #expect(try await fixtures.packets("encoded-\(name).ogg") != kept)
    }

    @Test func `skips the same samples at both ends as the source`() async throws {
        let fixtures = try await Fixtures.shared()
        for name in ["speech.ogg", "opusenc.opus"] {
            let run = try await WorkerRun.order(WorkerOrder(.oggKeepingPackets, limitMs: 120_000), fixtures.bytes(name))
            try fixtures.write(run.audio, "trimmed.ogg")
            #expect(
                try await fixtures.decoded(fixtures.path("trimmed.ogg"), rate: 48_000)
                    == fixtures.decoded(fixtures.path(name), rate: 48_000))
        }
    }

    @Test func `of two channels is played as one`() async throws {
        let fixtures = try await Fixtures.shared()
        try await Tool.run(
            "ffmpeg",
            ["-v", "error", "-i", fixtures.path("stereo.wav"), "-c:a", "libopus", fixtures.path("stereo.webm")])
        let run = try await WorkerRun.order(
            WorkerOrder(.oggKeepingPackets, limitMs: 120_000), fixtures.bytes("stereo.webm"))
        #expect(run.made?.method == .remuxed)
        try fixtures.write(run.audio, "mono.ogg")
        #expect(try await fixtures.probe("mono.ogg", "stream=channels") == "1")
        let played = try await fixtures.decoded(fixtures.path("mono.ogg"))
        #expect(Sound.likeness(played, try await fixtures.decoded(fixtures.path("stereo.wav"))) > 0.9)
    }

    @Test func `is encoded again if the source has an output gain or invalid packets`() async throws {
        let bytes = try await Fixtures.shared().bytes("speech.ogg")
        let head = try #require(bytes.firstRange(of: Array("OpusHead".utf8)))
        var louder = bytes
        louder[head.lowerBound + 17] = 6
        let run = try await WorkerRun.order(WorkerOrder(.oggKeepingPackets, limitMs: 120_000), Ogg.sealed(louder))
        #expect(run.made?.method == .encoded)
    }

    @Test func `has its index at the start if it is an M4A`() async throws {
        let run = try await WorkerRun.order(WorkerOrder(.m4a, limitMs: 120_000), Fixtures.shared().bytes("speech.webm"))
        let index = try #require(run.audio.firstRange(of: Array("moov".utf8)))
        let sound = try #require(run.audio.firstRange(of: Array("mdat".utf8)))
        #expect(index.lowerBound < sound.lowerBound)
    }
}

@Suite struct `The size of an Ogg` {
    @Test func `decides, to the byte, whether the sender's packets are kept or a lower bit rate is taken`() async throws
    {
        let fixtures = try await Fixtures.shared()
        try await Tool.run(
            "ffmpeg",
            [
                "-v", "error", "-i", fixtures.path("speech.wav"), "-c:a", "libopus", "-b:a", "64k",
                fixtures.path("rich.webm"),
            ])
        let bytes = try fixtures.bytes("rich.webm")
        let whole = try await WorkerRun.order(WorkerOrder(.oggKeepingPackets, limitMs: 120_000), bytes)
        let size = UInt32(whole.audio.count)
        for (most, method) in [(size + 1, RenditionResult.Method.remuxed), (size, .remuxed), (size - 1, .encoded)] {
            let run = try await WorkerRun.order(
                WorkerOrder(.oggKeepingPackets, limitMs: 120_000, maxBytes: most), bytes)
            #expect(run.made?.method == method)
            #expect(run.audio.count <= most && (run.audio == whole.audio) == (method == .remuxed))
        }
    }

    @Test func `decides, to the byte, whether our own encoding is kept or encoded again at a lower bit rate`()
        async throws
    {
        let bytes = try await Fixtures.shared().bytes("speech.wav")
        let whole = try await WorkerRun.order(WorkerOrder(.ogg, limitMs: 120_000), bytes)
        let size = UInt32(whole.audio.count)
        for (most, isSame) in [(size + 1, true), (size, true), (size - 1, false)] {
            let run = try await WorkerRun.order(WorkerOrder(.ogg, limitMs: 120_000, maxBytes: most), bytes)
            #expect(run.made != nil && run.audio.count <= most && (run.audio == whole.audio) == isSame)
        }
    }

    @Test func `limit can be too small for any audio`() async throws {
        let run = try await WorkerRun.order(
            WorkerOrder(.ogg, limitMs: 120_000, maxBytes: 1_000), Fixtures.shared().bytes("speech.wav"))
        #expect(run.failure == .tooLarge && run.audio.isEmpty)
    }

    @Test func `of two minutes at a browser's best bit rate fits WhatsApp's 512 KiB`() async throws {
        let fixtures = try await Fixtures.shared()
        let loop = [
            "-stream_loop", "40", "-i", fixtures.path("speech.wav"), "-t", "119", "-c:a", "libopus", "-b:a", "128k",
        ]
        try await Tool.run("ffmpeg", ["-v", "error"] + loop + [fixtures.path("long.webm")])
        let bytes = try fixtures.bytes("long.webm")
        let free = try await WorkerRun.order(WorkerOrder(.oggKeepingPackets, limitMs: 121_000), bytes)
        #expect(free.audio.count > 512 * 1024, "the premise: it does not fit as it is")
        let most = UInt32(512 * 1024)
        let run = try await WorkerRun.order(WorkerOrder(.oggKeepingPackets, limitMs: 121_000, maxBytes: most), bytes)
        #expect(run.made?.method == .encoded && run.audio.count <= most)
        print("two minutes of speech: \(free.audio.count) bytes as recorded, \(run.audio.count) bytes encoded again")
    }
}

@Suite struct `Another format that is refused` {
    @Test(arguments: `Another format of a recording`.formats)
    func `is too long, damaged, empty, no audio or too large, as the recording itself is`(format: WorkerOrder.Work)
        async throws
    {
        let bytes = try await Fixtures.shared().bytes("speech.webm")
        let cases: [([UInt8], UInt32, WorkerFailure)] = [
            (bytes, 2_000, .tooLong), (Array(bytes[..<(bytes.count * 2 / 3)]), 120_000, .damaged),
            ([], 120_000, .empty),
            (Array("<html>".utf8), 120_000, .notAudio),
        ]
        for (bytes, limit, failure) in cases {
            let run = try await WorkerRun.order(WorkerOrder(format, limitMs: limit), bytes)
            #expect(run.failure == failure && run.made == nil)
        }
        let large = try await WorkerRun.order(
            WorkerOrder(format, limitMs: 120_000), bytes, ["--input-bytes", "\(bytes.count - 1)"])
        #expect(large.failure == .tooLarge)
    }

    @Test func `had an invalid order`() async throws {
        let bytes = try await Fixtures.shared().bytes("speech.webm")
        let order = WorkerOrder(.ogg, limitMs: 120_000)
        for first in [0, 5, 255] as [UInt8] {
            var broken = order.encoded
            broken[0] = first
            #expect(WorkerOrder(broken) == nil)
            let run = try await WorkerRun.say(broken + bytes)
            #expect(run.audio.isEmpty && run.made == nil && run.result == nil && run.failure == nil)
        }
    }
}
