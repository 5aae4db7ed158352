/// Decodes the frames in a worker's output, which arrives in pieces of any size. Holds at most one frame and one piece.
public struct WorkerFrameDecoder: Sendable {
    private var buffer: [UInt8] = []
    private var start = 0

    /// A decoder without bytes.
    public init() {}

    /// Adds the next piece of the output.
    public mutating func append(_ bytes: some Collection<UInt8>) {
        buffer.removeFirst(start)
        start = 0
        buffer.append(contentsOf: bytes)
    }

    /// The next complete frame; `nil` if more bytes are needed. Throws if the bytes are not a frame: the worker cannot
    /// be trusted after that.
    public mutating func next() throws(WorkerFrameError) -> WorkerFrame? {
        let rest = buffer[start...]
        guard rest.count >= WorkerFrame.headerBytes else { return nil }
        let length = Int(BigEndian.value(rest.dropFirst()))
        guard length <= WorkerFrame.payloadLimit else { throw WorkerFrameError() }
        guard rest.count >= WorkerFrame.headerBytes + length else { return nil }
        let payload = Array(rest.dropFirst(WorkerFrame.headerBytes).prefix(length))
        guard let frame = WorkerFrame(kind: rest[start], payload: payload) else { throw WorkerFrameError() }
        start += WorkerFrame.headerBytes + length
        return frame
    }
}

/// A worker wrote bytes that no worker of this version writes.
public struct WorkerFrameError: Error, Hashable, Sendable {
    /// The error.
    public init() {}
}
