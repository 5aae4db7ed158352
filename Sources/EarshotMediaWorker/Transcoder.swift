import CLibAV
import EarshotWorkerProtocol

/// One recording from its first byte to its result: sniff, demux, decode, mix, measure, encode. Everything streams; only the input is kept.
struct Transcoder {
    private let input: RecordingInput
    private let output: WorkerOutput
    private let encoder: MP3Encoder
    private var length: SoundLength
    private var mixer: Mixer?
    private var waveform = Waveform(span: Int(Mixer.rate) / 1000)
    private var mp3: MP3Stream
    private static let rates: ClosedRange<Int32> = 4_000...192_000
    private static let channels: ClosedRange<Int32> = 1...8

    init(input: RecordingInput, output: WorkerOutput, encoder: MP3Encoder, limitMs: UInt32) {
        self.input = input
        self.output = output
        self.encoder = encoder
        length = SoundLength(limitMs: limitMs)
        mp3 = MP3Stream(output: output)
    }

    consuming func run() throws(WorkerFailure) -> WorkerResult {
        let container = try sniff()
        do throws(WorkerFailure) {
            let demuxer = try Demuxer(input, container)
            guard let choice = Codecs.decoder(for: demuxer.stream.pointee.codecpar.pointee.codec_id, in: container) else { throw .notAudio }
            var decoder = try Decoder(demuxer.stream, named: choice.name)
            try decodeAll(demuxer, &decoder)
            try judge(decoder, container)
            try finishMP3()
            return WorkerResult(durationMs: length.ms, container: container, codec: choice.codec, waveform: waveform.folded())
        } catch {
            throw explain(error, container)
        }
    }

    /// What was cut before its sound began is damaged rather than no audio; what libav stumbles over behind the limit is too large.
    private func explain(_ failure: WorkerFailure, _ container: AudioContainer) -> WorkerFailure {
        guard failure == .notAudio || failure == .damaged else { return failure }
        input.drain()
        if input.isTooLarge { return .tooLarge }
        return container.isWhole(input.bytes) ? failure : .damaged
    }

    private func sniff() throws(WorkerFailure) -> AudioContainer {
        input.fill(to: AudioContainer.sniffBytes)
        if input.isTooLarge { throw .tooLarge }
        guard input.count > 0 else { throw .empty }
        guard let container = AudioContainer(sniffing: input.bytes) else { throw .notAudio }
        return container
    }

    private mutating func decodeAll(_ demuxer: Demuxer, _ decoder: inout Decoder) throws(WorkerFailure) {
        guard let packet = av_packet_alloc() else { throw .broken }
        while try demuxer.next(packet) {
            try decoder.decode(packet) { frame throws(WorkerFailure) in try take(frame) }
        }
        try decoder.decode(nil) { frame throws(WorkerFailure) in try take(frame) }
        try mix(nil)
    }

    /// All is read: was it whole, and was there sound?
    private func judge(_ decoder: Decoder, _ container: AudioContainer) throws(WorkerFailure) {
        input.drain()
        if input.isTooLarge { throw .tooLarge }
        guard container.isWhole(input.bytes), !decoder.isDamaged else { throw .damaged }
        guard length.ms > 0 else { throw decoder.hasErrors ? .damaged : .empty }
    }

    /// Counts before anything is made of a frame, so that a bomb ends at the limit.
    private mutating func take(_ frame: UnsafeMutablePointer<AVFrame>) throws(WorkerFailure) {
        let rate = frame.pointee.sample_rate
        let channels = frame.pointee.ch_layout.nb_channels
        guard Self.rates.contains(rate), Self.channels.contains(channels) else { throw .damaged }
        try length.add(samples: Int(frame.pointee.nb_samples), rate: Int(rate))
        if let mixer, !mixer.fits(frame) {
            try mix(nil)
            self.mixer = nil
        }
        if mixer == nil { mixer = Mixer(rate: rate, format: AVSampleFormat(frame.pointee.format), channels: channels) }
        try mix(frame)
    }

    private mutating func mix(_ frame: UnsafeMutablePointer<AVFrame>?) throws(WorkerFailure) {
        guard mixer != nil else {
            guard frame == nil else { throw .damaged }
            return
        }
        var isEncoded = true
        let isMixed = mixer!.mix(frame) { samples in
            waveform.add(samples)
            isEncoded = encoder.encode(samples) { mp3.add($0) }
        }
        guard isMixed, isEncoded else { throw .broken }
    }

    private mutating func finishMP3() throws(WorkerFailure) {
        guard encoder.finish({ mp3.add($0) }) else { throw .broken }
        mp3.finish(encoder)
    }
}
