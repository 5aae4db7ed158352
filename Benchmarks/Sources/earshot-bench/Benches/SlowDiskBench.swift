import CLoad
import Foundation

/// Bar 3: how many durable texts a server stores when every flush of the disk takes 5 ms longer, and how many flushes
/// each of them costs.
enum SlowDiskBench {
    private static let conversations = Scale.of(400, quick: 10)
    private static let offered = Scale.of(5_000.0, quick: 50)
    private static let delayUs = 5_000
    private static let seconds = Scale.of(10.0, quick: 1)

    static func run() throws -> Figures {
        var figures = Figures("slow-disk")
        let flushes = try FlushCounter()
        let server = try ServerProcess(ServerProcess.Options(environment: flushes.environment(delayUs: delayUs)))
        try server.waitUntilReady()
        let load = try MessageLoad(conversations: conversations, port: server.port, poller: Poller())
        print(
            "slow-disk: every flush \(delayUs / 1000) ms slower; \(conversations) senders, at most two texts in flight "
                + "each; then \(Int(offered))/s for \(Int(seconds)) s; load average \(loadAverage())"
        )
        let (first, before) = (load.count, flushes.count)
        let most = try load.saturate(warmUp: Scale.of(2, quick: 0.5), seconds: seconds, inFlightEach: 2)
        let flushed = Double(flushes.count - before) / Double(load.count - first)
        print("  send -> delivered: \(load.latencies(from: first).summary); \(Figures.text(flushed)) flushes a message")
        figures.set("max_per_second", most, "durable messages/s")
        try atRate(min(offered, most * 0.9), load, flushes, &figures)
        return figures
    }

    private static func atRate(_ rate: Double, _ load: MessageLoad, _ flushes: FlushCounter, _ figures: inout Figures)
        throws
    {
        var random = Random(seed: 5)
        let (first, before) = (load.count, flushes.count)
        load.offer(perSecond: rate, seconds: seconds, random: &random)
        let flushed = flushes.count - before
        try load.settle()
        let took = load.latencies(from: first)
        print("  at \(Int(rate))/s: \(took.summary)")
        figures.set("p99_ms", took.percentile(0.99), "ms from send to delivered at \(Int(rate))/s")
        figures.set("fsyncs_per_message", Double(flushed) / Double(load.count - first), "flushes of any file")
        figures.set("offered_per_second", rate, "messages/s, an open loop: 5,000 or nine tenths of the most")
    }
}

/// Makes the flushes of a server slower and counts them, by a library that is loaded into it.
struct FlushCounter {
    private let path: String

    init() throws {
        path = try Folders.fresh("flushes") + "/count"
        try Data(count: 8).write(to: URL(fileURLWithPath: path))
    }

    /// The environment of a server whose flushes take so much longer.
    func environment(delayUs: Int) -> [String: String] {
        let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path
        return [
            "LD_PRELOAD": folder + "/libSlowFlush.so", "SLOW_FLUSH_US": "\(delayUs)", "SLOW_FLUSH_COUNT": path,
        ]
    }

    var count: Int {
        guard let bytes = FileManager.default.contents(atPath: path), bytes.count == 8 else { return 0 }
        return Int(bytes.withUnsafeBytes { $0.loadUnaligned(as: Int64.self) })
    }
}

/// The machine's load average of the last minute, as a figure's reader has to know it.
func loadAverage() -> String {
    var average = 0.0
    return getloadavg(&average, 1) == 1 ? Figures.text(average) : "unknown"
}
