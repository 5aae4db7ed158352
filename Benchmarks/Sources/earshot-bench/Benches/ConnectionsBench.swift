import CLoad
import Foundation

/// Bars 5 and 6: what an idle connection keeps, and what it takes when all of them come back at once.
enum ConnectionsBench {
    static let few = Scale.of(1000, quick: 20)
    static let many = Scale.of(9000, quick: 60)
    static let tlsFew = Scale.of(500, quick: 10)
    static let tlsMany = Scale.of(3000, quick: 30)

    static func run() throws -> Figures {
        var figures = Figures("connections")
        let server = try ServerProcess()
        try server.waitUntilReady()
        let crowd = Crowd(port: server.port, poller: Poller())
        try figures.set(
            "kib_per_connection", slope(server, crowd, few, many),
            "KiB of PSS per idle authenticated socket, plain; \(few) -> \(many)")
        try storm(&figures, server, crowd)
        server.end(SIGTERM)
        try figures.set("kib_per_connection_tls", tlsSlope(), "KiB of PSS, TLS 1.3 in process; \(tlsFew) -> \(tlsMany)")
        return figures
    }

    /// Only the sizes, for the gate.
    static func sizes(_ figures: inout Figures) throws {
        let server = try ServerProcess()
        try server.waitUntilReady()
        let crowd = Crowd(port: server.port, poller: Poller())
        try figures.set(
            "kib_per_connection", slope(server, crowd, few, many),
            "KiB of PSS per idle authenticated socket, plain; \(few) -> \(many)")
        try figures.set("kib_per_connection_tls", tlsSlope(), "KiB of PSS, TLS 1.3 in process; \(tlsFew) -> \(tlsMany)")
    }

    private static func tlsSlope() throws -> Double {
        let tls = try TLS()
        let server = try ServerProcess(ServerProcess.Options(tls: Certificate()))
        try server.waitUntilReady(tls: tls)
        return try slope(server, Crowd(port: server.port, poller: Poller(), tls: tls), tlsFew, tlsMany)
    }

    private static func slope(_ server: ServerProcess, _ crowd: Crowd, _ few: Int, _ many: Int) throws -> Double {
        try crowd.grow(to: few)
        let lower = settledPss(server, crowd)
        try crowd.grow(to: many)
        let upper = settledPss(server, crowd)
        guard crowd.faults.isEmpty else { throw Failure(crowd.faults.joined(separator: "\n")) }
        print(
            "connections: PSS \(Figures.text(lower / 1024)) MiB with \(few), \(Figures.text(upper / 1024)) MiB with "
                + "\(many)"
        )
        return (upper - lower) / Double(many - few)
    }

    /// PSS once it stopped moving (5 s at most): whatever the logins left behind is given back by then, or is part of
    /// the cost.
    private static func settledPss(_ server: ServerProcess, _ crowd: Crowd) -> Double {
        var last = server.pss
        for _ in 0..<10 {
            crowd.poller.run(seconds: Scale.of(0.5, quick: 0.1))
            let next = server.pss
            if abs(next - last) < 16 { return next }
            last = next
        }
        return last
    }

    /// Everybody has said one text; all sockets drop; a tenth is written to while away; all come back at once with
    /// their cursors.
    private static func storm(_ figures: inout Figures, _ server: ServerProcess, _ crowd: Crowd) throws {
        try crowd.sayOnce()
        crowd.poller.run(seconds: 1)
        crowd.drop()
        crowd.poller.run(seconds: 1)
        let away = try Away(crowd)
        let before = server.cpu
        let start = now()
        try crowd.comeBack()
        let (took, spent) = (now() - start, server.cpu - before)
        try away.check()
        print("connections: \(many) came back at once; a tenth had missed a text, and got it once")
        figures.set(
            "login_cpu_us", Double(spent) / Double(many) / 1000,
            "us of server CPU to accept, upgrade, log in and resume one")
        figures.set("storm_seconds", Double(took) / 1e9, "s until all \(many) are live")
    }
}

/// Writes to a tenth of the conversations from their consumers' second device while the first is away.
private final class Away: SocketListener {
    private let crowd: Crowd
    private let cursors: [Int]
    private let chosen: [Int]
    private var clients: [SocketClient] = []
    private var acked = 0

    init(_ crowd: Crowd) throws {
        self.crowd = crowd
        cursors = crowd.members.map(\.through)
        chosen = Array(stride(from: 0, to: crowd.members.count, by: 10))
        for index in chosen {
            try clients.append(SocketClient(number: index, port: crowd.port, poller: crowd.poller, listener: self))
        }
        try crowd.poller.run(for: "texts to those who are away") { acked == chosen.count }
        for client in clients { client.close() }
        crowd.poller.run(seconds: 0.5)
    }

    func opened(_ client: SocketClient) { client.send(crowd.members[client.number].consumer.hello()) }

    func played(_ client: SocketClient, _ frame: UnsafeRawBufferPointer) {
        let scan = Scan(frame)
        if scan.begins(with: #"{"ready":"#) { client.send(#"{"send":"away","text":"Are you still there?"}"#) }
        if scan.begins(with: #"{"ok":"#) { acked += 1 }
    }

    func closed(_ client: SocketClient, code: Int?) {}

    /// Nothing lost, nothing doubled: each got exactly what came behind its cursor.
    func check() throws {
        guard crowd.faults.isEmpty else { throw Failure(crowd.faults.joined(separator: "\n")) }
        let missed = Set(chosen)
        for (index, member) in crowd.members.enumerated() {
            let expected = missed.contains(index) ? [cursors[index] + 1] : []
            guard member.brought == expected, !member.wasFresh, member.through == cursors[index] + expected.count else {
                throw Failure(
                    "member \(index) had \(cursors[index]), expected \(expected), got \(member.brought), through "
                        + "\(member.through)"
                )
            }
        }
    }
}
