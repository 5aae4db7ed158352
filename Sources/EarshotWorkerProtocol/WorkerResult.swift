/// What a worker measured of a recording that it decoded to its end. Every figure comes from the decoded samples.
public struct WorkerResult: Hashable, Sendable {
    /// The duration of the audio in milliseconds.
    public let durationMs: UInt32
    /// The container, recognised by its bytes.
    public let container: AudioContainer
    /// The codec of the audio track.
    public let codec: AudioCodec
    /// The highest absolute sample of each of 64 equal spans, 0 to 100.
    public let waveform: [UInt8]
    /// The loudness by EBU R128, in tenths of LUFS, of the mono mix that others hear; `nil` for silence and for audio
    /// that is too short for R128.
    public let loudness: Int?
    /// The duration by the container's own times, in milliseconds: more than was decoded if a part is missing or
    /// damaged.
    public let containerMs: UInt32

    /// The number of spans in a waveform.
    public static let spans = 64
    /// The value of full scale in a waveform.
    public static let peak: UInt8 = 100
    /// The possible loudness values: R128 ignores audio below -70 LUFS, and full scale is a little above 0.
    public static let loudnesses = -700...100
    private static let silence: UInt16 = 0x8000

    /// A result with exactly `spans` waveform values.
    public init(
        durationMs: UInt32, container: AudioContainer, codec: AudioCodec, waveform: [UInt8], loudness: Int?,
        containerMs: UInt32
    ) {
        precondition(waveform.count == Self.spans, "a waveform has 64 spans")
        self.durationMs = durationMs
        self.container = container
        self.codec = codec
        self.waveform = waveform
        self.loudness = loudness
        self.containerMs = containerMs
    }

    var encoded: [UInt8] {
        let loud = loudness.map { UInt16(bitPattern: Int16(clamping: $0)) } ?? Self.silence
        return BigEndian.bytes(durationMs) + [container.rawValue, codec.rawValue, UInt8(loud >> 8), UInt8(loud & 0xFF)]
            + BigEndian.bytes(containerMs) + waveform
    }

    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.headBytes + Self.spans, let container = AudioContainer(rawValue: bytes[4]),
            let codec = AudioCodec(rawValue: bytes[5])
        else { return nil }
        guard bytes[Self.headBytes...].allSatisfy({ $0 <= Self.peak }) else { return nil }
        let loud = UInt16(bytes[6]) << 8 | UInt16(bytes[7])
        let loudness = loud == Self.silence ? nil : Int(Int16(bitPattern: loud))
        if let loudness, !Self.loudnesses.contains(loudness) { return nil }
        self.init(
            durationMs: BigEndian.value(bytes), container: container, codec: codec,
            waveform: Array(bytes[Self.headBytes...]), loudness: loudness, containerMs: BigEndian.value(bytes[8...]))
    }

    private static let headBytes = 12
}

/// The containers that are accepted. They are recognised by their first bytes.
public enum AudioContainer: UInt8, Sendable, CaseIterable {
    /// WebM.
    case webm = 1
    /// Ogg.
    case ogg = 2
    /// MP4, M4A and 3GP.
    case mp4 = 3
    /// MP3 without a container.
    case mp3 = 4
    /// RIFF WAVE.
    case wav = 5
    /// AMR, narrow or wide band, without a container.
    case amr = 6
    /// Apple's Core Audio Format.
    case caf = 7
}

/// The codecs that are accepted.
public enum AudioCodec: UInt8, Sendable, CaseIterable {
    /// Opus.
    case opus = 1
    /// AAC.
    case aac = 2
    /// MPEG layer III.
    case mp3 = 3
    /// Uncompressed samples.
    case pcm = 4
    /// AMR narrow band.
    case amr = 5
    /// AMR wide band.
    case amrWideband = 6
    /// Apple Lossless.
    case alac = 7
}

/// Why a recording has no result.
public enum WorkerFailure: UInt8, Sendable, CaseIterable, Error {
    /// The bytes are none of the containers, or there is no audio track of an accepted codec.
    case notAudio = 1
    /// There are no bytes, or no audio was decoded.
    case empty = 2
    /// The decoded audio exceeds the limit.
    case tooLong = 3
    /// It begins as audio, but ends inside an element or does not decode.
    case damaged = 4
    /// It has more bytes than the worker may read.
    case tooLarge = 5
    /// The decoder or encoder itself failed, for example for lack of memory.
    case broken = 6
    /// It has more than 8 channels, or a sample rate below 4 or above 192 kHz.
    case unusual = 7
    /// The audio track is Vorbis.
    case vorbis = 8
    /// The audio track is Speex.
    case speex = 9
    /// The audio track is FLAC.
    case flac = 10
    /// The audio track is GSM.
    case gsm = 11
    /// The audio track is a kind of ADPCM.
    case adpcm = 12

    /// The codec that is not read, by its name; `nil` for every other failure.
    public var codecName: String? {
        switch self {
        case .vorbis: "Vorbis"
        case .speex: "Speex"
        case .flac: "FLAC"
        case .gsm: "GSM"
        case .adpcm: "ADPCM"
        case .notAudio, .empty, .tooLong, .damaged, .tooLarge, .broken, .unusual: nil
        }
    }
}
