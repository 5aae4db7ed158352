import NIOCore

/// Received bytes that are not parsed yet: at most the start of a frame, unless the connection had to wait.
struct Backlog {
    private var bytes: ByteBuffer?

    var isEmpty: Bool { bytes == nil }
    /// The bytes that it holds in memory.
    var capacity: Int { bytes?.capacity ?? 0 }

    /// Adds received bytes. Parsed bytes are released first; otherwise a stream whose reads never end with a frame
    /// would be kept whole.
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
