import Foundation
import Testing

/// Recordings made by real encoders from real speech, once per run, in a folder of their own.
struct Fixtures: Sendable {
    let folder: String

    static func shared() async throws -> Fixtures {
        try await renditionJob.value
    }

    /// Every format of recording that must be accepted.
    static let accepted = [
        "speech.webm", "live.webm", "speech.ogg", "opusenc.opus", "killed.ogg", "index-last.m4a", "index-first.m4a",
        "fragmented.mp4", "lame.mp3",
        "tagged.mp3", "speech.wav", "piped.wav", "stereo.wav", "float.wav", "film.webm", "narrow.amr", "wide.awb",
        "narrow.3gp", "wide.3gp", "aac.3gp",
        "opus.caf", "aac.caf", "alac.caf", "pcm.caf", "narrow.caf", "alac.m4a",
    ]

    func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path(name))))
    }

    func path(_ name: String) -> String { "\(folder)/\(name)" }

    /// What an independent decoder makes of it: its samples, mono.
    func decoded(_ path: String, rate: Int = 24_000) async throws -> [Int16] {
        let pcm = "\(folder)/\(UUID().uuidString).pcm"
        try await Tool.run(
            "ffmpeg", ["-v", "error", "-i", path, "-map", "0:a:0", "-ac", "1", "-ar", "\(rate)", "-f", "s16le", pcm])
        defer { try? FileManager.default.removeItem(atPath: pcm) }
        return try Data(contentsOf: URL(fileURLWithPath: pcm)).withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    }

    /// What ffprobe says of a file's first sound track, in a line.
    func probe(_ name: String, _ entries: String) async throws -> String {
        try await said(
            "ffprobe",
            ["-v", "error", "-select_streams", "a:0", "-show_entries", entries, "-of", "csv=p=0", path(name)])
    }

    /// The digest of each packet of the first sound track.
    func packets(_ name: String) async throws -> [String] {
        let arguments = [
            "-v", "error", "-select_streams", "a:0", "-show_packets", "-show_data_hash", "sha256", "-show_entries",
            "packet=data_hash",
        ]
        // A packet with samples to drop has them in front, on a line of its own.
        let lines = try await said("ffprobe", arguments + ["-of", "csv=p=0", path(name)]).split(separator: "\n")
        return lines.compactMap { $0.split(separator: ",").first { $0.hasPrefix("SHA256:") }.map(String.init) }
    }

    private func said(_ tool: String, _ arguments: [String]) async throws -> String {
        let output = path("\(UUID().uuidString).txt")
        try await Tool.run(tool, arguments, output: output)
        return try String(contentsOfFile: output, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static let renditionJob = Task { try await make() }

    private static func make() async throws -> Fixtures {
        let folder = try Scratch.folder("fixtures")
        let all = Fixtures(folder: folder)
        try await Tool.run(
            "espeak-ng", ["-w", all.path("raw.wav"), "My parcel has not come. Please call me back, thank you."])
        try await all.encode()
        try await all.encodePhones()
        try all.derive()
        return all
    }

    private func encode() async throws {
        try await Tool.run("sox", [path("raw.wav"), "-r", "48000", path("speech.wav")])
        try await Tool.run("sox", [path("raw.wav"), "-r", "44100", "-c", "2", path("stereo.wav")])
        try await Tool.run("opusenc", ["--quiet", "--bitrate", "24", path("speech.wav"), path("opusenc.opus")])
        try await Tool.run("lame", ["--quiet", "-b", "48", path("raw.wav"), path("lame.mp3")])
        try await Tool.run(
            "lame",
            [
                "--quiet", "-V", "5", "--tt", "<script>alert(1)</script>", "--add-id3v2", path("raw.wav"),
                path("tagged.mp3"),
            ])
        try await ffmpeg(["-c:a", "libopus", "-b:a", "24k", path("speech.webm")])
        try await ffmpeg(["-c:a", "libopus", "-b:a", "24k", path("speech.ogg")])
        try await ffmpeg(["-c:a", "aac", "-b:a", "48k", path("index-last.m4a")])
        try await ffmpeg(["-c:a", "aac", "-b:a", "48k", "-movflags", "+faststart", path("index-first.m4a")])
        try await ffmpeg([
            "-c:a", "aac", "-movflags", "frag_keyframe+empty_moov+default_base_moof", "-frag_duration", "500000",
            path("fragmented.mp4"),
        ])
        try await ffmpeg(["-c:a", "pcm_f32le", path("float.wav")])
        try await ffmpeg(["-c:a", "alac", path("alac.m4a")])
        try await ffmpeg(["-c:a", "libvorbis", path("vorbis.ogg")])
        try await ffmpeg(["-c:a", "flac", path("speech.flac")])
        try await Tool.run(
            "ffmpeg", ["-v", "error", "-i", path("speech.wav"), "-f", "wav", "-"], output: path("piped.wav"))
        let live = ["-fflags", "+bitexact", "-c:a", "libopus", "-f", "webm", "-live", "1", "-"]
        try await Tool.run("ffmpeg", ["-v", "error", "-i", path("speech.wav")] + live, output: path("pipe.webm"))
        let film = [
            "-f", "lavfi", "-i", "testsrc=size=64x48:rate=10", "-i", path("speech.wav"), "-c:v", "libvpx", "-c:a",
            "libopus", "-shortest",
        ]
        try await Tool.run("ffmpeg", ["-v", "error"] + film + [path("film.webm")])
        try await Tool.run(
            "ffmpeg", ["-v", "error", "-i", path("film.webm"), "-an", "-c", "copy", path("silent-film.webm")])
    }

    /// What telephones record.
    private func encodePhones() async throws {
        try await Tool.run(
            "sox", [path("raw.wav"), "-r", "8000", "-c", "1", "-C", "7", "-t", "amr-nb", path("narrow.amr")])
        try write(WideAMR.encode(await decoded(path("speech.wav"), rate: WideAMR.rate)), "wide.awb")
        for (from, to) in [("narrow.amr", "narrow.3gp"), ("wide.awb", "wide.3gp"), ("narrow.amr", "narrow.caf")] {
            try await Tool.run(
                "ffmpeg", ["-v", "error", "-i", path(from), "-c", "copy", "-fflags", "+bitexact", path(to)])
        }
        try await ffmpeg(["-c:a", "aac", "-b:a", "48k", path("aac.3gp")])
        try await ffmpeg(["-c:a", "libopus", "-b:a", "24k", path("opus.caf")])
        try await ffmpeg(["-c:a", "alac", path("alac.caf")])
        try await ffmpeg(["-c:a", "pcm_s16be", path("pcm.caf")])
        try await ffmpeg(["-c:a", "aac", "-b:a", "48k", "-f", "adts", path("speech.aac")])
        try write(CAF.holding(adts: bytes("speech.aac")), "aac.caf")
    }

    /// What no encoder here writes, made from what they write.
    private func derive() throws {
        try write(WebM.live(bytes("pipe.webm")), "live.webm")
        try write(Ogg.withoutLastPage(bytes("speech.ogg")), "killed.ogg")
    }

    func write(_ bytes: [UInt8], _ name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
    }

    /// The same bytes every time, so that a seed finds the same mutant again.
    private func ffmpeg(_ arguments: [String]) async throws {
        try await Tool.run(
            "ffmpeg",
            ["-v", "error", "-i", path("speech.wav"), "-fflags", "+bitexact", "-flags:a", "+bitexact"] + arguments)
    }
}
