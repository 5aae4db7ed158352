/// What a worker has to do with its recording: nine bytes before the recording's own. It is not a command line argument
/// because the pool starts workers before it knows which recording they will get.
public struct WorkerOrder: Hashable, Sendable {
    /// What to make.
    public let work: Work
    /// The longest audio to accept, in milliseconds.
    public let limitMs: UInt32
    /// The largest file to make. Only an Ogg can be encoded again at a lower bit rate to fit.
    public let maxBytes: UInt32

    /// What a worker can make.
    public enum Work: UInt8, Sendable, CaseIterable {
        /// MP3, duration, waveform and loudness of a new recording.
        case transcode = 1
        /// Ogg/Opus, encoded from the samples.
        case ogg = 2
        /// Ogg/Opus with the sender's own packets if they are Opus and fit; otherwise encoded from the samples.
        case oggKeepingPackets = 3
        /// M4A/AAC, encoded from the samples.
        case m4a = 4
    }

    /// The length of an encoded order.
    public static let byteCount = 9

    /// An order for one recording.
    public init(_ work: Work, limitMs: UInt32, maxBytes: UInt32 = .max) {
        self.work = work
        self.limitMs = limitMs
        self.maxBytes = maxBytes
    }

    /// Reads an encoded order; `nil` if the bytes are not one.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount, let work = Work(rawValue: bytes[0]) else { return nil }
        self.init(work, limitMs: BigEndian.value(bytes[1...]), maxBytes: BigEndian.value(bytes[5...]))
    }

    /// The order as it is sent to the worker.
    public var encoded: [UInt8] { [work.rawValue] + BigEndian.bytes(limitMs) + BigEndian.bytes(maxBytes) }
}

/// The exit codes of a worker.
public enum WorkerExit {
    /// It answered its recording, or got none.
    public static let done: Int32 = 0
    /// Its arguments are invalid.
    public static let usage: Int32 = 64
    /// libav lacks a decoder or an encoder.
    public static let codecs: Int32 = 69
    /// It could not enter the sandbox, and refuses to decode outside it.
    public static let sandbox: Int32 = 70
    /// Reading its input or writing its output failed.
    public static let broken: Int32 = 74
}

/// What a worker may use, passed as arguments when it is started.
public struct WorkerLimits: Hashable, Sendable {
    /// The largest recording to read.
    public var inputBytes = 16 * 1024 * 1024
    /// How much memory it may allocate after it is ready.
    public var memoryBytes = 128 * 1024 * 1024
    /// How much processor time it may use.
    public var cpuSeconds = 20

    /// The default limits.
    public init() {}

    /// The limits as command line arguments.
    public var arguments: [String] {
        ["--input-bytes", "\(inputBytes)", "--memory-bytes", "\(memoryBytes)", "--cpu-seconds", "\(cpuSeconds)"]
    }

    /// Reads what `arguments` writes; `nil` for anything else.
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
