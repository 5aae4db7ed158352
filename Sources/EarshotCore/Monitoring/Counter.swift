import Synchronization

/// Counts occurrences. Counting is one atomic addition, without a lock and without an allocation.
public final class Counter: Metric {
    private let name: String
    private let help: String
    private let count = Atomic(0)

    /// Creates a counter.
    /// - Parameter name: ends in `_total`.
    public init(_ name: String, _ help: String) {
        self.name = name
        self.help = help
    }

    /// Counts one or more occurrences.
    public func increment(by amount: Int = 1) {
        count.wrappingAdd(amount, ordering: .relaxed)
    }

    /// The count so far.
    public var value: Int { count.load(ordering: .relaxed) }

    /// The counter with its value.
    public var family: MetricFamily {
        MetricFamily(name: name, help: help, kind: .counter, samples: [.init(value: Double(value))])
    }
}

/// Counts occurrences by a label. Every value of the label is reported from the start, so that the first occurrence is
/// seen as a rise.
public struct LabelledCounter<Label: MetricLabel>: Metric {
    private let name: String
    private let help: String
    private let label: String
    private let counters: [Label: Counter]

    /// Creates a counter for each value of the label.
    /// - Parameters:
    ///   - name: ends in `_total`.
    ///   - label: the name of the label.
    public init(_ name: String, _ help: String, by label: String) {
        self.name = name
        self.help = help
        self.label = label
        counters = Dictionary(uniqueKeysWithValues: Label.allCases.map { ($0, Counter(name, help)) })
    }

    /// Counts one or more occurrences.
    public func increment(_ value: Label, by amount: Int = 1) {
        counters[value]?.increment(by: amount)
    }

    /// The count of a label's value so far.
    public func value(_ label: Label) -> Int { counters[label]?.value ?? 0 }

    /// The counter with its values.
    public var family: MetricFamily {
        MetricFamily(
            name: name, help: help, kind: .counter,
            samples: Label.allCases.map { value in
                .init(labels: [.init(label, value.rawValue)], value: Double(self.value(value)))
            })
    }
}
