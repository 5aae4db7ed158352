// A client's bytes after the upgrade: in pieces of any size the same messages, and never one that is too long or no
// UTF-8.

import EarshotModel
import NIOCore

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let piece = max(1, Int(bytes.first ?? 1))
    precondition(
        said(bytes, piece: bytes.count) == said(bytes, piece: piece), "the sizes of the pieces change the messages")
    return 0
}

private struct Said: Equatable {
    let output: FrameParser.Output
    let payload: [UInt8]
}

private func said(_ bytes: [UInt8], piece: Int) -> [Said] {
    var (parser, input, payload, all): (FrameParser, ByteBuffer, [UInt8], [Said]) = (
        FrameParser(), ByteBuffer(), [], []
    )
    for at in stride(from: 0, to: bytes.count, by: max(1, piece)) {
        input.writeBytes(bytes[at..<min(bytes.count, at + piece)])
        while let output = parser.next(from: &input, payload: &payload) {
            precondition(payload.count <= Limits.frameBytes)
            if output == .text { precondition(String(validating: payload, as: UTF8.self) != nil) }
            all.append(Said(output: output, payload: output == .text || output == .ping ? payload : []))
        }
    }
    return all
}
