import EarshotWorkerProtocol
import Foundation
import Testing

/// What the worker says against what the standard says (EBU Tech 3341, table 1) and against FFmpeg's own meter.
@Suite struct `A recording's loudness` {
    /// Cases 1 to 5: 1 kHz, (seconds, dBFS). Case 6 has five channels, 7 and 8 are programmes that only the EBU has.
    static let cases: [(channels: Int, parts: [(seconds: Double, level: Double)], expected: Double)] = [
        (2, [(20, -23)], -23),
        (1, [(20, -33)], -33),
        (1, [(10, -36), (60, -23), (10, -36)], -23),
        (1, [(10, -72), (10, -36), (60, -23), (10, -36), (10, -72)], -23),
        (1, [(20, -26), (20.1, -20), (20, -26)], -23),
    ]

    @Test(arguments: 0..<cases.count)
    func `is what EBU Tech 3341 says, within 0.2 LU`(number: Int) async throws {
        let (channels, parts, expected) = Self.cases[number]
        let fixtures = try await Fixtures.shared()
        var names: [String] = []
        for (index, part) in parts.enumerated() {
            let name = fixtures.path("ebu-\(number)-\(index).wav")
            let format = ["-r", "48000", "-c", "\(channels)", "-b", "16"]
            try await Tool.run(
                "sox", ["-n"] + format + [name, "synth", "\(part.seconds)", "sine", "1000", "vol", "\(part.level)dB"])
            names.append(name)
        }
        try await Tool.run("sox", names + [fixtures.path("ebu-\(number).wav")])
        let result = try #require(try await WorkerRun.decode(fixtures.bytes("ebu-\(number).wav")).result)
        let loudness = try #require(result.loudness)
        print("EBU Tech 3341 case \(number + 1): \(Double(loudness) / 10) LUFS, expected \(expected)")
        #expect(abs(Double(loudness) / 10 - expected) <= 0.2)
    }

    @Test(arguments: ["speech.wav", "stereo.wav", "speech.ogg", "index-last.m4a", "tagged.mp3", "wide.awb", "opus.caf"])
    func `is what FFmpeg's meter says of speech, within 0.2 LU`(name: String) async throws {
        let fixtures = try await Fixtures.shared()
        let result = try #require(try await WorkerRun.decode(fixtures.bytes(name)).result)
        let expected = try await Self.ffmpeg(fixtures.path(name), in: fixtures)
        print("loudness of \(name): \(result.loudness.map { Double($0) / 10 } ?? .nan) LUFS, FFmpeg \(expected)")
        #expect(abs(Double(try #require(result.loudness)) / 10 - expected) <= 0.2)
    }

    @Test func `is not given for silence or for a quarter of a second`() async throws {
        let fixtures = try await Fixtures.shared()
        try await Tool.run("sox", ["-n", "-r", "16000", "-c", "1", fixtures.path("silence.wav"), "trim", "0", "5"])
        try await Tool.run(
            "sox", ["-n", "-r", "16000", "-c", "1", fixtures.path("blip.wav"), "synth", "0.25", "sine", "1000"])
        for name in ["silence.wav", "blip.wav"] {
            let result = try #require(try await WorkerRun.decode(fixtures.bytes(name)).result)
            #expect(result.loudness == nil)
        }
    }

    /// Mono is counted as it sounds from two sides.
    private static func ffmpeg(_ path: String, in fixtures: Fixtures) async throws -> Double {
        let told = fixtures.path("\(UUID().uuidString).txt")
        let filter = "ebur128=dualmono=true:metadata=1,ametadata=print:key=lavfi.r128.I:file=\(told)"
        try await Tool.run("ffmpeg", ["-v", "error", "-i", path, "-map", "0:a:0", "-af", filter, "-f", "null", "-"])
        let last = try String(contentsOfFile: told, encoding: .utf8).split(separator: "\n").last {
            $0.hasPrefix("lavfi.r128.I=")
        }
        return try #require(last.flatMap { Double($0.dropFirst("lavfi.r128.I=".count)) })
    }
}
