import Foundation
import Glibc

/// Bar 10: from Send to the moment when an agent holds the whole MP3, scanned, with its waveform and exact length; for
/// a short recording and a long one, beside storing the same file first and processing it then.
enum SendToPlayableBench {
    private static let rounds = Scale.of(9, quick: 1)
    private static let lengths = [Scale.of(10, quick: 2), Note.longest]
    /// How many times faster than real time the recordings are uploaded.
    private static let haste: Int64 = Scale.of(16, quick: 64)

    static func run() throws -> Figures {
        var figures = Figures("send-to-playable")
        let notes = try lengths.map { try Note(seconds: $0) }
        print(
            "send-to-playable: \(lengths) s of speech, WebM/Opus, a piece a second at \(haste)x real time; clamd; "
                + "medians of \(rounds), in turn"
        )
        let clamd = try Clamd()
        let server = try ServerProcess(ServerProcess.Options(environment: clamd.environment))
        try server.waitUntilReady()
        try server.waitUntilScanning()
        let scene = try VoiceScene(server)
        var (took, naive): ([[VoiceScene.Course]], [[Double]]) = (lengths.map { _ in [] }, lengths.map { _ in [] })
        // The first round warms up and is not counted.
        for round in 0...rounds {
            let consumer = try scene.meet(UInt32(202 << 16 + round))
            for (index, note) in notes.enumerated() {
                let course = try scene.say(note, as: consumer, draft: round * notes.count + index, haste: haste)
                let stored = try storeThenProcess(note)
                guard round > 0 else { continue }
                took[index].append(course)
                naive[index].append(stored)
            }
        }
        for (index, length) in lengths.enumerated() { tell(length, took[index], naive[index], &figures) }
        let medians = took.map { StartBench.median($0.map(\.playable)) }
        figures.set("ratio_120s_to_10s", medians[1] / medians[0], "times as long for twelve times the sound")
        return figures
    }

    private static func tell(_ length: Int, _ took: [VoiceScene.Course], _ naive: [Double], _ figures: inout Figures) {
        func median(_ part: (VoiceScene.Course) -> Double) -> Double { StartBench.median(took.map(part)) }
        let worst = took.map(\.playable).max() ?? .nan
        print(
            "  \(length) s: finished after \(Figures.text(median(\.finished))), shown to the agent after "
                + "\(Figures.text(median(\.shown))), at worst \(Figures.text(worst)) ms"
        )
        figures.set(
            "ms_\(length)s", median(\.playable), "ms from the last piece and Send until an agent has the whole MP3")
        figures.set(
            "naive_ms_\(length)s", StartBench.median(naive),
            "ms to store the same file, then let a spawned ffmpeg make the MP3; no network, no scanner")
    }

    private static func storeThenProcess(_ note: Note) throws -> Double {
        let start = now()
        let stored = note.path + ".stored"
        let file = open(stored, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        defer { close(file) }
        guard write(file, note.bytes, note.bytes.count) == note.bytes.count, fdatasync(file) == 0 else {
            throw Failure("cannot store \(stored)")
        }
        let arguments = [
            "-v", "error", "-y", "-i", stored, "-ac", "1", "-ar", "24000", "-c:a", "libmp3lame", "-b:a", "32k",
            stored + ".mp3",
        ]
        try Program.wait(for: Program.start(["/usr/bin/ffmpeg"] + arguments, output: stored + ".log"), "ffmpeg")
        guard try Data(contentsOf: URL(fileURLWithPath: stored + ".mp3")).count > note.seconds * 3000 else {
            throw Failure("ffmpeg made no MP3")
        }
        return Double(now() - start) / 1e6
    }
}

/// An agent who watches the conversations of consumers, one of whom sends voice messages.
private final class VoiceScene: SocketListener {
    /// When a sent message reached each stage, in milliseconds.
    struct Course {
        var finished = 0.0
        var shown = 0.0
        var playable = 0.0
    }

    /// A consumer whose conversation the agent watches.
    struct Person {
        let consumer: Consumer
        let web: WebClient
        let socket: SocketClient
    }

    private static let agentNumber = 0
    private let poller = Poller()
    private let port: UInt16
    private let agent: Agent
    private let agentHello: String
    private var agentSocket: SocketClient?
    private var consumers: [Consumer] = []
    private var frames: [String: Int] = [:]
    private var shown: Set<String> = []

    init(_ server: ServerProcess) throws {
        port = server.port
        agent = try Agent(data: server.data, port: port)
        agentHello = try agent.hello()
        agentSocket = try SocketClient(number: Self.agentNumber, port: port, poller: poller, listener: self)
        try poller.run(for: "the agent") { frames["ready"] == 1 }
    }

    /// A new consumer who sends a text first: before that no agent sees the conversation.
    func meet(_ source: UInt32) throws -> Person {
        let web = try WebClient(port: port, source: source)
        let consumer = try Consumer.make(over: web)
        consumers.append(consumer)
        let socket = try SocketClient(number: consumers.count, port: port, poller: poller, listener: self)
        try poller.run(for: "a consumer") { frames["ready"] == consumers.count + 1 }
        let said = frames["ok", default: 0]
        socket.send(#"{"send":"hello","text":"Hello"}"#)
        try poller.run(for: "a text") { frames["ok", default: 0] > said }
        agentSocket?.send(#"{"watch":"\#(consumer.conversation)"}"#)
        try poller.run(for: "the agent's look") { frames["watching"] == consumers.count }
        return Person(consumer: consumer, web: web, socket: socket)
    }

    func say(_ note: Note, as person: Person, draft: Int, haste: Int64) throws -> Course {
        let upload = try NoteUpload(over: person.web, to: person.consumer, draft: draft)
        let pieces = note.pieces
        let begun = now()
        for (index, piece) in pieces.dropLast().enumerated() {
            try upload.send(piece, of: note.bytes)
            let due = begun + Int64(index + 1) * nanosecondsPerSecond / haste
            poller.run(seconds: max(0, Double(due - now()) / 1e9))
        }
        let sent = now()
        func since() -> Double { Double(now() - sent) / 1e6 }
        var course = Course()
        if let last = pieces.last { try upload.send(last, of: note.bytes) }
        let media = try upload.finish(note)
        course.finished = since()
        person.socket.send(#"{"send":"v\#(draft)","audio":"\#(media)"}"#)
        try poller.run(for: "the message at the agent's") { shown.contains(media) }
        course.shown = since()
        let answer = try agent.web.request("GET", "/v1/media/\(person.consumer.conversation)/\(media).mp3")
        course.playable = since()
        guard answer.status == 200, answer.body.count > note.seconds * 3000 else {
            throw Failure("no MP3: \(answer.status), \(answer.body.count) bytes")
        }
        return course
    }

    func opened(_ client: SocketClient) {
        client.send(client.number == Self.agentNumber ? agentHello : consumers[client.number - 1].hello())
    }

    func played(_ client: SocketClient, _ frame: UnsafeRawBufferPointer) {
        var scan = Scan(frame)
        frames[String(scan.text.dropFirst(2).prefix { $0 != "\"" }), default: 0] += 1
        guard client.number == Self.agentNumber else { return }
        while let media = scan.string(after: #""media":""#) { shown.insert(media) }
    }

    func closed(_ client: SocketClient, code: Int?) { print("  client \(client.number) closed: \(client.lastWords)") }
}
