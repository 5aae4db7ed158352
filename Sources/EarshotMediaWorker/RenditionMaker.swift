import EarshotAudioFormats
import EarshotWorkerProtocol

/// Another format of a recording that was accepted before: the whole file is made in memory, and said only if it fits.
struct RenditionMaker {
    let input: RecordingInput
    let output: WorkerOutput
    let order: WorkerOrder
    /// What voice messages are sent with; below the least of it speech is not understood.
    private static let opusBitRate: Int64 = 24_000
    private static let leastBitRate: Int64 = 6_000
    private static let pieceBytes = 32 * 1024

    func run() throws(WorkerFailure) -> RenditionResult {
        switch order.work {
        case .m4a: return try encodeM4A()
        case .oggKeepingPackets:
            if let remuxed = try remux() { return remuxed }
            return try encodeOgg()
        case .ogg: return try encodeOgg()
        case .transcode: throw .broken
        }
    }

    /// `nil` where the sender's packets cannot be passed on, or do not fit.
    private func remux() throws(WorkerFailure) -> RenditionResult? {
        let reader = try SoundReader(input, rate: 0, limitMs: order.limitMs)
        do throws(WorkerFailure) {
            guard let file = try OpusRemux(input, reader.container, limitMs: order.limitMs).run() else { return nil }
            input.drain()
            guard !input.isTooLarge else { throw .tooLarge }
            guard reader.container.isWhole(input.bytes) else { throw .damaged }
            return fits(file.bytes) ? say(file.bytes, file.durationMs, .remuxed) : nil
        } catch {
            throw reader.explain(error)
        }
    }

    /// Lowers the bit rate until it fits.
    private func encodeOgg() throws(WorkerFailure) -> RenditionResult {
        var bitRate = Self.opusBitRate
        while true {
            let made = try encodeOgg(bitRate)
            if fits(made.bytes) { return say(made.bytes, made.durationMs, .encoded) }
            guard bitRate > Self.leastBitRate else { throw .tooLarge }
            // A little less than what would just fit, for the bit rate is only aimed at.
            bitRate = max(
                Self.leastBitRate,
                min(bitRate * 9 / 10, bitRate * Int64(order.mostBytes) * 9 / 10 / Int64(made.bytes.count)))
        }
    }

    private func encodeOgg(_ bitRate: Int64) throws(WorkerFailure) -> OggOpusFile {
        let format = SoundEncoder.Format.opus(bitRate)
        guard let encoder = SoundEncoder(format) else { throw .broken }
        var file = OggOpusFile(preSkip: encoder.delay)
        try encode(with: encoder, format) { file.add($0, samples: encoder.samplesPerFrame) }
        file.finish(trim: file.samples - encoder.delay - encoder.samples)
        return file
    }

    private func encodeM4A() throws(WorkerFailure) -> RenditionResult {
        let format = SoundEncoder.Format.aac
        guard let encoder = SoundEncoder(format) else { throw .broken }
        var file = M4AFile(rate: Int(format.rate), frameSamples: encoder.samplesPerFrame)
        let ms = try encode(with: encoder, format) { file.add($0) }
        let bytes = file.complete(config: encoder.configuration, priming: encoder.delay, samples: encoder.samples)
        guard fits(bytes) else { throw .tooLarge }
        return say(bytes, ms, .encoded)
    }

    @discardableResult
    private func encode(with encoder: SoundEncoder, _ format: SoundEncoder.Format, _ take: ([UInt8]) -> Void)
        throws(WorkerFailure) -> UInt32
    {
        var reader = try SoundReader(input, rate: format.rate, limitMs: order.limitMs)
        _ = try reader.read { encoder.encode($0, take) }
        guard encoder.finish(take) else { throw .broken }
        return reader.ms
    }

    private func fits(_ bytes: [UInt8]) -> Bool { bytes.count <= Int(order.mostBytes) }

    private func say(_ bytes: [UInt8], _ durationMs: UInt32, _ way: RenditionResult.Way) -> RenditionResult {
        for at in stride(from: 0, to: bytes.count, by: Self.pieceBytes) {
            output.put(.sound(Array(bytes[at..<min(bytes.count, at + Self.pieceBytes)])))
        }
        return RenditionResult(durationMs: durationMs, sizeBytes: UInt32(clamping: bytes.count), way: way)
    }
}
