/// Takes a worker's output in pieces of any size and gives its frames. Never holds more than one frame and one piece.
public struct WorkerFrameDecoder: Sendable {
    private var buffer: [UInt8] = []
    private var start = 0

    public init() {}

    public mutating func append(_ bytes: some Collection<UInt8>) {
        buffer.removeFirst(start)
        start = 0
        buffer.append(contentsOf: bytes)
    }

    /// The next whole frame, `nil` where more bytes are wanted. Throws where the bytes are no frame: the worker is then not to be believed any more.
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

/// Bytes that no worker of this version would write.
public struct WorkerFrameError: Error, Hashable, Sendable {
    public init() {}
}
