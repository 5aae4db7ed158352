// Every reader of containers and packets on the same bytes: whatever they are, each must answer and stay inside them.

import EarshotAudioFormats
import EarshotWorkerProtocol

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let view = ByteView(UnsafeRawBufferPointer(start: start, count: count))
    _ = AudioContainer(sniffing: view)
    for container in AudioContainer.allCases { _ = container.isWhole(view) }
    _ = OpusHead(view)
    remux(view)
    return 0
}

/// The bytes as a row of packets, each with its length in front; what passes our rules goes into an Ogg, which must be whole.
private func remux(_ view: ByteView) {
    var file = OggOpusFile(preSkip: 312)
    var at = 0
    while view.has(2, at: at) {
        let length = min(Int(view.big(2, at: at)), view.count - at - 2)
        if let packet = OpusPacket(view.part(length, at: at + 2)) {
            precondition(packet.samples > 0 && packet.samples <= 5760 && packet.bytes.count <= length)
            file.add(packet.bytes, samples: packet.samples)
        }
        at += 2 + length
    }
    file.finish(trim: at)
    let isWhole = file.bytes.withUnsafeBytes { AudioContainer.ogg.isWhole(ByteView($0)) }
    precondition(isWhole, "what we write must be what we read")
}
