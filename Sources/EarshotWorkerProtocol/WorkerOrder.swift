/// What a worker is told when it gets its recording: nine bytes before the recording's own. The pool starts workers before it knows whose recording
/// they will get and what is wanted of it, so that neither can be an argument.
public struct WorkerOrder: Hashable, Sendable {
    public let work: Work
    /// Longest sound to take, in milliseconds.
    public let limitMs: UInt32
    /// Largest file to make; only an Ogg can be made smaller to fit.
    public let mostBytes: UInt32

    public enum Work: UInt8, Sendable, CaseIterable {
        /// MP3, length, waveform, loudness.
        case transcode = 1
        /// Ogg/Opus, encoded from the samples.
        case ogg = 2
        /// Ogg/Opus with the sender's own packets where they are Opus; encoded where they are not, or do not fit.
        case oggKeepingPackets = 3
        /// M4A/AAC.
        case m4a = 4
    }

    public static let byteCount = 9

    public init(_ work: Work, limitMs: UInt32, mostBytes: UInt32 = .max) {
        self.work = work
        self.limitMs = limitMs
        self.mostBytes = mostBytes
    }

    public init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount, let work = Work(rawValue: bytes[0]) else { return nil }
        self.init(work, limitMs: BigEndian.value(bytes[1...]), mostBytes: BigEndian.value(bytes[5...]))
    }

    public var encoded: [UInt8] { [work.rawValue] + BigEndian.bytes(limitMs) + BigEndian.bytes(mostBytes) }
}

/// How a worker ends when it says no more on its standard output.
public enum WorkerExit {
    /// Its recording was answered, or there was none.
    public static let done: Int32 = 0
    /// Its arguments make no sense.
    public static let usage: Int32 = 64
    /// libav has not the decoders or the encoder.
    public static let codecs: Int32 = 69
    /// The sandbox could not be entered: it refuses to decode outside.
    public static let sandbox: Int32 = 70
    /// Its input or output broke off.
    public static let broken: Int32 = 74
}

/// What a worker may use up, given as arguments when it is started.
public struct WorkerLimits: Hashable, Sendable {
    public var inputBytes = 16 * 1024 * 1024
    /// Memory that it may add to what it has when it is ready.
    public var memoryBytes = 128 * 1024 * 1024
    public var cpuSeconds = 20

    public init() {}

    public var arguments: [String] {
        ["--input-bytes", "\(inputBytes)", "--memory-bytes", "\(memoryBytes)", "--cpu-seconds", "\(cpuSeconds)"]
    }

    /// Takes what `arguments` makes; `nil` for anything else.
    public init?(arguments: [String]) {
        guard arguments.count.isMultiple(of: 2) else { return nil }
        for index in stride(from: 0, to: arguments.count, by: 2) {
            guard let value = Int(arguments[index + 1]), value > 0 else { return nil }
            switch arguments[index] {
            case "--input-bytes": inputBytes = value
            case "--memory-bytes": memoryBytes = value
            case "--cpu-seconds": cpuSeconds = value
            default: return nil
            }
        }
    }
}
