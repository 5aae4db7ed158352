import EarshotWorkerProtocol

/// How long the sound is, by its decoded samples alone: what a header claims counts for nothing.
struct SoundLength {
    private let limitMs: UInt32
    private var earlierMs = 0.0
    private var samples = 0
    private var rate = 1

    init(limitMs: UInt32) {
        self.limitMs = limitMs
    }

    var ms: UInt32 { UInt32(exactMs.rounded()) }

    /// Throws as soon as the limit is crossed.
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
