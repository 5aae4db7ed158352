import NIOCore
import Testing

@testable import EarshotGateway

/// One probe: bytes, and what they must come to.
struct FrameProbe: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let bytes: [UInt8]
    let code: CloseCode

    init(_ name: String, _ bytes: [UInt8], _ code: CloseCode = .protocolError) {
        (testDescription, self.bytes, self.code) = (name, bytes, code)
    }

    static let refused: [FrameProbe] =
        [
            FrameProbe("unmasked text", ClientBytes.frame(1, [0x61], isMasked: false)),
            FrameProbe("unmasked ping", ClientBytes.frame(9, isMasked: false)),
            FrameProbe("reserved bit 1", ClientBytes.frame(1, [0x61], reserved: 4)),
            FrameProbe("reserved bit 2", ClientBytes.frame(1, [0x61], reserved: 2)),
            FrameProbe("reserved bit 3", ClientBytes.frame(1, [0x61], reserved: 1)),
            FrameProbe("reserved bit on a ping", ClientBytes.frame(9, reserved: 4)),
            FrameProbe("fragmented ping", ClientBytes.frame(9, isFinal: false)),
            FrameProbe("fragmented close", ClientBytes.frame(8, [3, 0xe8], isFinal: false)),
            FrameProbe("ping of 126", ClientBytes.frame(9, [UInt8](repeating: 0, count: 126))),
            FrameProbe("close of 126", ClientBytes.frame(8, [UInt8](repeating: 0, count: 126))),
            FrameProbe("ping with a 64-bit length", ClientBytes.frame(9, length: [127, 0, 0, 0, 0, 0, 0, 0, 1])),
            FrameProbe("continuation of nothing", ClientBytes.frame(0, [0x61])),
            FrameProbe("text inside a message", ClientBytes.text("a", isFinal: false) + ClientBytes.text("b")),
            FrameProbe("binary inside a message", ClientBytes.text("a", isFinal: false) + ClientBytes.frame(2, [1])),
            FrameProbe("final continuation of nothing, after a pong", ClientBytes.frame(0, isFinal: false)),
            FrameProbe("binary", ClientBytes.frame(2, [1]), .unsupportedData),
            FrameProbe("length of 16 bits that needs 7", ClientBytes.frame(1, [0x61], length: [126, 0, 1])),
            FrameProbe(
                "length of 16 bits: 125",
                ClientBytes.frame(1, [UInt8](repeating: 0x61, count: 125), length: [126, 0, 125])),
            FrameProbe(
                "length of 64 bits that needs 16",
                ClientBytes.frame(1, [], length: [127, 0, 0, 0, 0, 0, 0, 0xff, 0xff])),
            FrameProbe("length with the top bit", ClientBytes.frame(1, [], length: [127, 0x80, 0, 0, 0, 0, 1, 0, 0])),
            FrameProbe(
                "frame over the limit", ClientBytes.frame(1, [], length: [127, 0, 0, 0, 0, 0, 1, 0, 1]), .tooBig),
            FrameProbe("frame of 4 GB", ClientBytes.frame(1, [], length: [127, 0, 0, 0, 1, 0, 0, 0, 0]), .tooBig),
            FrameProbe(
                "fragments over the limit",
                ClientBytes.text(String(repeating: "a", count: 65_536), isFinal: false) + ClientBytes.frame(0, [0x61]),
                .tooBig),
            FrameProbe(
                "101 fragments",
                ClientBytes.text("a", isFinal: false) + (1...100).flatMap { _ in ClientBytes.frame(0, isFinal: false) },
                .policy),
            FrameProbe("close of one byte", ClientBytes.frame(8, [3])),
            FrameProbe("close with a reason in no UTF-8", ClientBytes.close(1000, [0xc3, 0x28]), .notUTF8),
            FrameProbe("close with a cut character", ClientBytes.close(1000, [0xe2, 0x82]), .notUTF8),
            FrameProbe("text in no UTF-8", ClientBytes.frame(1, [0xc3, 0x28]), .notUTF8),
            FrameProbe("text that ends in a character", ClientBytes.frame(1, [0xe2, 0x82]), .notUTF8),
            FrameProbe("overlong", ClientBytes.frame(1, [0xc0, 0xaf]), .notUTF8),
            FrameProbe("surrogate", ClientBytes.frame(1, [0xed, 0xa0, 0x80]), .notUTF8),
            FrameProbe("over U+10FFFF", ClientBytes.frame(1, [0xf4, 0x90, 0x80, 0x80]), .notUTF8),
            FrameProbe(
                "bad UTF-8 across fragments",
                ClientBytes.frame(1, [0xe2, 0x82], isFinal: false) + ClientBytes.frame(0, [0x28]), .notUTF8),
            FrameProbe("bad UTF-8 in the first fragment", ClientBytes.frame(1, [0xff], isFinal: false), .notUTF8),
        ]
        + [UInt8(3), 4, 5, 6, 7, 11, 12, 13, 14, 15].map { FrameProbe("reserved opcode \($0)", ClientBytes.frame($0)) }
        + [UInt16(0), 999, 1004, 1005, 1006, 1015, 1016, 2000, 2999, 5000, 65_535].map {
            FrameProbe("close code \($0)", ClientBytes.close($0))
        }
}

@Suite struct `A client's bytes on a socket` {
    /// Everything that these bytes come to, fed in pieces of this size.
    private func outputs(_ bytes: [UInt8], by size: Int = .max) -> [(FrameParser.Output, [UInt8])] {
        var (parser, input, payload) = (FrameParser(), ByteBuffer(), [UInt8]())
        var outputs: [(FrameParser.Output, [UInt8])] = []
        for start in stride(from: 0, to: bytes.count, by: min(size, max(1, bytes.count))) {
            input.writeBytes(bytes[start..<min(bytes.count, start + min(size, bytes.count))])
            while let output = parser.next(from: &input, payload: &payload) { outputs.append((output, payload)) }
        }
        return outputs
    }

    @Test func `are tried with more than 32 violations of the protocol`() {
        #expect(FrameProbe.refused.count >= 32)
    }

    @Test(arguments: FrameProbe.refused)
    func `that break RFC 6455 are refused with their code, however they are cut`(probe: FrameProbe) {
        for size in [1, 7, Int.max] where size != 1 || probe.bytes.count < 5000 {
            let outputs = outputs(probe.bytes, by: size)
            #expect(outputs.map(\.0) == [.violation(probe.code)], "in pieces of \(size)")
        }
    }

    @Test(arguments: FrameProbe.refused)
    func `after a violation are not read`(probe: FrameProbe) {
        #expect(outputs(probe.bytes + ClientBytes.text("late")).count == 1)
    }

    @Test func `after a close are not read`() {
        #expect(outputs(ClientBytes.close(1000) + ClientBytes.text("late")).map(\.0) == [.close(.normal)])
    }

    @Test func `are refused at their head, before the payload is there`() {
        #expect(outputs([0xc1]).map(\.0) == [.violation(.protocolError)])
        #expect(outputs([0x81, 0x01]).map(\.0) == [.violation(.protocolError)])
        #expect(outputs([0x81, 0xff, 0, 0, 0, 0, 0, 1, 0, 1]).map(\.0) == [.violation(.tooBig)])
    }

    @Test func `are released once parsed, even where reads never end with a frame`() {
        let stream = (0..<400).flatMap { _ in ClientBytes.frame(1, [UInt8](repeating: 0x61, count: 8000)) }
        var (parser, backlog, payload, messages, peak) = (FrameParser(), Backlog(), [UInt8](), 0, 0)
        for start in stride(from: 0, to: stream.count, by: 4099) {
            backlog.append(ByteBuffer(bytes: stream[start..<min(stream.count, start + 4099)]))
            while backlog.read({ parser.next(from: &$0, payload: &payload) }) != nil { messages += 1 }
            peak = max(peak, backlog.capacity)
        }
        #expect(messages == 400 && backlog.isEmpty)
        #expect(peak <= 32 * 1024, "\(peak)")
    }

    @Test(arguments: [0, 1, 125, 126, 127, 65_535, 65_536])
    func `of a length at each edge are a message`(count: Int) {
        let text = [UInt8](repeating: 0x61, count: count)
        for size in [4096, Int.max] {
            let outputs = outputs(ClientBytes.frame(1, text), by: size)
            #expect(outputs.map(\.0) == [.text] && outputs.first?.1 == text)
        }
    }

    @Test func `in 100 fragments, cut inside characters, with a ping between, are one message`() {
        let text = Array(String(repeating: "€🎙", count: 14).utf8) + [0x61, 0x61]
        #expect(text.count == 100)
        var bytes = ClientBytes.frame(1, [text[0]], isFinal: false)
        for index in 1..<99 { bytes += ClientBytes.frame(0, [text[index]], isFinal: false) }
        bytes += ClientBytes.frame(9, [0x70]) + ClientBytes.frame(0, [text[99]])
        let outputs = outputs(bytes, by: 3)
        #expect(outputs.map(\.0) == [.ping, .text])
        #expect(outputs.map(\.1) == [[0x70], text])
    }

    @Test func `of exactly 64 KB in two fragments are a message`() {
        let half = [UInt8](repeating: 0x61, count: 32_768)
        #expect(
            outputs(ClientBytes.frame(1, half, isFinal: false) + ClientBytes.frame(0, half)).map(\.1.count) == [65_536])
    }

    @Test(arguments: [UInt16(1000), 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999])
    func `with a close that may be sent are a close`(code: UInt16) {
        #expect(outputs(ClientBytes.close(code, Array("tschüß".utf8))).map(\.0) == [.close(CloseCode(rawValue: code))])
    }

    @Test func `may close without a code`() {
        #expect(outputs(ClientBytes.frame(8)).map(\.0) == [.close(nil)])
    }

    @Test func `return pings of 0 to 125 bytes`() {
        for count in [0, 1, 125] {
            let payload = [UInt8](repeating: 0xff, count: count)
            #expect(outputs(ClientBytes.frame(9, payload)).map(\.1) == [payload])
        }
        #expect(outputs(ClientBytes.frame(10, [1])).map(\.0) == [.pong])
    }
}

@Suite struct `UTF-8 that arrives in pieces` {
    @Test func `is accepted exactly where Swift accepts it, for every pair and many longer sequences`() {
        var generator = SystemRandomNumberGenerator()
        for first in UInt8.min...UInt8.max {
            for second in UInt8.min...UInt8.max { check([first, second]) }
        }
        let interesting: [UInt8] = [
            0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xec, 0xed, 0xee, 0xef, 0xf0,
            0xf3, 0xf4, 0xf5, 0xff,
        ]
        for a in interesting {
            for b in interesting {
                for c in interesting { check([a, b, c]) }
            }
        }
        for _ in 0..<5000 { check((0..<4).map { _ in interesting.randomElement(using: &generator) ?? 0 }) }
    }

    private func check(_ bytes: [UInt8]) {
        var validator = UTF8Validator()
        let isTaken =
            bytes.allSatisfy { byte in [byte].withUnsafeBufferPointer { validator.accept($0) } }
            && validator.isBetweenCharacters
        #expect(isTaken == (String(validating: bytes, as: UTF8.self) != nil), "\(bytes)")
    }
}
