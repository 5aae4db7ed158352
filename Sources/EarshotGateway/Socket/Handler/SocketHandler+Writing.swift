import EarshotModel
import NIOCore

/// Frames out: gathered for a turn, handed over in one write.
extension SocketHandler {
    /// Writes the frame that stands in the loop's writer.
    func writeFrame() { write(.text, loop.writer.bytes) }

    func write(_ opcode: FrameHeader.Opcode, _ payload: [UInt8]) {
        buffer(payload.count) { $0.writeFrame(opcode, payload) }
    }

    func buffer(_ bytes: Int, _ write: (inout ByteBuffer) -> Void) {
        guard let context else { return }
        if output == nil {
            output = context.channel.allocator.buffer(capacity: bytes + Self.headBytes)
            loop.touch(self)
        }
        output?.reserveCapacity(minimumWritableBytes: bytes + Self.headBytes)
        write(&output!)
    }

    private static let headBytes = 10

    /// Hands this turn's frames to the channel, in one write.
    func flush() {
        guard let frames = output, let context else { return }
        output = nil
        if session.isEnded, hasPeerClosed {
            context.writeAndFlush(wrapOutboundOut(frames)).assumeIsolated().whenComplete { [weak self] _ in self?.cut()
            }
        } else if isBroken {
            context.writeAndFlush(wrapOutboundOut(frames), promise: nil)
            context.close(mode: .output, promise: nil)
        } else {
            context.writeAndFlush(wrapOutboundOut(frames), promise: nil)
        }
        if wantsRoom, canWrite {
            wantsRoom = false
            goOn()
        }
    }

    func cut() { context?.close(promise: nil) }
}
