/// Times of many messages, in nanoseconds.
struct Latencies {
    private var sorted: [Int64]

    init(_ values: [Int64]) { sorted = values.sorted() }

    var count: Int { sorted.count }

    /// A percentile in milliseconds; NaN if there are no values.
    func percentile(_ share: Double) -> Double {
        guard !sorted.isEmpty else { return .nan }
        return Double(sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]) / 1e6
    }

    var summary: String {
        "p50 \(Figures.text(percentile(0.5))), p90 \(Figures.text(percentile(0.9))), p99 "
            + "\(Figures.text(percentile(0.99))), "
            + "p99.9 \(Figures.text(percentile(0.999))), max \(Figures.text(percentile(1))) ms of \(count)"
    }
}
