import CLoad
import Foundation
import Glibc

/// Bar 12: how many people one core carries while they record, with live MP3 and waveform, and what texts feel of it. Server and workers on core 0, all load on core 1.
enum RecordersBench {
    private static let textsPerSecond = 200.0
    private static let conversations = 50
    private static let seconds = 20.0

    static func run() throws -> Figures {
        var figures = Figures("recorders")
        let count = Int(ProcessInfo.processInfo.environment["EARSHOT_BENCH_RECORDERS"] ?? "") ?? 150
        let note = try Note.make()
        let server = try ServerProcess(ServerProcess.Options(core: 0))
        defer { cload_pin(-1) }
        try server.waitUntilReady()
        let load = try MessageLoad(conversations: conversations, port: server.port, poller: Poller())
        print("recorders: \(count) people, a chunk a second each; \(Int(textsPerSecond)) texts/s; server and workers on core 0; \(Int(seconds)) s")
        var random = Random(seed: 5)
        let calm = try texts(load, &random)
        let memory = server.pss + server.childrenPss
        let recorders = try Recorders(count, server.port, note.path)
        let cpu = server.cpu + server.childrenCPU
        let start = now()
        let loud = try texts(load, &random)
        let spent = Double(server.cpu + server.childrenCPU - cpu)
        let time = Double(now() - start)
        let live = server.childrenPss
        figures.set("recorders_per_core", Double(count) * time / spent, "people by CPU: \(count) of them, with the texts, took \(Figures.text(spent / time * 100)) % of a core")
        figures.set("recorders", Double(count), "people who recorded at the same time")
        figures.set("kib_per_recorder", (server.pss + live - memory) / Double(count), "KiB PSS of server and workers each")
        print("  texts alone: \(calm.summary)\n  beside them: \(loud.summary)\n  recorders: \(try recorders.finish())")
        figures.set("text_p99_ratio", loud.percentile(0.99) / calm.percentile(0.99), "times the p99 of texts without anybody recording")
        return figures
    }

    private static func texts(_ load: MessageLoad, _ random: inout Random) throws -> Latencies {
        let first = load.count
        load.offer(perSecond: textsPerSecond, seconds: seconds, random: &random)
        try load.settle()
        return load.latencies(from: first)
    }
}

/// People who record, in a process of their own, so that the texts' clock stays true.
final class Recorders {
    static let word = "recorders-of"
    private let process = Process()
    private let output = Pipe()
    private let input = Pipe()

    /// Returns when each of them has sent a first second.
    init(_ count: Int, _ port: UInt16, _ note: String) throws {
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = [Self.word, "\(port)", "\(count)", note]
        process.standardOutput = output
        process.standardInput = input
        try process.run()
        guard String(decoding: output.fileHandleForReading.availableData, as: UTF8.self).hasPrefix("recording") else { throw Failure("nobody records") }
    }

    /// They stop where they are. What they saw.
    func finish() throws -> String {
        try input.fileHandleForWriting.close()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Their own process: each sends the next second of the note when it was spoken, spread evenly over the second.
    static func record(_ arguments: [String]) throws {
        guard arguments.count == 4, let port = UInt16(arguments[1]), let count = Int(arguments[2]) else { throw Failure("recorders-of PORT COUNT NOTE") }
        let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: arguments[3])))
        let second = bytes.count / Note.seconds
        let people = try (0..<count).map { number in
            let web = try WebClient(port: port, source: UInt32(201 << 16 + number))
            return (web: web, upload: try Note.begin(web, draft: number))
        }
        var took: [Int64] = []
        var (start, latest) = (now(), Int64(0))
        var stop = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
        for turn in 0..<(count * Note.seconds) {
            let due = start + Int64(turn) * nanosecondsPerSecond / Int64(count)
            if turn == count { print("recording") }
            let wait = Int32(max(0, due - now()) / 1_000_000)
            if poll(&stop, 1, wait) != 0 { break }
            let (person, offset) = (people[turn % count], turn / count * second)
            let began = now()
            latest = max(latest, began - due)
            let chunk = Array(bytes[offset..<min(bytes.count, offset + second)])
            let path = "/v1/uploads/\(person.upload)?offset=\(offset)"
            _ = try person.web.request("PATCH", path, chunk, type: "application/octet-stream").object(expecting: 200)
            took.append(now() - began)
            if turn == 0 { start = now() }
        }
        print("\(took.count) chunks, each taken within: \(Latencies(took).summary); at most \(latest / 1_000_000) ms late")
    }
}
