import Glibc

/// Many mostly idle consumers with a socket each, and what each of them has received.
final class Crowd: SocketListener {
    struct Member {
        let consumer: Consumer
        var client: SocketClient?
        var isReady = false
        /// Its cursor: everything through here, of this epoch.
        var through = 0
        var epoch: String?
        /// The numbers of the events since the last `ready`.
        var brought: [Int] = []
        var wasFresh = false
        var acks = 0
    }

    /// How many handshakes run at a time: more would only wait in the server's backlog.
    private static let connecting = 200
    let poller: Poller
    let port: UInt16
    private let tls: TLS?
    private(set) var members: [Member] = []
    private(set) var ready = 0
    private(set) var acks = 0
    private(set) var faults: [String] = []

    init(port: UInt16, poller: Poller, tls: TLS? = nil) {
        self.port = port
        self.poller = poller
        self.tls = tls
    }

    /// Connects consumers until there are `count`.
    func grow(to count: Int) throws {
        let consumers = try Consumer.make(count - members.count, port: port, tls: tls)
        for consumer in consumers {
            members.append(Member(consumer: consumer))
            try connect(members.count - 1)
            try poller.run(for: "logging in") { members.count - ready < Self.connecting }
        }
        try poller.run(for: "logging in") { ready == members.count }
    }

    /// Each consumer sends one text, a few hundred at a time.
    func sayOnce() throws {
        for index in members.indices {
            members[index].client?.send(#"{"send":"first","text":"Hello, where is my order?"}"#)
            try poller.run(for: "a first text") { index - acks < 400 }
        }
        try poller.run(for: "the first texts") { acks == members.count }
    }

    /// Drops all connections at once.
    func drop() {
        for index in members.indices {
            members[index].client?.close()
            members[index].client = nil
            members[index].isReady = false
        }
        ready = 0
    }

    /// Reconnects all consumers at once, from their cursors.
    func comeBack() throws {
        for index in members.indices { try connect(index) }
        try poller.run(for: "the reconnect storm") { ready == members.count || !faults.isEmpty }
    }

    private func connect(_ index: Int) throws {
        members[index].client = try SocketClient(
            number: index, port: port, poller: poller, listener: self, source: UInt32(1 + index % 200), tls: tls)
    }

    func opened(_ client: SocketClient) {
        let member = members[client.number]
        client.send(member.consumer.hello(after: member.epoch == nil ? nil : member.through, epoch: member.epoch))
    }

    func played(_ client: SocketClient, _ frame: UnsafeRawBufferPointer) {
        var scan = Scan(frame)
        if scan.begins(with: #"{"ready":"#) {
            enter(client.number, scan)
        } else if scan.begins(with: #"{"ok":"#), let n = scan.number(after: #""n":"#) {
            members[client.number].through = n
            acks += 1
        } else if scan.begins(with: #"{"events":"#) {
            while let n = scan.number(after: #"{"n":"#) {
                members[client.number].through = max(n, members[client.number].through)
            }
        } else if !scan.begins(with: #"{"expect":"#), faults.count < 10 {
            faults.append(scan.text)
        }
    }

    func closed(_ client: SocketClient, code: Int?) {
        if faults.count < 10 { faults.append("member \(client.number): \(client.lastWords)") }
    }

    private func enter(_ index: Int, _ frame: Scan) {
        var (events, epoch, through, fresh) = (frame, frame, frame, frame)
        members[index].brought = []
        while let n = events.number(after: #"{"n":"#) { members[index].brought.append(n) }
        members[index].epoch = epoch.string(after: #""epoch":""#)
        members[index].through = through.number(after: #""through":"#) ?? 0
        members[index].wasFresh = fresh.skip(to: #""fresh":true"#)
        members[index].isReady = true
        ready += 1
    }
}
