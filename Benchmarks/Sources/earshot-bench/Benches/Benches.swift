/// The benchmarks by their names.
enum Benches {
    /// In the order in which `quick` runs them.
    private static let all: KeyValuePairs<String, @Sendable () throws -> Figures> = [
        "messages": { try MessagesBench.run() },
        "connections": { try ConnectionsBench.run() },
        "start": { try StartBench.run() },
        "wire": { try WireBench.run() },
        "web": { try WebBench.run() },
        "send-to-playable": { try SendToPlayableBench.run() },
        "note-cost": { try NoteCostBench.run() },
        "recorders": { try RecordersBench.run() },
        "routing": { try RoutingBench.run() },
        "search": { try SearchBench.run() },
        "slow-disk": { try SlowDiskBench.run() },
        "history": { try HistoryBench.run() },
        "soak": { try SoakBench.run() },
    ]

    static var names: String { all.map(\.key).joined(separator: " ") }

    /// One measurement by its name.
    static func run(_ name: String) throws -> Figures {
        guard let bench = all.first(where: { $0.key == name }) else {
            throw Failure("no such bench: \(name). There are: \(names), and gate and quick")
        }
        return try bench.value()
    }

    /// Runs the quick forms of these benches, or of all but `wire`, which the gate runs whole, to the last one.
    /// - Returns: 0 if each of them measured everything that it measures.
    static func quick(_ chosen: [String]) throws -> Int32 {
        var broken: [String] = []
        for name in chosen.isEmpty ? all.map(\.key).filter({ $0 != "wire" }) : chosen {
            let began = now()
            do {
                let figures = try run(name)
                broken += figures.missing.map { "\(name): \($0) is no number" }
                if figures.values.isEmpty { broken.append("\(name): no figures") }
            } catch { broken.append("\(name): \(error)") }
            print("quick: \(name) took \(Figures.text(Double(now() - began) / 1e9)) s")
        }
        for line in broken { print("BROKEN: \(line)") }
        print(broken.isEmpty ? "quick: every bench works; its figures say nothing" : "quick: not every bench works")
        return broken.isEmpty ? 0 : 1
    }
}
