/// A figure, or a group of figures, that the server reports to a monitoring system.
///
/// A metric belongs to the part of the server that it describes. That part declares it once, with its name, its help
/// text and its labels; the exporter and the table in docs/operating.md read the declaration.
public protocol Metric: Sendable {
    /// The metric with its current values.
    var family: MetricFamily { get }
}

/// The values of a label. A closed enum, so that no id, name or address of a consumer can become a label, and so that
/// the number of series is known when the server is built.
public protocol MetricLabel: CaseIterable, RawRepresentable, Hashable, Sendable where RawValue == String {}

/// A metric and its values at one moment.
public struct MetricFamily: Hashable, Sendable {
    /// How a monitoring system reads the values.
    public enum Kind: String, Hashable, Sendable {
        /// Only rises, and starts at 0 with the server.
        case counter
        /// Rises and falls.
        case gauge
        /// Counts observations by size.
        case histogram
    }

    /// One value.
    public struct Sample: Hashable, Sendable {
        /// What follows the metric's name: empty, or `_bucket`, `_sum` or `_count` of a histogram.
        public let suffix: String
        /// Label names with their values, in order.
        public let labels: [Label]
        /// The value.
        public let value: Double

        /// Creates a value.
        public init(suffix: String = "", labels: [Label] = [], value: Double) {
            self.suffix = suffix
            self.labels = labels
            self.value = value
        }
    }

    /// The name of a label and its value.
    public struct Label: Hashable, Sendable {
        /// The label's name.
        public let name: String
        /// The label's value.
        public let value: String

        /// Creates a label.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The name, such as `earshot_commit_seconds`. Units are seconds and bytes; a counter's name ends in `_total`.
    public let name: String
    /// What the metric counts or measures, in one sentence.
    public let help: String
    /// How to read the values.
    public let kind: Kind
    /// The values.
    public let samples: [Sample]

    /// Creates a family.
    public init(name: String, help: String, kind: Kind, samples: [Sample]) {
        self.name = name
        self.help = help
        self.kind = kind
        self.samples = samples
    }
}
