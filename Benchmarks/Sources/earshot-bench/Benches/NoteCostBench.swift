import CWarm
import Foundation
import Glibc

/// Bar 11: the CPU that a note of two minutes costs, from its first byte to its kept MP3, beside the same work in one
/// warm process and beside a spawned ffmpeg, on the same file in the same run.
enum NoteCostBench {
    private static let notes = Scale.of(9, quick: 1)

    static func run() throws -> Figures {
        var figures = Figures("note-cost")
        let note = try Note()
        print(
            "note-cost: \(note.seconds) s of speech, WebM/Opus, \(note.bytes.count) bytes; medians of \(notes), the "
                + "three ways in turn"
        )
        let clamd = try Clamd()
        let server = try ServerProcess(ServerProcess.Options(environment: clamd.environment))
        try server.waitUntilReady()
        try server.waitUntilScanning()
        // The first of each warms up and is not counted.
        _ = (cwarm_note(note.path), try accept(note, server, draft: 0))
        var (accepted, scanned, warm, spawned): ([Cost], [Double], [Double], [Double]) = ([], [], [], [])
        let profile = try Profile(server, "note")
        for number in 1...notes {
            let before = clamd.cpu
            accepted.append(try accept(note, server, draft: number))
            scanned.append(Double(clamd.cpu - before) / 1e6)
            warm.append(Double(cwarm_note(note.path)) / 1e6)
            spawned.append(try ffmpeg(note.path))
        }
        guard warm.allSatisfy({ $0 > 0 }) else { throw Failure("libav does not decode the note in this process") }
        profile?.finish()
        let (cost, least) = (StartBench.median(accepted.map(\.all)), StartBench.median(warm))
        figures.set("cpu_ms_120s", cost, "ms of CPU: server and worker, the worker's start included")
        figures.set("worker_cpu_ms_120s", StartBench.median(accepted.map(\.workers)), "ms of it in workers")
        figures.set(
            "clamd_cpu_ms_120s", StartBench.median(scanned),
            "ms of clamd's CPU, apart: in windows while it arrives, then whole, each as it is and behind a byte")
        figures.set("inprocess_cpu_ms_120s", least, "ms for decoding, peaks, loudness and MP3 in one warm process")
        figures.set("ffmpeg_cpu_ms_120s", StartBench.median(spawned), "ms for ffmpeg to make the same MP3, spawned")
        figures.set("ratio_to_inprocess", cost / least, "times the warm process")
        return figures
    }

    /// CPU of server and workers, in milliseconds. A worker's CPU is known to the hundredth of a second when it is
    /// gone.
    private struct Cost {
        let server: Double
        let workers: Double
        var all: Double { server + workers }
    }

    private static func accept(_ note: Note, _ server: ServerProcess, draft: Int) throws -> Cost {
        let web = try WebClient(port: server.port, source: UInt32(200 << 16 + draft))
        let upload = try NoteUpload(over: web, to: Consumer.make(over: web), draft: draft)
        pause(milliseconds: 300)
        let (before, workers) = (server.cpu, server.childrenCPU)
        for piece in note.pieces { try upload.send(piece, of: note.bytes) }
        _ = try upload.finish(note)
        pause(milliseconds: 300)
        return Cost(server: Double(server.cpu - before) / 1e6, workers: Double(server.childrenCPU - workers) / 1e6)
    }

    private static func ffmpeg(_ path: String) throws -> Double {
        func spent() -> Double {
            var usage = rusage()
            getrusage(Int32(RUSAGE_CHILDREN.rawValue), &usage)
            return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3 + Double(
                usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3
        }
        let before = spent()
        try Program.run(
            "/usr/bin/ffmpeg",
            [
                "-v", "error", "-y", "-threads", "1", "-i", path, "-ac", "1", "-ar", "24000", "-c:a", "libmp3lame",
                "-b:a", "32k", path + ".mp3",
            ])
        return spent() - before
    }
}
