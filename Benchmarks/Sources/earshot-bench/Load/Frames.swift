import Glibc

/// The parts of RFC 6455 that a client needs.
enum Frames {
    /// The shortest upgrade request that the RFC allows. What a browser adds is described in the README.
    static let upgradeRequest =
        "GET /v1/socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ZWFyc2hvdC1iZW5jaC0wMQ==\r\n\r\n"

    /// Appends a masked frame.
    static func append(to bytes: inout [UInt8], opcode: UInt8, _ payload: UnsafeRawBufferPointer, mask: UInt32) {
        bytes.append(0x80 | opcode)
        if payload.count < 126 {
            bytes.append(0x80 | UInt8(payload.count))
        } else {
            precondition(payload.count <= 0xffff, "the load client sends no larger frame")
            bytes += [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xff)]
        }
        withUnsafeBytes(of: mask) { key in
            bytes += key
            for index in 0..<payload.count { bytes.append(payload[index] ^ key[index & 3]) }
        }
    }

    /// Parses a frame at the start of the bytes: the range of its payload and the offset after it; `nil` if it is
    /// incomplete.
    struct Head {
        let opcode: UInt8
        let isFinal: Bool
        let isPlain: Bool
        let payload: Range<Int>

        init?(_ bytes: UnsafeRawBufferPointer, at start: Int) {
            guard bytes.count >= start + 2 else { return nil }
            var length = Int(bytes[start + 1] & 0x7f)
            let extra = length == 126 ? 2 : length == 127 ? 8 : 0
            guard bytes.count >= start + 2 + extra else { return nil }
            if extra > 0 { length = (0..<extra).reduce(0) { $0 << 8 | Int(bytes[start + 2 + $1]) } }
            let begin = start + 2 + extra
            guard bytes.count >= begin + length else { return nil }
            opcode = bytes[start] & 0xf
            isFinal = bytes[start] & 0x80 != 0
            isPlain = bytes[start] & 0x70 == 0 && bytes[start + 1] & 0x80 == 0
            payload = begin..<begin + length
        }
    }
}

extension SocketClient {
    /// Handles all complete frames in the bytes that arrived; the rest waits for more.
    func take(_ bytes: UnsafeRawBufferPointer) {
        if incoming.isEmpty {
            let used = consume(bytes)
            if used < bytes.count, phase != .closed { incoming += bytes[used...] }
        } else {
            incoming += bytes
            let whole = incoming
            incoming = []
            let used = whole.withUnsafeBytes { consume($0) }
            if used < whole.count, phase != .closed { incoming = Array(whole[used...]) }
        }
    }

    private func consume(_ bytes: UnsafeRawBufferPointer) -> Int {
        var position = 0
        if phase == .upgrading {
            guard let behind = endOfHead(bytes) else { return 0 }
            position = behind
            guard Scan(bytes).begins(with: "HTTP/1.1 101 ") else {
                refused(bytes)
                return bytes.count
            }
            open()
        }
        while phase == .open, let head = Frames.Head(bytes, at: position) {
            position = head.payload.upperBound
            handle(head, UnsafeRawBufferPointer(rebasing: bytes[head.payload]))
        }
        return position
    }

    private func endOfHead(_ bytes: UnsafeRawBufferPointer) -> Int? {
        var scan = Scan(bytes)
        return scan.skip(to: "\r\n\r\n") ? scan.position : nil
    }

    private func handle(_ head: Frames.Head, _ payload: UnsafeRawBufferPointer) {
        precondition(head.isFinal && head.isPlain, "the server sent a fragment, a reserved bit or a mask")
        switch head.opcode {
        case 0x1: listener.played(self, payload)
        case 0x8: end(code: payload.count >= 2 ? Int(payload[0]) << 8 | Int(payload[1]) : nil)
        case 0x9: send(payload, opcode: 0xa)
        default: break
        }
    }

    private func refused(_ answer: UnsafeRawBufferPointer) {
        print("the upgrade was refused: \(Scan(answer).text.prefix(200))")
        end(code: nil)
    }
}
