import EarshotAudioFormats
import EarshotWorkerProtocol
import Testing

/// What LAME and libav add at both ends of an MP3 is no part of the recording.
@Suite struct `The length of an MP3` {
    @Test(arguments: [8_000, 11_025, 16_000, 22_050, 44_100, 48_000], [1, 2])
    func `is that of what was encoded`(rate: Int, channels: Int) async throws {
        let fixtures = try await Fixtures.shared()
        let wav = fixtures.path("length-\(rate)-\(channels).wav")
        let mp3 = "length-\(rate)-\(channels).mp3"
        // libavcodec's encoder tells too little padding where it spans two frames: with whole frames it does not.
        let frames = rate / 2 / 1152 * 1152
        for (encoder, samples) in [
            (["lame", "--quiet", "-b", "64", "--resample", "\(Double(rate) / 1000)", wav], rate / 2 + 1),
            (["ffmpeg", "-v", "error", "-y", "-i", wav, "-c:a", "libmp3lame", "-b:a", "64k"], frames),
        ] {
            try await MP3.cut(fixtures, to: samples, rate: rate, channels: channels, wav)
            try await Tool.run(encoder[0], encoder.dropFirst() + [fixtures.path(mp3)])
            #expect(try await fixtures.decoded(fixtures.path(mp3), rate: rate).count == samples, "the premise")
            let run = try await WorkerRun.decode(fixtures.bytes(mp3), chunk: 700)
            let result = try #require(run.result)
            #expect(abs(Int(result.durationMs) * rate - samples * 1000) <= rate / 2 + 1, "\(encoder[0])")
            #expect(abs(Int(result.containerMs) - Int(result.durationMs)) <= 1, "\(encoder[0])")
            let made = try #require(MP3.tag(of: run.audio))
            #expect(abs(made.samples * rate - samples * made.rate) <= rate, "\(encoder[0])")
        }
    }

    @Test(arguments: [22_050, 48_000]) func `is that of its frames if no tag tells what was added`(rate: Int)
        async throws
    {
        let fixtures = try await Fixtures.shared()
        let (wav, mp3) = (fixtures.path("untagged-\(rate).wav"), "untagged-\(rate).mp3")
        try await MP3.cut(fixtures, to: rate * 2, rate: rate, channels: 1, wav)
        try await Tool.run("lame", ["--quiet", "-t", "-b", "64", wav, fixtures.path(mp3)])
        let result = try #require(try await WorkerRun.decode(fixtures.bytes(mp3)).result)
        let expected = try await fixtures.decoded(fixtures.path(mp3), rate: rate).count
        #expect(expected > rate * 2)
        #expect(abs(Int(result.durationMs) * rate - expected * 1000) <= rate / 2 + 1)
    }

    @Test func `loses nothing at its end if the tag does not describe the recording`() async throws {
        let fixtures = try await Fixtures.shared()
        let (wav, name) = (fixtures.path("described.wav"), "described.mp3")
        try await MP3.cut(fixtures, to: 48_001, rate: 24_000, channels: 1, wav)
        try await Tool.run("lame", ["--quiet", "-b", "64", wav, fixtures.path(name)])
        let whole = try fixtures.bytes(name)
        let tag = try #require(MP3.tag(of: whole))
        #expect(tag.samples == 48_001 && tag.trailing > 0)
        let count = try #require(whole.firstRange(of: Array("Info".utf8))).upperBound + 4
        let both = try #require(whole.firstRange(of: Array("LAME".utf8))).lowerBound + 21
        func patched(_ value: UInt32, at offset: Int, bytes: Int) -> [UInt8] {
            var copy = whole
            for index in 0..<bytes {
                copy[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * (bytes - 1 - index)))
            }
            return copy
        }
        // Without the padding the file is as long as its frames after the encoder's and the decoder's delay.
        let full = (tag.samples + tag.trailing) * 1000 / tag.rate
        let frames = UInt32((tag.samples + tag.leading + tag.trailing) / 576)
        for (what, bytes) in [
            ("no frames", patched(0, at: count, bytes: 4)), ("one frame", patched(1, at: count, bytes: 4)),
            ("one frame too few", patched(frames - 1, at: count, bytes: 4)),
            ("one frame too many", patched(frames + 1, at: count, bytes: 4)),
            ("very many frames", patched(.max, at: count, bytes: 4)),
        ] {
            let result = try #require(try await WorkerRun.decode(bytes).result, "\(what)")
            #expect(abs(Int(result.durationMs) - full) <= 1, "\(what)")
        }
        let half = try await WorkerRun.decode(Array(whole[..<(whole.count / 2)])).result
        #expect(abs(Int(try #require(half).durationMs) - full / 2) <= 60, "a recording that was cut off")
        let most = try #require(try await WorkerRun.decode(patched(0xFF_FFFF, at: both, bytes: 3)).result)
        let least = (Int(frames) * 576 - 2 * 0xFFF) / 24
        #expect(abs(Int(most.durationMs) - least) <= 1, "the most that a tag can say")
    }

    @Test(arguments: [576, 1152, 3000]) func `of a tag that leaves nothing is that of its frames`(samples: Int)
        async throws
    {
        let fixtures = try await Fixtures.shared()
        let (wav, name) = (fixtures.path("short-\(samples).wav"), "short-\(samples).mp3")
        try await MP3.cut(fixtures, to: samples, rate: 24_000, channels: 1, wav)
        try await Tool.run("lame", ["--quiet", "-b", "64", wav, fixtures.path(name)])
        let bytes = try fixtures.bytes(name)
        let tag = try #require(MP3.tag(of: bytes))
        #expect(tag.samples == samples)
        let result = try #require(try await WorkerRun.decode(bytes).result)
        #expect(Int(result.durationMs) == samples / 24)
        // The delay stays; the padding becomes the largest number.
        var liar = bytes
        let both = try #require(bytes.firstRange(of: Array("LAME".utf8))).lowerBound + 21
        liar[both + 1] |= 0x0F
        liar[both + 2] = 0xFF
        let left = samples + tag.trailing - (0xFFF - 529)
        let expected = left > 0 ? left : samples + tag.trailing
        let other = try #require(try await WorkerRun.decode(liar).result)
        #expect(abs(Int(other.durationMs) - expected / 24) <= 1)
    }

    @Test func `is read from any part of a tag without reading beyond it`() async throws {
        let bytes = try await Fixtures.shared().bytes("tagged.mp3")
        #expect(MP3.tag(of: bytes) != nil)
        let frame = try #require(bytes.firstRange(of: Array("Xing".utf8))).lowerBound
        for end in (frame - 40)..<(frame + 150) {
            #expect(MP3.tag(of: Array(bytes[..<end])) == nil || end >= frame + 144)
        }
        #expect(MP3.tag(of: []) == nil)
    }
}

private enum MP3 {
    /// Speech of exactly so many samples.
    static func cut(_ fixtures: Fixtures, to samples: Int, rate: Int, channels: Int, _ wav: String) async throws {
        try await Tool.run(
            "sox",
            [fixtures.path("raw.wav"), "-c", "\(channels)", wav, "rate", "\(rate)", "trim", "0", "\(samples)s"])
    }

    static func tag(of bytes: [UInt8]) -> LAMETag? { bytes.withUnsafeBytes { LAMETag(ByteView($0)) } }
}
