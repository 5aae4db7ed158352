import EarshotWorkerProtocol

/// Collects the peaks of audio whose duration is not known before its end, in bounded memory.
///
/// It keeps the peaks of short spans. When there are too many, neighbours are merged and spans are twice as long from
/// then on.
struct Waveform {
    private var peaks: [Float] = []
    private var current: Float = 0
    private var filled = 0
    private var span: Int
    private static let maxPeaks = 8192

    /// An empty waveform with `span` samples per peak at first.
    init(span: Int) {
        self.span = span
        peaks.reserveCapacity(Self.maxPeaks)
    }

    /// Adds samples.
    mutating func add(_ samples: UnsafeBufferPointer<Float>) {
        for sample in samples {
            current = max(current, abs(sample))
            filled += 1
            if filled == span { endSpan() }
        }
    }

    /// The highest sample of each of 64 equal spans of the whole duration, 0 to 100.
    func spans() -> [UInt8] {
        let all = filled > 0 ? peaks + [current] : peaks
        guard !all.isEmpty else { return [UInt8](repeating: 0, count: WorkerResult.spans) }
        return (0..<WorkerResult.spans).map { index in
            let start = index * all.count / WorkerResult.spans
            let end = max(start + 1, (index + 1) * all.count / WorkerResult.spans)
            let peak = all[start..<end].max() ?? 0
            return UInt8(min(peak, 1) * Float(WorkerResult.peak) + 0.5)
        }
    }

    private mutating func endSpan() {
        peaks.append(current)
        current = 0
        filled = 0
        guard peaks.count == Self.maxPeaks else { return }
        peaks = stride(from: 0, to: peaks.count, by: 2).map { max(peaks[$0], peaks[$0 + 1]) }
        span *= 2
    }
}
