/// Counts observations by their size. An observation is two atomic additions, without a lock and without an allocation.
///
/// The number of all observations is the sum of the buckets, so a reader never sees the two disagree.
public final class Histogram: Metric {
    /// The bounds of the buckets. An observation belongs to the first bucket whose bound is not below it.
    public struct Buckets: Hashable, Sendable {
        /// The bounds as observed, rising.
        let bounds: [Int]
        /// How many observed units are one reported unit.
        let unit: Double

        /// Bounds of durations, in milliseconds. Reported in seconds.
        public static func milliseconds(_ bounds: [Int]) -> Buckets {
            Buckets(bounds: bounds.map { $0 * 1_000_000 }, unit: 1_000_000_000)
        }

        /// Bounds of counts or sizes.
        public static func counts(_ bounds: [Int]) -> Buckets { Buckets(bounds: bounds, unit: 1) }

        /// Bounds for what people wait for: 5 ms to 30 s.
        public static let latency = milliseconds([5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000])
        /// Bounds for steps inside the server: 0.25 ms would be lost in the first bucket of 1 ms; to 5 s.
        public static let step = milliseconds([1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 5_000])
    }

    private let name: String
    private let help: String
    private let buckets: Buckets
    /// One for each bound, and one for everything above the last.
    private let counts: [Counter]
    private let sum: Counter

    /// Creates a histogram.
    public init(_ name: String, _ help: String, _ buckets: Buckets) {
        self.name = name
        self.help = help
        self.buckets = buckets
        counts = (0...buckets.bounds.count).map { _ in Counter(name, help) }
        sum = Counter(name, help)
    }

    /// Counts a duration in nanoseconds.
    public func observe(nanoseconds: Int) { observe(nanoseconds) }

    /// Counts a duration.
    public func observe(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        observe(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
    }

    /// Counts an observation in the unit of the bounds. A negative one counts as 0.
    public func observe(_ value: Int) {
        let value = max(0, value)
        let index = buckets.bounds.firstIndex { value <= $0 } ?? buckets.bounds.count
        counts[index].increment()
        sum.increment(by: value)
    }

    /// The number of observations so far.
    public var count: Int { counts.reduce(0) { $0 + $1.value } }

    /// The histogram with its buckets, each with all smaller ones.
    public var family: MetricFamily {
        MetricFamily(name: name, help: help, kind: .histogram, samples: samples(labels: []))
    }

    /// The buckets, each with all smaller ones, then the sum and the number of the observations.
    public func samples(labels: [MetricFamily.Label]) -> [MetricFamily.Sample] {
        var total = 0
        var samples: [MetricFamily.Sample] = []
        let bounds = buckets.bounds.map { MetricFamily.text(Double($0) / buckets.unit) } + ["+Inf"]
        for (bound, counter) in zip(bounds, counts) {
            total += counter.value
            samples.append(.init(suffix: "_bucket", labels: labels + [.init("le", bound)], value: Double(total)))
        }
        samples.append(.init(suffix: "_sum", labels: labels, value: Double(sum.value) / buckets.unit))
        samples.append(.init(suffix: "_count", labels: labels, value: Double(total)))
        return samples
    }
}

extension MetricFamily {
    /// A value as Prometheus reads it: whole numbers without a decimal point.
    public static func text(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return Int(exactly: value).map(String.init) ?? String(value)
    }
}
