// Runs every container and packet parser on the same bytes. Each must return and read only inside them.

import EarshotAudioFormats
import EarshotWorkerProtocol

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let view = ByteView(UnsafeRawBufferPointer(start: start, count: count))
    _ = AudioContainer(sniffing: view)
    for container in AudioContainer.allCases { _ = container.isWhole(view) }
    _ = OpusHead(view)
    if let tag = LAMETag(view) { precondition(tag.samples > 0 && tag.leading > 0 && tag.trailing >= 0 && tag.rate > 0) }
    remux(view)
    return 0
}

/// Reads the bytes as packets, each after its length. The valid ones go into an Ogg file, which must be complete.
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
    precondition(isWhole, "an Ogg file that we write must pass our own check")
}
