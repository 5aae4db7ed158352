import EarshotAudioFormats
import EarshotWorkerProtocol

/// Makes another format of an accepted recording. The whole file is made in memory and sent only if it fits.
struct RenditionMaker {
    let input: RecordingInput
    let output: WorkerOutput
    let order: WorkerOrder
    /// The bit rate that messengers use for voice. Below `minBitRate` speech is not intelligible.
    private static let opusBitRate: Int64 = 24_000
    private static let minBitRate: Int64 = 6_000
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

    /// `nil` if the sender's packets cannot be passed on or do not fit.
    private func remux() throws(WorkerFailure) -> RenditionResult? {
        let reader = try AudioReader(input, rate: 0, limitMs: order.limitMs)
        do throws(WorkerFailure) {
            guard let file = try OpusRemux(input, reader.container, limitMs: order.limitMs).run() else { return nil }
            input.drain()
            guard !input.isTooLarge else { throw .tooLarge }
            guard reader.container.isWhole(input.bytes) else { throw .damaged }
            return fits(file.bytes) ? send(file.bytes, file.durationMs, .remuxed) : nil
        } catch {
            throw reader.explain(error)
        }
    }

    /// Lowers the bit rate until the file fits.
    private func encodeOgg() throws(WorkerFailure) -> RenditionResult {
        var bitRate = Self.opusBitRate
        while true {
            let made = try encodeOgg(bitRate)
            if fits(made.bytes) { return send(made.bytes, made.durationMs, .encoded) }
            guard bitRate > Self.minBitRate else { throw .tooLarge }
            // A little below what would just fit, because the encoder only approximates the bit rate.
            bitRate = max(
                Self.minBitRate,
                min(bitRate * 9 / 10, bitRate * Int64(order.maxBytes) * 9 / 10 / Int64(made.bytes.count)))
        }
    }

    private func encodeOgg(_ bitRate: Int64) throws(WorkerFailure) -> OggOpusFile {
        let format = AudioEncoder.Format.opus(bitRate)
        guard let encoder = AudioEncoder(format) else { throw .broken }
        var file = OggOpusFile(preSkip: encoder.delay)
        try encode(with: encoder, format) { file.add($0, samples: encoder.samplesPerFrame) }
        file.finish(trim: file.samples - encoder.delay - encoder.samples)
        return file
    }

    private func encodeM4A() throws(WorkerFailure) -> RenditionResult {
        let format = AudioEncoder.Format.aac
        guard let encoder = AudioEncoder(format) else { throw .broken }
        var file = M4AFile(rate: Int(format.rate), frameSamples: encoder.samplesPerFrame)
        let ms = try encode(with: encoder, format) { file.add($0) }
        let bytes = file.complete(config: encoder.configuration, priming: encoder.delay, samples: encoder.samples)
        guard fits(bytes) else { throw .tooLarge }
        return send(bytes, ms, .encoded)
    }

    @discardableResult
    private func encode(with encoder: AudioEncoder, _ format: AudioEncoder.Format, _ take: ([UInt8]) -> Void)
        throws(WorkerFailure) -> UInt32
    {
        var reader = try AudioReader(input, rate: format.rate, limitMs: order.limitMs)
        _ = try reader.read { encoder.encode($0, take) }
        guard encoder.finish(take) else { throw .broken }
        return reader.ms
    }

    private func fits(_ bytes: [UInt8]) -> Bool { bytes.count <= Int(order.maxBytes) }

    private func send(_ bytes: [UInt8], _ durationMs: UInt32, _ method: RenditionResult.Method) -> RenditionResult {
        for at in stride(from: 0, to: bytes.count, by: Self.pieceBytes) {
            output.put(.audio(Array(bytes[at..<min(bytes.count, at + Self.pieceBytes)])))
        }
        return RenditionResult(durationMs: durationMs, sizeBytes: UInt32(clamping: bytes.count), method: method)
    }
}
