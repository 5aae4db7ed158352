import EarshotWorkerProtocol
import Foundation
import Testing

@testable import EarshotMedia

/// Recordings of many hours in few bytes. Each is refused as soon as the limit is played, in little memory.
@Suite(.serialized) struct `A bomb` {
    private static let peakKiB = 200 * 1024
    private static let limitBytes = 16 * 1024 * 1024

    @Test func `of ten hours of silence in Ogg is too long`() async throws {
        try await refuses("bomb.ogg", encode: ["-c:a", "libopus", "-b:a", "6k", "-frame_duration", "60"], hours: 10)
    }

    @Test func `of ten hours of silence in WebM is too long`() async throws {
        try await refuses("bomb.webm", encode: ["-c:a", "libopus", "-b:a", "6k", "-frame_duration", "60"], hours: 10)
    }

    @Test func `of four hours of silence in MP3 at 8 kbit/s is too long`() async throws {
        try await refuses(
            "bomb.mp3", encode: ["-c:a", "libmp3lame", "-b:a", "8k", "-ar", "8000", "-ac", "1"], hours: 4)
    }

    @Test func `of hours of silence in AAC is too long`() async throws {
        try await refuses("bomb.m4a", encode: ["-c:a", "aac", "-b:a", "8k", "-ac", "1", "-ar", "8000"], hours: 4)
    }

    @Test func `of hours of silence in ALAC is too long`() async throws {
        try await refuses("bomb-alac.m4a", encode: ["-c:a", "alac", "-ac", "1", "-ar", "8000"], hours: 4)
        try await refuses("bomb-alac.caf", encode: ["-c:a", "alac", "-ac", "1", "-ar", "8000"], hours: 4)
    }

    @Test func `of three hours without data in AMR is too long`() async throws {
        let frames = 3 * 3600 * 50
        for (magic, rate) in [("#!AMR\n", "narrow"), ("#!AMR-WB\n", "wide")] {
            let run = try await WorkerRun.decode(Array(magic.utf8) + [UInt8](repeating: 15 << 3 | 4, count: frames))
            #expect(run.failure == .tooLong, "\(rate)")
            #expect(run.peakKiB > 0 && run.peakKiB < Self.peakKiB)
        }
    }

    @Test func `of one sample a second in WAV is refused before it fills the memory`() async throws {
        var bytes = try await Fixtures.shared().bytes("speech.wav")
        withUnsafeBytes(of: UInt32(1).littleEndian) { bytes.replaceSubrange(24..<28, with: $0) }
        let run = try await WorkerRun.decode(bytes)
        #expect(run.failure == .unusual)
        #expect(run.peakKiB > 0 && run.peakKiB < Self.peakKiB)
    }

    private func refuses(_ name: String, encode: [String], hours: Int, as failure: WorkerFailure = .tooLong)
        async throws
    {
        let fixtures = try await Fixtures.shared()
        let minute = "minute-\(name)"
        try await Tool.run(
            "ffmpeg",
            ["-v", "error", "-f", "lavfi", "-i", "anullsrc=r=48000:cl=mono", "-t", "60"] + encode + [
                fixtures.path(minute)
            ])
        try await Tool.run(
            "ffmpeg",
            [
                "-v", "error", "-stream_loop", "\(hours * 60 - 1)", "-i", fixtures.path(minute), "-c", "copy",
                fixtures.path(name),
            ])
        let bytes = try fixtures.bytes(name)
        #expect(bytes.count < Self.limitBytes)
        let run = try await WorkerRun.decode(bytes)
        #expect(run.failure == failure, "\(bytes.count) bytes, signal \(run.signal)")
        #expect(run.peakKiB > 0 && run.peakKiB < Self.peakKiB)
        #expect(run.audio.count < 600_000)
        for work in WorkerOrder.Work.allCases where work != .transcode {
            let other = try await WorkerRun.order(WorkerOrder(work, limitMs: 120_000, maxBytes: 512 * 1024), bytes)
            #expect(other.failure == failure && other.audio.isEmpty, "\(work), signal \(other.signal)")
            #expect(other.peakKiB > 0 && other.peakKiB < Self.peakKiB)
        }
        print("bomb \(name): \(bytes.count) bytes, worker's peak \(run.peakKiB) KiB, \(run.audio.count) bytes of MP3")
    }
}
