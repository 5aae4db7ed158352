/// What a worker found out about a recording that it read to its end. Every figure comes from the decoded samples.
public struct WorkerResult: Hashable, Sendable {
    /// Length of the sound in milliseconds.
    public let durationMs: UInt32
    public let container: AudioContainer
    public let codec: AudioCodec
    /// Highest absolute sample of each of 64 equal spans, 0 to 100.
    public let waveform: [UInt8]
    /// Loudness by EBU R128 in tenths of LUFS, of the mono that others hear; `nil` for silence and for what is shorter than R128 measures.
    public let loudness: Int?

    public static let spans = 64
    public static let peak: UInt8 = 100
    /// R128 counts nothing below -70 LUFS, and full scale is a little above 0.
    public static let loudnesses = -700...100
    private static let silence: UInt16 = 0x8000

    public init(durationMs: UInt32, container: AudioContainer, codec: AudioCodec, waveform: [UInt8], loudness: Int?) {
        precondition(waveform.count == Self.spans, "a waveform has 64 spans")
        self.durationMs = durationMs
        self.container = container
        self.codec = codec
        self.waveform = waveform
        self.loudness = loudness
    }

    var encoded: [UInt8] {
        let loud = loudness.map { UInt16(bitPattern: Int16(clamping: $0)) } ?? Self.silence
        return BigEndian.bytes(durationMs) + [container.rawValue, codec.rawValue, UInt8(loud >> 8), UInt8(loud & 0xFF)]
            + waveform
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
            waveform: Array(bytes[Self.headBytes...]), loudness: loudness)
    }

    private static let headBytes = 8
}

/// The containers that are read, known by their first bytes.
public enum AudioContainer: UInt8, Sendable, CaseIterable {
    case webm = 1
    case ogg = 2
    case mp4 = 3
    case mp3 = 4
    case wav = 5
    case amr = 6
    case caf = 7
}

/// The codecs that are decoded.
public enum AudioCodec: UInt8, Sendable, CaseIterable {
    case opus = 1
    case aac = 2
    case mp3 = 3
    case pcm = 4
    case amr = 5
    case amrWideband = 6
    case alac = 7
}

/// Why a recording has no result.
public enum WorkerFailure: UInt8, Sendable, CaseIterable, Error {
    /// None of the containers by its bytes, or no sound in it that is decoded here.
    case notAudio = 1
    /// No bytes, or nothing decodes.
    case empty = 2
    /// Over the limit by its decoded samples.
    case tooLong = 3
    /// Begins as audio, but ends inside an element or does not decode.
    case damaged = 4
    /// More bytes than the worker was told to take.
    case tooLarge = 5
    /// The decoder or encoder itself broke (no memory, for one).
    case broken = 6
}
