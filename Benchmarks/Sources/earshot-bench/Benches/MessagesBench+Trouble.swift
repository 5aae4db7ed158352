import Foundation
import Glibc

extension MessagesBench {
    /// Bar 4's second half: the same load while an agent's socket watches, and reads nothing, and 10 MB of a recording
    /// are uploaded.
    static func withTrouble(
        _ figures: inout Figures, _ server: ServerProcess, _ load: MessageLoad, _ random: inout Random,
        seconds: Double = Scale.of(12, quick: 1)
    )
        throws
    {
        let staller = try Staller(server, load)
        let upload = try Upload(server)
        print(
            "messages: the same with a stalled agent watching 50 of the conversations, and a 10 MB upload; "
                + "\(Int(seconds)) s"
        )
        let first = load.count
        load.offer(perSecond: rate, seconds: seconds, random: &random)
        try load.settle()
        let took = load.latencies(from: first)
        let uploaded = try upload.finish()
        print("  send -> delivered: \(took.summary)\n  upload: \(uploaded); the stalled socket was \(staller.fate)")
        figures.set("p999_ms_in_trouble", took.percentile(0.999), "ms, p99.9 beside a full socket and an upload")
    }
}

/// An agent that follows 50 conversations and stops reading. When the server gives it up, it comes back and stalls
/// again.
private final class Staller: SocketListener {
    private let port: UInt16
    private let poller: Poller
    private let watched: [String]
    /// Made beforehand: asking for one would hold up the load.
    private var hellos: [String]
    private var client: SocketClient?
    private var closures = 0

    init(_ server: ServerProcess, _ load: MessageLoad) throws {
        port = server.port
        poller = load.poller
        watched = load.consumers.prefix(50).map(\.conversation)
        let agent = try Agent(data: server.data, port: port)
        hellos = try (0..<20).map { _ in try agent.hello() }
        connect()
        try poller.run(for: "the stalled agent") { client?.isStalled == true }
    }

    var fate: String { closures == 0 ? "kept" : "closed \(closures) times, and came back" }

    private func connect() {
        do {
            client = try SocketClient(number: 0, port: port, poller: poller, listener: self, receiveBuffer: 4096)
        } catch { print("  the stalled agent cannot come back: \(error)") }
    }

    func opened(_ client: SocketClient) { client.send(hellos.removeLast()) }

    func played(_ client: SocketClient, _ frame: UnsafeRawBufferPointer) {
        guard !client.isStalled, Scan(frame).begins(with: #"{"ready":"#) else { return }
        for conversation in watched { client.send(#"{"watch":"\#(conversation)"}"#) }
        client.stall()
    }

    func closed(_ client: SocketClient, code: Int?) {
        closures += 1
        if !hellos.isEmpty { connect() }
    }
}

/// A consumer's recording of 10 MB (WAV, 48 kHz, mono, 16 bits, 109 s of noise that swells; 10 s of it in the quick
/// form), sent by a process of its own so that the load's clock stays true.
final class Upload {
    static let word = "upload"
    private let process = Process()
    private let output = Pipe()

    init(_ server: ServerProcess) throws {
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = [Self.word, "\(server.port)"]
        process.standardOutput = output
        try process.run()
    }

    func finish() throws -> String {
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The uploader's own process: ten chunks of 1 MB, then the end.
    static func upload(port: UInt16) throws {
        let web = try WebClient(port: port, source: 251 << 16)
        let consumer = try Consumer.make(over: web)
        web.headers = [("Authorization", "Bearer \(consumer.token)")]
        let begun = try web.post(
            "/v1/uploads",
            ["conversation": consumer.conversation, "draft": "benchdraft0000000000ab", "mime": "audio/wav"])
        guard let id = try begun.object(expecting: 201)["upload"] as? String else { throw Failure("no upload") }
        let bytes = wave(seconds: Scale.of(109, quick: 10))
        let start = now()
        for offset in stride(from: 0, to: bytes.count, by: 1 << 20) {
            let chunk = Array(bytes[offset..<min(bytes.count, offset + 1 << 20)])
            _ = try web.request("PATCH", "/v1/uploads/\(id)?offset=\(offset)", chunk, type: "application/octet-stream")
                .object(expecting: 200)
            pause(milliseconds: Scale.of(800, quick: 0))
        }
        let answer = try web.post("/v1/uploads/\(id)/finish", ["bytes": bytes.count]).object(expecting: 200)
        print("\(bytes.count) bytes in \((now() - start) / 1_000_000) ms, played \(answer["ms"] ?? "?") ms")
    }

    private static func wave(seconds: Int) -> [UInt8] {
        let samples = seconds * 48_000
        func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
            withUnsafeBytes(of: number.littleEndian) { Array($0) }
        }
        var bytes =
            Array("RIFF".utf8) + little(UInt32(36 + samples * 2)) + Array("WAVEfmt ".utf8) + little(UInt32(16))
            + little(UInt16(1))
        bytes +=
            little(UInt16(1)) + little(UInt32(48_000)) + little(UInt32(96_000)) + little(UInt16(2)) + little(UInt16(16))
        bytes += Array("data".utf8) + little(UInt32(samples * 2))
        var random = Random(seed: 3)
        for index in 0..<samples {
            bytes += little(Int16.random(in: -3000...3000, using: &random) &* Int16(1 + index / 48_000 % 8))
        }
        return bytes
    }
}
