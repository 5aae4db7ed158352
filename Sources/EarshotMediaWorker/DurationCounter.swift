import EarshotWorkerProtocol

/// Measures the duration of the audio by its decoded samples; what a header says is ignored.
struct DurationCounter {
    private let limitMs: UInt32
    private var earlierMs = 0.0
    private var samples = 0
    private var rate = 1

    init(limitMs: UInt32) {
        self.limitMs = limitMs
    }

    /// The duration so far in milliseconds.
    var ms: UInt32 { UInt32(exactMs.rounded()) }

    /// Adds samples. Throws as soon as the limit is exceeded.
    mutating func add(samples more: Int, rate: Int) throws(WorkerFailure) {
        if rate != self.rate {
            earlierMs = exactMs
            samples = 0
            self.rate = rate
        }
        samples += more
        if exactMs.rounded() > Double(limitMs) { throw .tooLong }
    }

    private var exactMs: Double { earlierMs + Double(samples) * 1000 / Double(rate) }
}
