import NIOCore

/// Bytes that came and were not understood yet: at most a frame's beginning, unless the socket had to wait.
struct Backlog {
    private var bytes: ByteBuffer?

    var isEmpty: Bool { bytes == nil }
    /// What it holds in memory.
    var capacity: Int { bytes?.capacity ?? 0 }

    /// Adds what came. What was understood before is let go first: else a stream whose reads never end with a frame would be kept as a whole.
    mutating func append(_ more: ByteBuffer) {
        guard var kept = bytes.take() else {
            bytes = more
            return
        }
        kept.discardReadBytes()
        kept.writeImmutableBuffer(more)
        bytes = kept
    }

    mutating func clear() { bytes = nil }

    /// Lets `body` read from it, if there is anything.
    mutating func read<Value>(_ body: (inout ByteBuffer) -> Value?) -> Value? {
        guard var all = bytes.take() else { return nil }
        let value = body(&all)
        bytes = all.readableBytes > 0 ? all : nil
        return value
    }
}
