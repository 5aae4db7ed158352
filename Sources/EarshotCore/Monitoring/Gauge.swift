import Synchronization

/// A figure that rises and falls, kept up to date by what it describes.
public final class Gauge: Metric {
    private let name: String
    private let help: String
    private let current: Atomic<Int>

    /// Creates a gauge.
    public init(_ name: String, _ help: String, value: Int = 0) {
        self.name = name
        self.help = help
        current = Atomic(value)
    }

    /// Adds to the figure; a negative amount subtracts.
    public func add(_ amount: Int) {
        current.wrappingAdd(amount, ordering: .relaxed)
    }

    /// Replaces the figure.
    public func set(_ value: Int) {
        current.store(value, ordering: .relaxed)
    }

    /// The figure now.
    public var value: Int { current.load(ordering: .relaxed) }

    /// The gauge with its value.
    public var family: MetricFamily {
        MetricFamily(name: name, help: help, kind: .gauge, samples: [.init(value: Double(value))])
    }
}

/// A figure by a label, kept up to date by what it describes.
public struct LabelledGauge<Label: MetricLabel>: Metric {
    private let name: String
    private let help: String
    private let label: String
    private let gauges: [Label: Gauge]

    /// Creates a gauge for each value of the label.
    /// - Parameter label: the name of the label.
    public init(_ name: String, _ help: String, by label: String) {
        self.name = name
        self.help = help
        self.label = label
        gauges = Dictionary(uniqueKeysWithValues: Label.allCases.map { ($0, Gauge(name, help)) })
    }

    /// Adds to the figure of a label's value.
    public func add(_ amount: Int, to value: Label) {
        gauges[value]?.add(amount)
    }

    /// The figure of a label's value now.
    public func value(_ label: Label) -> Int { gauges[label]?.value ?? 0 }

    /// The gauge with its values.
    public var family: MetricFamily {
        MetricFamily(
            name: name, help: help, kind: .gauge,
            samples: Label.allCases.map { value in
                .init(labels: [.init(label, value.rawValue)], value: Double(self.value(value)))
            })
    }
}

/// A figure that is read when the exporter asks for it. Reading must be quick: it must not wait for a disk, nor for a
/// lock that is held for long.
public struct ReadMetric: Metric {
    private let name: String
    private let help: String
    private let kind: MetricFamily.Kind
    private let read: @Sendable () -> [MetricFamily.Sample]

    /// Creates a metric with one value. No value is reported while `read` returns `nil`.
    public init(
        _ name: String, _ help: String, kind: MetricFamily.Kind = .gauge, read: @escaping @Sendable () -> Double?
    ) {
        self.init(name, help, kind: kind, samples: { read().map { [MetricFamily.Sample(value: $0)] } ?? [] })
    }

    /// Creates a metric with one value for each value of a label. Values of the label without a figure are omitted.
    public init<Label: MetricLabel>(
        _ name: String, _ help: String, by label: String, kind: MetricFamily.Kind = .gauge,
        read: @escaping @Sendable () -> [Label: Double]
    ) {
        self.init(name, help, kind: kind) {
            let values = read()
            return Label.allCases.compactMap { value in
                values[value].map { .init(labels: [.init(label, value.rawValue)], value: $0) }
            }
        }
    }

    private init(
        _ name: String, _ help: String, kind: MetricFamily.Kind,
        samples: @escaping @Sendable () -> [MetricFamily.Sample]
    ) {
        self.name = name
        self.help = help
        self.kind = kind
        read = samples
    }

    /// The metric with what was just read.
    public var family: MetricFamily { MetricFamily(name: name, help: help, kind: kind, samples: read()) }
}
