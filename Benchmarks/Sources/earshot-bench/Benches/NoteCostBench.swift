import CWarm
import Foundation
import Glibc

/// Bar 11: the CPU that a note of two minutes costs, from its first byte to its kept MP3, beside the same work in one warm process and beside a spawned ffmpeg, on the
/// same file in the same run.
enum NoteCostBench {
    private static let notes = 9

    static func run() throws -> Figures {
        var figures = Figures("note-cost")
        let note = try Note.make()
        print("note-cost: \(Note.seconds) s of speech, WebM/Opus, \(note.bytes.count) bytes; medians of \(notes), the three ways in turn")
        let server = try ServerProcess()
        try server.waitUntilReady()
        // The first of each warms up and is not counted.
        _ = (cwarm_note(note.path), try accept(note.bytes, server, draft: 0))
        var (accepted, warm, spawned): ([Double], [Double], [Double]) = ([], [], [])
        for number in 1...notes {
            accepted.append(try accept(note.bytes, server, draft: number))
            warm.append(Double(cwarm_note(note.path)) / 1e6)
            spawned.append(try ffmpeg(note.path))
        }
        guard warm.allSatisfy({ $0 > 0 }) else { throw Failure("libav does not decode the note in this process") }
        let (cost, least) = (StartBench.median(accepted), StartBench.median(warm))
        figures.set("cpu_ms_120s", cost, "ms of CPU: server and worker, the worker's start included")
        figures.set("inprocess_cpu_ms_120s", least, "ms for decoding, peaks, loudness and MP3 in one warm process")
        figures.set("ffmpeg_cpu_ms_120s", StartBench.median(spawned), "ms for ffmpeg to make the same MP3, spawned")
        figures.set("ratio_to_inprocess", cost / least, "times the warm process")
        return figures
    }

    /// CPU of server and workers, in milliseconds. A worker's CPU is known to the hundredth of a second when it is gone.
    private static func accept(_ bytes: [UInt8], _ server: ServerProcess, draft: Int) throws -> Double {
        let web = try WebClient(port: server.port, source: UInt32(200 << 16 + draft))
        let upload = try Note.begin(web, draft: draft)
        pause(milliseconds: 300)
        let before = server.cpu + server.childrenCPU
        let second = bytes.count / Note.seconds
        for offset in stride(from: 0, to: bytes.count, by: second) {
            let chunk = Array(bytes[offset..<min(bytes.count, offset + second)])
            _ = try web.request("PATCH", "/v1/uploads/\(upload)?offset=\(offset)", chunk, type: "application/octet-stream").object(expecting: 200)
        }
        let answer = try web.post("/v1/uploads/\(upload)/finish", ["bytes": bytes.count]).object(expecting: 200)
        guard let ms = answer["ms"] as? Int, abs(ms - Note.seconds * 1000) < 100 else { throw Failure("the note was heard as \(answer["ms"] ?? "?") ms") }
        pause(milliseconds: 300)
        return Double(server.cpu + server.childrenCPU - before) / 1e6
    }

    private static func ffmpeg(_ path: String) throws -> Double {
        func spent() -> Double {
            var usage = rusage()
            getrusage(Int32(RUSAGE_CHILDREN.rawValue), &usage)
            return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3 + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3
        }
        let before = spent()
        try Program.run("/usr/bin/ffmpeg", ["-v", "error", "-y", "-threads", "1", "-i", path, "-ac", "1", "-ar", "24000", "-c:a", "libmp3lame", "-b:a", "32k", path + ".mp3"])
        return spent() - before
    }
}
