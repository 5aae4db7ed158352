// The server's parser for a worker's output: a worker that was taken over can send anything.

import EarshotWorkerProtocol

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    _ = WorkerOrder(bytes)
    var decoder = WorkerFrameDecoder()
    // In pieces whose size the first byte decides.
    let piece = max(1, Int(bytes.first ?? 1))
    for at in stride(from: 0, to: bytes.count, by: piece) {
        decoder.append(bytes[at..<min(bytes.count, at + piece)])
        do {
            while let frame = try decoder.next() { precondition(frame.encoded.count <= WorkerFrame.payloadLimit + 5) }
        } catch { return 0 }
    }
    return 0
}
