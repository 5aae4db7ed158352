/// Mixes two channels to one. The mean of two channels in opposite phase is silence: where they cancel each other, the
/// louder one is taken alone.
struct StereoMix {
    private var left = 0.0
    private var right = 0.0
    private var product = 0.0
    private var mixed: [Float] = []
    /// What the mix was at the end of the last block: the part of each channel in it.
    private var weights: (left: Float, right: Float) = (0.5, 0.5)
    /// How much of the energy of earlier blocks counts.
    private static let memory = 0.9
    /// The channels cancel each other if their mean has less than this part of the louder one's energy.
    private static let cancelled = 0.05

    /// Mixes a block. The result is valid until the next one.
    mutating func mix(
        _ one: UnsafeBufferPointer<Float>, _ other: UnsafeBufferPointer<Float>,
        _ take: (UnsafeMutableBufferPointer<Float>) -> Void
    ) {
        let target = weights(for: one, other)
        if mixed.count < one.count { mixed = [Float](repeating: 0, count: one.count) }
        let (from, count) = (weights, Float(max(1, one.count)))
        for index in one.indices {
            let part = Float(index) / count
            mixed[index] =
                one[index] * (from.left + (target.left - from.left) * part)
                + other[index] * (from.right + (target.right - from.right) * part)
        }
        weights = target
        mixed.withUnsafeMutableBufferPointer { take(UnsafeMutableBufferPointer(rebasing: $0[..<one.count])) }
    }

    private mutating func weights(
        for one: UnsafeBufferPointer<Float>, _ other: UnsafeBufferPointer<Float>
    ) -> (left: Float, right: Float) {
        (left, right, product) = (left * Self.memory, right * Self.memory, product * Self.memory)
        for index in one.indices where one[index].isFinite && other[index].isFinite {
            let (a, b) = (Double(one[index]), Double(other[index]))
            left += a * a
            right += b * b
            product += a * b
        }
        let mean = (left + right + 2 * product) / 4
        let louder = max(left, right)
        guard louder.isFinite, mean < louder * Self.cancelled else { return (0.5, 0.5) }
        return left >= right ? (1, 0) : (0, 1)
    }
}
