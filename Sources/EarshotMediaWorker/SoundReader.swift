import CLibAV
import EarshotAudioFormats
import EarshotWorkerProtocol

/// A recording's sound, from its first byte to its last: sniff, demux, decode, mix. Everything streams; only the input is kept, so that it can be read
/// once more.
struct SoundReader {
    let container: AudioContainer
    private let input: RecordingInput
    private let rate: Int32
    private var length: SoundLength
    private var mixer: Mixer?
    private static let rates: ClosedRange<Int32> = 4_000...192_000
    private static let channels: ClosedRange<Int32> = 1...8

    typealias Take = (UnsafeBufferPointer<Float>) -> Bool

    /// `rate`: of the samples that are handed over, which are mono.
    init(_ input: RecordingInput, rate: Int32, limitMs: UInt32) throws(WorkerFailure) {
        container = try Self.sniff(input)
        self.input = input
        self.rate = rate
        length = SoundLength(limitMs: limitMs)
    }

    /// Length of the sound so far.
    var ms: UInt32 { length.ms }

    /// Hands over all samples; `take` says whether it could use them. Throws what is wrong with the recording.
    mutating func read(_ take: Take) throws(WorkerFailure) -> AudioCodec {
        do throws(WorkerFailure) {
            input.rewind()
            let demuxer = try Demuxer(input, container)
            guard let choice = Codecs.decoder(for: demuxer.stream.pointee.codecpar.pointee.codec_id, in: container)
            else { throw .notAudio }
            var decoder = try Decoder(demuxer.stream, named: choice.name)
            try decodeAll(demuxer, &decoder, AMRTrack(choice.codec), take)
            try judge(decoder)
            return choice.codec
        } catch {
            throw explain(error)
        }
    }

    /// What was cut before its sound began is damaged rather than no audio; what libav stumbles over behind the limit is too large.
    func explain(_ failure: WorkerFailure) -> WorkerFailure {
        guard failure == .notAudio || failure == .damaged else { return failure }
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
        while try demuxer.next(packet) {
            if let amr {
                try amr.decode(packet, &decoder) { frame throws(WorkerFailure) in try hear(frame, take) }
            } else {
                try decoder.decode(packet) { frame throws(WorkerFailure) in try hear(frame, take) }
            }
        }
        try decoder.decode(nil) { frame throws(WorkerFailure) in try hear(frame, take) }
        try mix(nil, take)
    }

    /// All is read: was it whole, and was there sound?
    private func judge(_ decoder: Decoder) throws(WorkerFailure) {
        input.drain()
        if input.isTooLarge { throw .tooLarge }
        guard container.isWhole(input.bytes), !decoder.isDamaged else { throw .damaged }
        guard length.ms > 0 else { throw decoder.hasErrors ? .damaged : .empty }
    }

    /// Counts before anything is made of a frame, so that a bomb ends at the limit.
    private mutating func hear(_ frame: UnsafeMutablePointer<AVFrame>, _ take: Take) throws(WorkerFailure) {
        let source = Mixer.Source(frame)
        guard Self.rates.contains(source.rate), Self.channels.contains(source.channels) else { throw .damaged }
        try length.add(samples: Int(frame.pointee.nb_samples), rate: Int(source.rate))
        if let mixer, !mixer.fits(frame) {
            try mix(nil, take)
            self.mixer = nil
        }
        if mixer == nil { mixer = Mixer(from: source, to: rate) }
        try mix(frame, take)
    }

    private mutating func mix(_ frame: UnsafeMutablePointer<AVFrame>?, _ take: Take) throws(WorkerFailure) {
        guard mixer != nil else {
            guard frame == nil else { throw .damaged }
            return
        }
        var isTaken = true
        let isMixed = mixer!.mix(frame) { isTaken = take($0) }
        guard isMixed, isTaken else { throw .broken }
    }
}
