import EarshotAudioFormats
import EarshotModel
import EarshotWorkerProtocol
import Foundation
import Testing

@testable import EarshotMedia

@Suite struct `A recording of an accepted format` {
    @Test(arguments: Fixtures.accepted)
    func `gets the duration that an independent decoder finds, within 50 ms`(name: String) async throws {
        let fixtures = try await Fixtures.shared()
        let run = try await WorkerRun.decode(fixtures.bytes(name))
        let result = try #require(run.result, "\(name): \(String(describing: run.failure)), signal \(run.signal)")
        let expected = try await fixtures.decoded(fixtures.path(Self.reference(name))).count / 24
        #expect(expected > 2000)
        #expect(abs(Int(result.durationMs) - expected) <= 50)
    }

    @Test(arguments: Fixtures.accepted)
    func `becomes an MP3 with the same speech and duration`(name: String) async throws {
        let fixtures = try await Fixtures.shared()
        let run = try await WorkerRun.decode(fixtures.bytes(name))
        let result = try #require(run.result)
        let file = "out-\(UUID().uuidString).mp3"
        try fixtures.write(run.audio, file)
        let played = try await fixtures.decoded(fixtures.path(file))
        let spoken = try await fixtures.decoded(fixtures.path(Self.reference(name)))
        #expect(abs(played.count / 24 - Int(result.durationMs)) <= 1)
        #expect(Sound.likeness(played, spoken) > 0.9)
    }

    @Test(arguments: Fixtures.accepted, [1, 7, 1000])
    func `gives the same result whatever the sizes of its chunks are`(name: String, chunk: Int) async throws {
        let bytes = try await Fixtures.shared().bytes(name)
        let whole = try await WorkerRun.decode(bytes, chunk: bytes.count)
        let cut = try await WorkerRun.decode(bytes, chunk: chunk)
        #expect(whole.result != nil)
        #expect(cut.result == whole.result)
        #expect(cut.audio == whole.audio)
    }

    /// sox sends pauses as comfort noise, which FFmpeg leaves out: what went into the encoder is the truth about narrow
    /// band.
    static func reference(_ name: String) -> String { name.hasPrefix("narrow") ? "raw.wav" : name }

    @Test func `keeps its sound when its sizes are wrong or something follows it`() async throws {
        let fixtures = try await Fixtures.shared()
        let (wav, ogg, mp3) = (
            try fixtures.bytes("speech.wav"), try fixtures.bytes("speech.ogg"), try fixtures.bytes("lame.mp3")
        )
        let data = try #require((12..<wav.count - 4).first { Array(wav[$0..<$0 + 4]) == Array("data".utf8) })
        func sized(_ bytes: [UInt8], _ size: UInt32, at offset: Int) -> [UInt8] {
            var bytes = bytes
            for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: size >> (8 * index)) }
            return bytes
        }
        var cases: [(String, [UInt8], [UInt8])] = [
            ("a byte after the end of a WAV", wav + [0], wav),
            ("a RIFF size that is too large", sized(wav, UInt32(wav.count + 20), at: 4), wav),
            ("zeros after an Ogg", ogg + [UInt8](repeating: 0, count: 5000), ogg),
            (
                "room between a tag and the first frame of an MP3",
                Array("ID3".utf8) + [3, 0, 0, 0, 0, 0, 4, 1, 2, 3, 4] + [UInt8](repeating: 0, count: 700) + mp3, mp3
            ),
        ]
        for size: UInt32 in [0, 0x8000_0000, 0x7FFF_F000, 0xFFFF_FFFF] {
            cases.append(("a stream of data size \(size)", sized(sized(wav, size, at: data + 4), size, at: 4), wav))
        }
        for (what, bytes, whole) in cases {
            let expected = try #require(try await WorkerRun.decode(whole).result)
            let run = try await WorkerRun.decode(bytes)
            let result = try #require(run.result, "\(what): \(String(describing: run.failure))")
            #expect(abs(Int(result.durationMs) - Int(expected.durationMs)) <= 1, "\(what)")
        }
        #expect(try await WorkerRun.decode(Array(wav.dropLast(1000))).failure == .damaged, "cut samples are missed")
    }

    @Test func `in two channels of opposite phase is heard`() async throws {
        let fixtures = try await Fixtures.shared()
        try await Tool.run(
            "sox", [fixtures.path("raw.wav"), "-r", "48000", fixtures.path("antiphase.wav"), "remix", "1", "1v-1"])
        let run = try await WorkerRun.decode(fixtures.bytes("antiphase.wav"))
        let alone = try #require(try await WorkerRun.decode(fixtures.bytes("speech.wav")).result)
        let result = try #require(run.result)
        #expect((result.waveform.max() ?? 0) > 20, "not silence")
        let (loud, reference) = (try #require(result.loudness), try #require(alone.loudness))
        #expect(abs(loud - reference) <= 20, "as loud as one channel, within 2 LU")
    }

    @Test func `in six channels is about as loud as its centre`() async throws {
        let fixtures = try await Fixtures.shared()
        try await Tool.run(
            "sox",
            [fixtures.path("raw.wav"), "-r", "48000", fixtures.path("six.wav"), "remix", "0", "0", "1", "0", "0", "0"])
        let alone = try #require(try await WorkerRun.decode(fixtures.bytes("speech.wav")).result?.loudness)
        let six = try #require(try await WorkerRun.decode(fixtures.bytes("six.wav")).result?.loudness)
        #expect(six >= alone - 40, "at most 4 LU quieter: \(six) and \(alone)")
    }

    @Test func `that lost a part in the middle tells the time that the container spans`() async throws {
        let ogg = try await Fixtures.shared().bytes("speech.ogg")
        let whole = try #require(try await WorkerRun.decode(ogg).result)
        #expect(abs(Int(whole.containerMs) - Int(whole.durationMs)) <= Limits.containerDifferenceMs)
        var pages: [Range<Int>] = []
        var offset = 0
        while offset + 27 <= ogg.count {
            let segments = Int(ogg[offset + 26])
            let length = 27 + segments + ogg[(offset + 27)..<(offset + 27 + segments)].reduce(0) { $0 + Int($1) }
            pages.append(offset..<(offset + length))
            offset += length
        }
        try #require(pages.count >= 5)
        let lost = pages[pages.count / 2]
        let cut = try #require(
            try await WorkerRun.decode(Array(ogg[..<lost.lowerBound] + ogg[lost.upperBound...])).result)
        #expect(Int(cut.containerMs) - Int(cut.durationMs) > Limits.containerDifferenceMs)
    }

    @Test func `is recognised by its bytes, container and codec`() async throws {
        let fixtures = try await Fixtures.shared()
        let expected: [(String, AudioContainer, AudioCodec)] = [
            ("live.webm", .webm, .opus), ("opusenc.opus", .ogg, .opus), ("index-last.m4a", .mp4, .aac),
            ("tagged.mp3", .mp3, .mp3),
            ("float.wav", .wav, .pcm), ("narrow.amr", .amr, .amr), ("wide.awb", .amr, .amrWideband),
            ("narrow.3gp", .mp4, .amr),
            ("wide.3gp", .mp4, .amrWideband), ("aac.3gp", .mp4, .aac), ("opus.caf", .caf, .opus),
            ("aac.caf", .caf, .aac), ("alac.caf", .caf, .alac),
            ("pcm.caf", .caf, .pcm), ("narrow.caf", .caf, .amr), ("alac.m4a", .mp4, .alac),
        ]
        for (name, container, codec) in expected {
            let result = try #require(try await WorkerRun.decode(fixtures.bytes(name)).result)
            #expect(result.container == container && result.codec == codec)
        }
    }

    /// Comfort noise, lost frames and frames without data: every telephone sends them, and libav decodes none of them.
    @Test func `keeps its pauses when AMR has frames without speech`() async throws {
        let fixtures = try await Fixtures.shared()
        let speech = try fixtures.bytes("narrow.amr")
        let pause = [UInt8](repeating: 15 << 3 | 4, count: 49) + [8 << 3 | 4, 0, 0, 0, 0, 0]
        var half = 6
        while half < speech.count / 2 { half += try #require(AMRFormat.narrow.frame(speech[half])).length }
        let spoken = try #require(try await WorkerRun.decode(speech).result)
        let run = try await WorkerRun.decode(Array(speech[..<half]) + pause + Array(speech[half...]))
        let result = try #require(run.result)
        #expect(result.durationMs == spoken.durationMs + 1000)
        let silence = Int(try #require(try await WorkerRun.decode(Array(speech[..<half])).result).durationMs)
        let spans = (silence + 100) * 64 / Int(result.durationMs)..<(silence + 900) * 64 / Int(result.durationMs)
        #expect(!spans.isEmpty && result.waveform[spans].allSatisfy { $0 <= 1 })
        try await Tool.run(
            "sox", [fixtures.path("raw.wav"), "-r", "16000", fixtures.path("paused.wav"), "pad", "0.5", "3"])
        let samples = try await fixtures.decoded(fixtures.path("paused.wav"), rate: WideAMR.rate)
        let (with, without) = (try WideAMR.encode(samples, pauses: true), try WideAMR.encode(samples))
        #expect(with.count < without.count * 3 / 4, "the premise: the encoder leaves pauses away")
        let lengths = try await [
            WorkerRun.decode(with).result?.durationMs, WorkerRun.decode(without).result?.durationMs,
        ]
        #expect(lengths[0] != nil && lengths[0] == lengths[1])
    }

    @Test func `leaves none of its tags in the MP3`() async throws {
        let bytes = try await Fixtures.shared().bytes("tagged.mp3")
        #expect(bytes.firstRange(of: Array("<script>".utf8)) != nil)
        let run = try await WorkerRun.decode(bytes)
        #expect(run.result != nil)
        #expect(run.audio.firstRange(of: Array("<script>".utf8)) == nil)
        #expect(run.audio.starts(with: [0xFF]), "an MP3 frame first, no tag")
    }

    @Test func `from a live recorder has unknown sizes and no duration (the premise of other tests)`() async throws {
        let bytes = try await Fixtures.shared().bytes("live.webm")
        let unknown: [UInt8] = [0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
        #expect(bytes.firstRange(of: [0x18, 0x53, 0x80, 0x67] + unknown) != nil)
        #expect(bytes.firstRange(of: [0x1F, 0x43, 0xB6, 0x75] + unknown) != nil)
        #expect(bytes.firstRange(of: [0x44, 0x89, 0x88]) == nil)
    }
}

@Suite struct `A waveform` {
    @Test func `shows where someone speaks and where there is silence`() async throws {
        let fixtures = try await Fixtures.shared()
        try await Tool.run("sox", [fixtures.path("speech.wav"), fixtures.path("padded.wav"), "pad", "4", "4"])
        let result = try #require(try await WorkerRun.decode(fixtures.bytes("padded.wav")).result)
        let total = Int(result.durationMs)
        let first = 4000 * 64 / total
        let last = (total - 4000) * 64 / total
        #expect(result.waveform.count == 64)
        #expect(result.waveform[..<first].allSatisfy { $0 == 0 })
        #expect(result.waveform[(last + 1)...].allSatisfy { $0 == 0 })
        #expect(result.waveform[(first + 1)..<last].contains { $0 > 50 })
    }

    @Test func `of a full-scale tone is 100 in every span, and never more`() async throws {
        let fixtures = try await Fixtures.shared()
        try await Tool.run(
            "sox",
            ["-n", "-r", "48000", "-c", "1", fixtures.path("tone.wav"), "synth", "70", "square", "100", "gain", "0"])
        let result = try #require(try await WorkerRun.decode(fixtures.bytes("tone.wav")).result)
        #expect(result.durationMs == 70_000)
        #expect(result.waveform.allSatisfy { (98...100).contains($0) })
    }

    @Test func `of two channels at full scale is the same as of one`() async throws {
        let fixtures = try await Fixtures.shared()
        try await Tool.run(
            "sox",
            ["-n", "-r", "48000", "-c", "2", fixtures.path("loud.wav"), "synth", "2", "sine", "440", "gain", "0"])
        let result = try #require(try await WorkerRun.decode(fixtures.bytes("loud.wav")).result)
        #expect(result.waveform.allSatisfy { (95...100).contains($0) })
    }
}

/// How alike two pieces of sound are.
enum Sound {
    /// Correlation of their loudness over time, 20 ms by 20 ms; the best of small shifts. 1: the same.
    static func likeness(_ left: [Int16], _ right: [Int16]) -> Double {
        let a = envelope(left)
        let b = envelope(right)
        return (-3...3).map { correlation(a.dropFirst(max(0, $0)), b.dropFirst(max(0, -$0))) }.max() ?? 0
    }

    private static func envelope(_ samples: [Int16]) -> [Double] {
        stride(from: 0, to: samples.count - 480, by: 480).map { start in
            (samples[start..<start + 480].reduce(0.0) { $0 + Double($1) * Double($1) } / 480).squareRoot()
        }
    }

    private static func correlation(_ left: ArraySlice<Double>, _ right: ArraySlice<Double>) -> Double {
        let count = min(left.count, right.count)
        let (a, b) = (Array(left.prefix(count)), Array(right.prefix(count)))
        let (meanA, meanB) = (a.reduce(0, +) / Double(count), b.reduce(0, +) / Double(count))
        let products = zip(a, b).reduce(0.0) { $0 + ($1.0 - meanA) * ($1.1 - meanB) }
        let spreadA = a.reduce(0.0) { $0 + ($1 - meanA) * ($1 - meanA) }
        let spreadB = b.reduce(0.0) { $0 + ($1 - meanB) * ($1 - meanB) }
        return products / (spreadA * spreadB).squareRoot()
    }
}
