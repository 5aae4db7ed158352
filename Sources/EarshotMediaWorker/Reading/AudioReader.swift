import CLibAV
import EarshotAudioFormats
import EarshotWorkerProtocol

/// Reads the audio of a recording from its first byte to its last: recognise the container, demux, decode, resample to
/// mono. Everything streams; only the input is kept, so that it can be read again.
struct AudioReader {
    /// The container, recognised by its first bytes.
    let container: AudioContainer
    private let input: RecordingInput
    private let rate: Int32
    private var duration: DurationCounter
    private var resampler: Resampler?
    private var span = PacketSpan()
    private var endTrim: MP3EndTrim?
    private static let rates: ClosedRange<Int32> = 4_000...192_000
    private static let channels: ClosedRange<Int32> = 1...8

    /// The duration by the container's times, in milliseconds; as far as it has any.
    var containerMs: UInt32? { span.ms }

    typealias Take = (UnsafeBufferPointer<Float>) -> Bool

    /// A reader that gives mono samples at `rate` samples per second and accepts at most `limitMs` milliseconds.
    init(_ input: RecordingInput, rate: Int32, limitMs: UInt32) throws(WorkerFailure) {
        container = try Self.sniff(input)
        self.input = input
        self.rate = rate
        duration = DurationCounter(limitMs: limitMs)
    }

    /// The duration so far in milliseconds.
    var ms: UInt32 { duration.ms }

    /// Passes all samples to `take`, which returns `false` if it failed. Throws what is wrong with the recording.
    mutating func read(_ take: Take) throws(WorkerFailure) -> AudioCodec {
        do throws(WorkerFailure) {
            input.rewind()
            let demuxer = try Demuxer(input, container)
            let codec = demuxer.stream.pointee.codecpar.pointee.codec_id
            guard let choice = Codecs.decoder(for: codec, in: container) else { throw Codecs.failure(for: codec) }
            var decoder = try Decoder(demuxer.stream, named: choice.name)
            try decodeAll(demuxer, &decoder, AMRTrack(choice.codec), take)
            try checkComplete(decoder)
            return choice.codec
        } catch {
            throw explain(error)
        }
    }

    /// Corrects a failure after reading to the end: a recording that is too large or cut off may fail in other ways
    /// first.
    func explain(_ failure: WorkerFailure) -> WorkerFailure {
        guard failure == .notAudio || failure == .damaged || failure.codecName != nil else { return failure }
        input.drain()
        if input.isTooLarge { return .tooLarge }
        return container.isWhole(input.bytes) ? failure : .damaged
    }

    private static func sniff(_ input: RecordingInput) throws(WorkerFailure) -> AudioContainer {
        input.fill(to: AudioContainer.sniffBytes)
        if input.isTooLarge { throw .tooLarge }
        guard input.count > 0 else { throw .empty }
        guard let container = AudioContainer(sniffing: input.bytes) else { throw .notAudio }
        return container
    }

    private mutating func decodeAll(_ demuxer: Demuxer, _ decoder: inout Decoder, _ amr: AMRTrack?, _ take: Take)
        throws(WorkerFailure)
    {
        guard let packet = av_packet_alloc() else { throw .broken }
        endTrim = MP3EndTrim(input, container)
        while try demuxer.next(packet) {
            span.add(packet, demuxer.stream.pointee.time_base)
            if let amr {
                try amr.decode(packet, &decoder) { frame throws(WorkerFailure) in try add(frame, take) }
            } else {
                try decoder.decode(packet) { frame throws(WorkerFailure) in try add(frame, take) }
            }
        }
        try decoder.decode(nil) { frame throws(WorkerFailure) in try add(frame, take) }
        try finishTrim(take)
        try resample(nil, take)
    }

    /// Checks, after everything was read, that the recording is complete and had audio.
    private func checkComplete(_ decoder: Decoder) throws(WorkerFailure) {
        input.drain()
        if input.isTooLarge { throw .tooLarge }
        guard container.isWhole(input.bytes), !decoder.isDamaged else { throw .damaged }
        guard duration.ms > 0 else { throw decoder.hasErrors ? .damaged : .empty }
    }

    private mutating func add(_ frame: UnsafeMutablePointer<AVFrame>, _ take: Take) throws(WorkerFailure) {
        guard var trim = endTrim else { return try process(frame, take) }
        endTrim = nil
        try trim.add(frame) { frame throws(WorkerFailure) in try process(frame, take) }
        endTrim = trim
    }

    private mutating func finishTrim(_ take: Take) throws(WorkerFailure) {
        guard var trim = endTrim else { return }
        endTrim = nil
        try trim.finish { frame throws(WorkerFailure) in try process(frame, take) }
        span.trim(trim.trimmed.samples, rate: trim.trimmed.rate)
    }

    /// Counts a frame's duration before it is processed, so that a decompression bomb ends at the limit.
    private mutating func process(_ frame: UnsafeMutablePointer<AVFrame>, _ take: Take) throws(WorkerFailure) {
        let source = Resampler.Source(frame)
        guard Self.rates.contains(source.rate), Self.channels.contains(source.channels) else { throw .unusual }
        try duration.add(samples: Int(frame.pointee.nb_samples), rate: Int(source.rate))
        if let resampler, !resampler.fits(frame) {
            try resample(nil, take)
            self.resampler = nil
        }
        if resampler == nil { resampler = Resampler(from: source, to: rate) }
        try resample(frame, take)
    }

    private mutating func resample(_ frame: UnsafeMutablePointer<AVFrame>?, _ take: Take) throws(WorkerFailure) {
        var isTaken = true
        let isConverted = resampler?.convert(frame) { isTaken = take($0) }
        // Without a resampler, libswresample cannot convert the frame; without a frame either there was no audio.
        guard let isConverted else {
            guard frame == nil else { throw .damaged }
            return
        }
        guard isConverted, isTaken else { throw .broken }
    }
}
