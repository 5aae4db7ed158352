import CLoad
import Foundation

/// Bars 1, 2 and 4: what a durable text costs, how many one core carries, and how long one takes.
enum MessagesBench {
    static let conversations = Scale.of(200, quick: 10)
    static let rate = Scale.of(1000.0, quick: 50)
    static let senders = Scale.of(400, quick: 10)

    static func run() throws -> Figures {
        var figures = Figures("messages")
        let only = ProcessInfo.processInfo.environment["EARSHOT_BENCH_ONLY"]
        if only != "most" { try atRate(&figures) }
        if only != "rate" { try atMost(&figures) }
        return figures
    }

    /// At 1,000 messages a second, the server on all cores.
    static func atRate(_ figures: inout Figures, seconds: Double = Scale.of(20, quick: 1)) throws {
        let server = try ServerProcess()
        try server.waitUntilReady()
        let load = try MessageLoad(conversations: conversations, port: server.port, poller: Poller())
        print(
            "messages: \(conversations) conversations, a second device each; texts of 100 characters, "
                + "\(Int(rate))/s, Poisson; \(Int(seconds)) s"
        )
        var random = Random(seed: 1)
        load.offer(perSecond: rate, seconds: Scale.of(3, quick: 0.5), random: &random)
        let probe = try FlushProbe(beside: server.data)
        let profile = try Profile(server, "rate")
        let (first, cpu, threads, written) = (load.count, server.cpu, server.cpuByThread, server.written)
        load.offer(perSecond: rate, seconds: seconds, random: &random)
        let (spent, later, writes) = (server.cpu - cpu, server.cpuByThread, server.written)
        load.poller.run(seconds: 0.2)
        profile?.finish()
        let flush = try probe.finish()
        try load.settle()
        let messages = Double(load.count - first)
        let took = load.latencies(from: first)
        print("  send -> delivered: \(took.summary)\n  disk flush:        \(flush.summary)")
        for (name, time) in later.sorted(by: { $0.value > $1.value })
        where time - threads[name, default: 0] > spent / 100 {
            print(
                "  thread \(name): \(Figures.text(Double(time - threads[name, default: 0]) / messages / 1000)) "
                    + "us/message"
            )
        }
        figures.set("cpu_us_per_message", Double(spent) / messages / 1000, "us of server CPU, all threads")
        figures.set(
            "bytes_written_per_message", (writes.bytes - written.bytes) / messages, "bytes to files and sockets")
        figures.set(
            "disk_bytes_per_message", (writes.disk - written.disk) / messages,
            "bytes of whole pages that the kernel had to write to the disk")
        figures.set("writes_per_message", (writes.calls - written.calls) / messages, "write calls, files and sockets")
        figures.set("p50_ms", took.percentile(0.5), "ms from send to delivered")
        figures.set("p99_ms", took.percentile(0.99), "ms from send to delivered")
        figures.set(
            "flush_p99_ms", flush.percentile(0.99), "ms of write + fdatasync in the same folder, the same seconds")
        figures.set(
            "p99_over_flush_ms", took.percentile(0.99) - flush.percentile(0.99),
            "ms of p99 that the disk does not explain")
        try withTrouble(&figures, server, load, &random)
    }

    /// The server on one core, the load on another.
    static func atMost(_ figures: inout Figures, seconds: Double = Scale.of(10, quick: 1)) throws {
        let server = try ServerProcess(ServerProcess.Options(core: 0))
        defer { cload_pin(-1) }
        try server.waitUntilReady()
        let load = try MessageLoad(conversations: senders, port: server.port, poller: Poller())
        print(
            "messages: server pinned to core 0, load on core 1; \(senders) senders, one message in flight each; "
                + "\(Int(seconds)) s"
        )
        let profile = try Profile(server, "most")
        let (first, cpu, own) = (load.count, server.cpu, cload_cpu(0))
        let most = try load.saturate(warmUp: Scale.of(2, quick: 0.5), seconds: seconds, inFlightEach: 1)
        profile?.finish()
        print("  send -> delivered: \(load.latencies(from: first).summary)")
        let each = Double(server.cpu - cpu) / Double(load.count - first) / 1000
        figures.set(
            "cpu_us_per_message_at_most", each, "us of server CPU: a core of its own would carry \(Int(1e6 / each))/s")
        print(
            "  server CPU \(Figures.text(Double(server.cpu - cpu) / 1e9)) s, load CPU "
                + "\(Figures.text(Double(cload_cpu(0) - own) / 1e9)) s"
        )
        figures.set("max_per_second_one_core", most, "durable messages/s, server on one core")
        let probe = try FlushProbe(beside: server.data)
        let half = load.count
        var random = Random(seed: 2)
        load.offer(perSecond: most / 2, seconds: seconds, random: &random)
        load.poller.run(seconds: 0.2)
        let flush = try probe.finish()
        try load.settle()
        let took = load.latencies(from: half)
        print("  at half of it: \(took.summary)\n  disk flush:    \(flush.summary)")
        figures.set("p99_ms_at_half_max", took.percentile(0.99), "ms from send to delivered at half of that rate")
    }
}
