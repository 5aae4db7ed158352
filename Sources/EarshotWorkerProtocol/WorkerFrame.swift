/// What a media worker says on its standard output: one kind byte, four bytes of length (big endian), the payload.
///
/// Order: `ready`, then any number of `sound`, then either `head` and `result`, or `made`, or `failure`; then the worker exits. Whoever reads must trust
/// nothing of it: a worker that was taken over by a recording can say what it likes.
public enum WorkerFrame: Hashable, Sendable {
    /// Inside its sandbox, with its decoders warm, and waiting for a recording.
    case ready
    /// The next bytes of the file that is made: an MP3, or the format that was ordered.
    case sound([UInt8])
    /// Bytes that replace as many at the start of the MP3: its header can be written only when the length is known.
    case head([UInt8])
    case result(WorkerResult)
    /// The ordered format is whole.
    case made(RenditionResult)
    case failure(WorkerFailure)

    /// Longest payload that is taken.
    public static let payloadLimit = 64 * 1024
    static let headerBytes = 5

    enum Kind: UInt8 {
        case ready = 1
        case sound = 2
        case head = 3
        case result = 4
        case failure = 5
        case made = 6
    }

    public var encoded: [UInt8] {
        switch self {
        case .ready: Self.frame(.ready, [])
        case .sound(let bytes): Self.frame(.sound, bytes)
        case .head(let bytes): Self.frame(.head, bytes)
        case .result(let result): Self.frame(.result, result.encoded)
        case .made(let made): Self.frame(.made, made.encoded)
        case .failure(let failure): Self.frame(.failure, [failure.rawValue])
        }
    }

    /// `nil` where the payload is not what the kind promises.
    init?(kind: UInt8, payload: [UInt8]) {
        switch Kind(rawValue: kind) {
        case .ready where payload.isEmpty: self = .ready
        case .sound: self = .sound(payload)
        case .head: self = .head(payload)
        case .result:
            guard let result = WorkerResult(payload) else { return nil }
            self = .result(result)
        case .made:
            guard let made = RenditionResult(payload) else { return nil }
            self = .made(made)
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

/// Numbers of four bytes, the most significant first.
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
