import Foundation

/// Bar 8 and SD-08: the bytes of a conversation on the consumer's connection, as the kernel counts TCP payload:
/// everything from the first byte of the TLS handshake to the close frame, with the WebSocket upgrade, login, receipts,
/// typing, the agent's name and heartbeat-free small talk.
enum WireBench {
    static func run() throws -> Figures {
        var figures = Figures("wire")
        print(
            "wire: consumer and agent in turn, texts of about 40 characters; both type before each text, both read "
                + "each text; the agent takes the conversation"
        )
        let plain = try talk(exchanges: 6, tls: false)
        figures.set("up_bytes", Double(plain.up), "12 messages, plain")
        figures.set("down_bytes", Double(plain.down), "12 messages, plain")
        let secured = try talk(exchanges: 6, tls: true)
        figures.set(
            "tls_up_bytes", Double(secured.up),
            "12 messages, full TLS 1.3 handshake (X25519, ECDSA P-256, chain of one)")
        figures.set("tls_down_bytes", Double(secured.down), "12 messages, TLS")
        figures.set(
            "identity_up_bytes", Double(secured.identity.up),
            "apart: POST /v1/consumers, with a TLS handshake of its own")
        figures.set("identity_down_bytes", Double(secured.identity.down), "apart: its answer")
        let long = try talk(exchanges: 12, tls: true)
        figures.set(
            "tls_up_bytes_24", Double(long.up + long.identity.up), "24 messages with TLS and the identity (SD-08)")
        figures.set(
            "tls_down_bytes_24", Double(long.down + long.identity.down), "24 messages with TLS and the identity (SD-08)"
        )
        return figures
    }

    private static func talk(exchanges: Int, tls isTLS: Bool) throws -> Talk.Bytes {
        let tls = isTLS ? try TLS() : nil
        let server = try ServerProcess(ServerProcess.Options(tls: isTLS ? Certificate() : nil))
        try server.waitUntilReady(tls: tls)
        let talk = try Talk(server, tls: tls)
        return try talk.run(exchanges: exchanges)
    }
}

/// One consumer and one agent who chat as the widget and the workspace do: type, send, read.
private final class Talk: SocketListener {
    struct Bytes {
        let up: Int
        let down: Int
        let identity: (up: Int, down: Int)
    }

    private let poller = Poller()
    private let consumer: Consumer
    private let identity: (up: Int, down: Int)
    private let hellos: [String]
    private var clients: [SocketClient] = []
    /// What each side has received so far: frames by their kind, and the last event's number.
    private var frames: [[String: Int]] = [[:], [:]]
    private var through = [0, 0]
    private var keys = 0

    init(_ server: ServerProcess, tls: TLS?) throws {
        let web = try WebClient(port: server.port, tls: tls)
        consumer = try Consumer.make(over: web)
        identity = web.countedBytes
        hellos = [consumer.hello(), try Agent(data: server.data, port: server.port, tls: tls).hello()]
        for side in 0...1 {
            try clients.append(SocketClient(number: side, port: server.port, poller: poller, listener: self, tls: tls))
        }
    }

    func run(exchanges: Int) throws -> Bytes {
        try played("ready", 0)
        try played("ready", 1)
        for exchange in 0..<exchanges {
            try say(0, Self.questions[exchange % 6])
            if exchange == 0 { try take() }
            try read(1)
            try say(1, Self.answers[exchange % 6])
            try read(0)
        }
        let bytes = clients[0].countedBytes
        clients[0].close(politely: true)
        return Bytes(up: bytes.up, down: bytes.down, identity: identity)
    }

    private func say(_ side: Int, _ text: String) throws {
        let c = address(side)
        let seen = count("typing", 1 - side)
        clients[side].send(#"{"typing":true\#(c)}"#)
        if through[1 - side] > 0 { try poller.run(for: "typing") { count("typing", 1 - side) > seen } }
        let (before, acks) = (through[1 - side], count("ok", side))
        clients[side].send(#"{"send":"\#(key())"\#(c),"text":"\#(text)"}"#)
        try poller.run(for: "an acknowledgement") { count("ok", side) > acks }
        // Before the agent watches, it learns of the first text from its inbox.
        if side == 1 || before > 0 { try poller.run(for: "a text") { through[1 - side] > before } }
    }

    private func take() throws {
        clients[1].send(#"{"watch":"\#(consumer.conversation)"}"#)
        try played("watching", 1)
        clients[1].send(#"{"take":"\#(key())"\#(address(1))}"#)
        let before = through[0]
        try poller.run(for: "the agent's name") { through[0] > before }
    }

    private func read(_ side: Int) throws {
        let marks = count("marks", 1 - side)
        clients[side].send(#"{"read":\#(through[side])\#(address(side))}"#)
        try poller.run(for: "a receipt") { count("marks", 1 - side) > marks }
    }

    private func played(_ kind: String, _ side: Int) throws {
        try poller.run(for: kind) { count(kind, side) > 0 }
    }

    private func count(_ kind: String, _ side: Int) -> Int { frames[side][kind, default: 0] }

    /// A consumer has one conversation and does not name it.
    private func address(_ side: Int) -> String { side == 0 ? "" : #","c":"\#(consumer.conversation)""# }

    /// An idempotency key as the web client makes it: six characters for the page, then a counter.
    private func key() -> String {
        keys += 1
        return "q8TzWb\(String(keys, radix: 36))"
    }

    func opened(_ client: SocketClient) { client.send(hellos[client.number]) }

    func played(_ client: SocketClient, _ frame: UnsafeRawBufferPointer) {
        let scan = Scan(frame)
        if ProcessInfo.processInfo.environment["EARSHOT_BENCH_SHOW"] != nil {
            print("  \(client.number == 0 ? "consumer" : "agent") <- \(scan.text)")
        }
        let kind = String(scan.text.dropFirst(2).prefix { $0 != "\"" })
        frames[client.number][kind, default: 0] += 1
        // The consumer's own text is not repeated to it: its number comes with the acknowledgement.
        var (events, ok) = (scan, scan)
        while let n = events.number(after: #"{"n":"#) { through[client.number] = max(n, through[client.number]) }
        if kind == "ok", let n = ok.number(after: #""n":"#) { through[client.number] = max(n, through[client.number]) }
    }

    func closed(_ client: SocketClient, code: Int?) {
        print("  \(client.number == 0 ? "consumer" : "agent") closed: \(code ?? 0)")
    }

    private static let questions = [
        "Hello, where is my order number 40318?", "It should have come on Tuesday, I think.",
        "Yes, that is the right address. Thank you",
        "Could it be left with the neighbour then?", "Great. And can I still change the colour?",
        "Perfect, thank you so much for the help!",
    ]
    private static let answers = [
        "Hi! Let me have a look for you, one moment", "It is with the carrier since this morning",
        "They will be at your door by six o'clock",
        "Of course, I have just told the driver so", "For this one no, but returns are free :-)",
        "You are welcome. Have a lovely evening!!",
    ]
}
