import CLoad
import Foundation
import Glibc

/// Bar 12: how many people one core carries while they record, with live MP3 and waveform, and what texts feel of it.
/// Server, workers and clamd on core 0, all load on core 1.
enum RecordersBench {
    private static let textsPerSecond = Scale.of(200.0, quick: 20)
    private static let conversations = Scale.of(50, quick: 5)
    private static let seconds = Scale.of(20.0, quick: 1)

    static func run() throws -> Figures {
        var figures = Figures("recorders")
        let count = Int(ProcessInfo.processInfo.environment["EARSHOT_BENCH_RECORDERS"] ?? "") ?? Scale.of(150, quick: 4)
        let note = try Note()
        let clamd = try Clamd(core: 0)
        let server = try ServerProcess(ServerProcess.Options(core: 0, environment: clamd.environment))
        defer { cload_pin(-1) }
        try server.waitUntilReady()
        try server.waitUntilScanning()
        let load = try MessageLoad(conversations: conversations, port: server.port, poller: Poller())
        print(
            "recorders: \(count) people, a chunk a second each; \(Int(textsPerSecond)) texts/s; server, workers and "
                + "clamd on core 0; \(Int(seconds)) s"
        )
        var random = Random(seed: 5)
        let calm = try texts(load, &random)
        let memory = server.pss + server.childrenPss
        let recorders = try Recorders(count, server.port, note.path)
        let (chunks, start) = (recorders.sent, now())
        let cpu = server.cpu + server.childrenCPU + clamd.cpu
        let loud = try texts(load, &random)
        let spent = Double(server.cpu + server.childrenCPU + clamd.cpu - cpu)
        let spoken = Double(recorders.sent - chunks)
        let time = Double(now() - start)
        let live = server.childrenPss
        let perSecond = spoken / time * 1e9
        figures.set(
            "recorders_per_core", spoken * 1e9 / spent,
            "people by CPU: \(Figures.text(perSecond)) seconds of speech a second, with the texts, took "
                + "\(Figures.text(spent / time * 100)) % of a core"
        )
        figures.set("recorders", perSecond, "people of \(count) whose speech was taken as fast as they spoke")
        figures.set(
            "kib_per_recorder", (server.pss + live - memory) / Double(count), "KiB PSS of server and workers each")
        print("  texts alone: \(calm.summary)\n  beside them: \(loud.summary)")
        for line in try recorders.finish() { print("  recorders: \(line)") }
        figures.set(
            "text_p99_ratio", loud.percentile(0.99) / calm.percentile(0.99),
            "times the p99 of texts without anybody recording")
        return figures
    }

    private static func texts(_ load: MessageLoad, _ random: inout Random) throws -> Latencies {
        let first = load.count
        load.offer(perSecond: textsPerSecond, seconds: seconds, random: &random)
        try load.settle()
        return load.latencies(from: first)
    }
}

/// People who record, in processes of their own, so that the texts' clock stays true, and that none waits for the
/// answer to another.
final class Recorders {
    static let word = "recorders-of"
    private static let choirs = Scale.of(10, quick: 2)
    /// So long they have spoken before anything is measured: by then each has a worker.
    private static let warmUp = Scale.of(12, quick: 1)
    private let all: [(process: Process, input: Pipe, output: Pipe, count: UnsafeMutablePointer<Int64>)]

    /// Returns when each of them has spoken for a while.
    init(_ count: Int, _ port: UInt16, _ note: String) throws {
        all = try (0..<Self.choirs).map { choir in
            let (process, input, output) = (Process(), Pipe(), Pipe())
            let tally = try Tally.make(choir)
            process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            let size = count / Self.choirs + (choir < count % Self.choirs ? 1 : 0)
            process.arguments = [Self.word, "\(port)", "\(choir)", "\(size)", note, tally.path]
            (process.standardInput, process.standardOutput) = (input, output)
            try process.run()
            return (process, input, output, tally.count)
        }
        for one in all {
            guard String(decoding: one.output.fileHandleForReading.availableData, as: UTF8.self).hasPrefix("recording")
            else { throw Failure("nobody records") }
        }
    }

    /// Seconds of speech that the server took so far, of all.
    var sent: Int { all.reduce(0) { $0 + Int($1.count.pointee) } }

    /// They stop where they are. What they saw.
    func finish() throws -> [String] {
        for one in all { try one.input.fileHandleForWriting.close() }
        return try all.map { one in
            let text = String(decoding: try one.output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            one.process.waitUntilExit()
            return text.trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    /// A choir's own process: each sends the next second of the note when it was spoken, spread evenly over the second.
    static func record(_ arguments: [String]) throws {
        guard arguments.count == 6, let port = UInt16(arguments[1]), let choir = Int(arguments[2]),
            let count = Int(arguments[3])
        else { throw Failure("recorders-of PORT CHOIR COUNT NOTE TALLY") }
        let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: arguments[4])))
        let (tally, second) = (try Tally.open(arguments[5]), bytes.count / Note.longest)
        let people = try (0..<count).map { number in
            let web = try WebClient(port: port, source: UInt32(201 << 16 + choir * 256 + number))
            return try NoteUpload(over: web, to: Consumer.make(over: web), draft: choir * 256 + number)
        }
        var took: [Int64] = []
        var latest: Int64 = 0
        // Not all choirs at the same timestamps.
        let start = now() + Int64(choir) * nanosecondsPerSecond / Int64(count * choirs)
        var stop = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
        for turn in 0..<(count * Note.longest) {
            let due = start + Int64(turn) * nanosecondsPerSecond / Int64(count)
            if turn == count * warmUp {
                print("recording")
                (took, latest) = ([], 0)
            }
            let wait = Int32(max(0, due - now()) / 1_000_000)
            if poll(&stop, 1, wait) != 0 { break }
            let began = now()
            latest = max(latest, began - due)
            let offset = turn / count * second
            try people[turn % count].send(offset..<min(bytes.count, offset + second), of: bytes)
            took.append(now() - began)
            tally.pointee += 1
        }
        print(
            "\(took.count) chunks, each taken within: \(Latencies(took).summary); at most \(latest / 1_000_000) ms late"
        )
    }
}

/// A count that one process raises and another reads.
private enum Tally {
    static func make(_ choir: Int) throws -> (path: String, count: UnsafeMutablePointer<Int64>) {
        let path = try Folders.fresh("tally") + "/\(choir)"
        try Data(count: MemoryLayout<Int64>.size).write(to: URL(fileURLWithPath: path))
        return (path, try open(path))
    }

    static func open(_ path: String) throws -> UnsafeMutablePointer<Int64> {
        let file = Glibc.open(path, O_RDWR)
        defer { close(file) }
        let bytes = mmap(nil, MemoryLayout<Int64>.size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
        guard file >= 0, let bytes, bytes != MAP_FAILED else { throw Failure("no tally at \(path)") }
        return bytes.bindMemory(to: Int64.self, capacity: 1)
    }
}
