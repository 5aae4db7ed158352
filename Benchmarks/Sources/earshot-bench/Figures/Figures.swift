import Foundation

/// The figures of one run: readable lines first, one JSON line at the end.
struct Figures {
    let bench: String
    private(set) var values: [(key: String, value: Double)] = []

    init(_ bench: String) { self.bench = bench }

    /// Records one figure and prints it with its target, if there is one.
    mutating func set(_ key: String, _ value: Double, _ what: String) {
        values.append((key, value))
        let line =
            "  \(key.padding(toLength: max(30, key.count), withPad: " ", startingAt: 0)) "
            + "\(Self.text(value).leftPadded(to: 10))   \(what)"
        print(line + (Thresholds.of(bench)[key].map { $0.verdict(value) } ?? ""))
    }

    /// The JSON line that tools compare.
    func printJSON() {
        let pairs = values.map { #""\#($0.key)": \#($0.value.isFinite ? Self.text($0.value) : "null")"# }
        print(#"{"bench": "\#(bench)", "figures": {\#(pairs.joined(separator: ", "))}}"#)
    }

    /// The keys of the figures that are no numbers.
    var missing: [String] { values.filter { !$0.value.isFinite }.map(\.key) }

    /// The figures that are missing or beyond their gate.
    var brokenGates: [String] {
        Thresholds.of(bench).compactMap { key, threshold in
            guard let gate = threshold.gate, let value = values.first(where: { $0.key == key })?.value else {
                return nil
            }
            return threshold.holds(value, gate)
                ? nil : "\(bench): \(key) is \(Self.text(value)), its gate \(Self.text(gate))"
        }.sorted()
    }

    static func text(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15
            ? "\(Int(value))" : String(format: abs(value) < 10 ? "%.3f" : "%.1f", value)
    }
}

/// What a figure must reach. `bar`: what we want. `gate`: what must hold in every test run, wide enough for noise; only
/// for sizes and counts.
struct Threshold: Decodable {
    let bar: Double?
    let gate: Double?
    /// `true` if more is better.
    let atLeast: Bool?

    func holds(_ value: Double, _ limit: Double) -> Bool { atLeast == true ? value >= limit : value <= limit }

    func verdict(_ value: Double) -> String {
        guard let bar else { return "" }
        return
            "  [bar \(atLeast == true ? ">=" : "<=") \(Figures.text(bar)): \(holds(value, bar) ? "holds" : "MISSED")]"
    }
}

enum Thresholds {
    /// A quick form has none.
    static func of(_ bench: String) -> [String: Threshold] {
        guard !Scale.isQuick else { return [:] }
        let path = Program.root + "/Benchmarks/thresholds/\(bench).json"
        guard let data = FileManager.default.contents(atPath: path) else { return [:] }
        do { return try JSONDecoder().decode([String: Threshold].self, from: data) } catch {
            fatalError("\(path): \(error)")
        }
    }
}

extension String {
    func leftPadded(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}
