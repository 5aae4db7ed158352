/// A message that a media worker writes to its standard output: one kind byte, four bytes of length (big endian), the
/// payload.
///
/// Order: `unconfined` alone; or `ready`, then any number of `audio`, then either `header` and `result`, or
/// `rendition`, or `failure`; then the worker exits. The reader must not trust the frames: a worker that a malicious
/// recording has taken over can send anything.
public enum WorkerFrame: Hashable, Sendable {
    /// The worker is inside its sandbox, with its decoders warmed up, and waits for a recording.
    case ready(Confinement)
    /// The worker could not enter its sandbox, and ends.
    case unconfined(ConfinementFailure)
    /// The next bytes of the output file: an MP3, or the rendition that was ordered.
    case audio([UInt8])
    /// Bytes that replace the first bytes of the MP3: its header is known only when the whole duration is.
    case header([UInt8])
    /// The recording was decoded and its MP3 is complete.
    case result(WorkerResult)
    /// The ordered rendition is complete.
    case rendition(RenditionResult)
    /// The recording has no result, and why.
    case failure(WorkerFailure)

    /// The longest payload that is accepted.
    public static let payloadLimit = 64 * 1024
    static let headerBytes = 5

    enum Kind: UInt8 {
        case ready = 1
        case audio = 2
        case header = 3
        case result = 4
        case failure = 5
        case rendition = 6
        case unconfined = 7
    }

    /// The frame as it is written: kind, length, payload.
    public var encoded: [UInt8] {
        switch self {
        case .ready(let walls):
            Self.frame(.ready, [UInt8(walls.rawValue >> 8), UInt8(truncatingIfNeeded: walls.rawValue)])
        case .unconfined(let failure): Self.frame(.unconfined, [failure.step] + BigEndian.bytes(failure.errno))
        case .audio(let bytes): Self.frame(.audio, bytes)
        case .header(let bytes): Self.frame(.header, bytes)
        case .result(let result): Self.frame(.result, result.encoded)
        case .rendition(let made): Self.frame(.rendition, made.encoded)
        case .failure(let failure): Self.frame(.failure, [failure.rawValue])
        }
    }

    /// Reads a frame; `nil` if the kind is unknown or the payload is invalid for it.
    init?(kind: UInt8, payload: [UInt8]) {
        switch Kind(rawValue: kind) {
        case .ready where payload.count == 2:
            self = .ready(Confinement(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1])))
        case .unconfined where payload.count == 5:
            self = .unconfined(.init(step: payload[0], errno: BigEndian.value(payload[1...])))
        case .audio: self = .audio(payload)
        case .header: self = .header(payload)
        case .result:
            guard let result = WorkerResult(payload) else { return nil }
            self = .result(result)
        case .rendition:
            guard let made = RenditionResult(payload) else { return nil }
            self = .rendition(made)
        case .failure:
            guard payload.count == 1, let failure = WorkerFailure(rawValue: payload[0]) else { return nil }
            self = .failure(failure)
        default: return nil
        }
    }

    private static func frame(_ kind: Kind, _ payload: [UInt8]) -> [UInt8] {
        precondition(payload.count <= payloadLimit, "a frame's payload is at most 64 KB")
        return [kind.rawValue] + BigEndian.bytes(UInt32(payload.count)) + payload
    }
}

/// Numbers of four bytes, most significant byte first.
enum BigEndian {
    static func bytes(_ value: UInt32) -> [UInt8] {
        [
            UInt8(truncatingIfNeeded: value >> 24), UInt8(truncatingIfNeeded: value >> 16),
            UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value),
        ]
    }

    static func value(_ bytes: some Collection<UInt8>) -> UInt32 {
        bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }
}
