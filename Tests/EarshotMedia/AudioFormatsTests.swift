import EarshotAudioFormats
import Testing

@Suite struct `An Opus packet` {
    private static func read(_ bytes: [UInt8]) -> OpusPacket? { bytes.withUnsafeBytes { OpusPacket(ByteView($0)) } }

    /// RFC 6716, section 3.4.
    @Test func `that breaks a rule of the standard is refused`() {
        let broken: [(String, [UInt8])] = [
            ("has no byte", []),
            ("one frame of more than 1275 bytes", [0x78] + [UInt8](repeating: 1, count: 1276)),
            ("two of one length, an odd number of bytes", [0x79, 1, 2, 3]),
            ("two, without the first one's length", [0x7A]),
            ("two, the first one longer than all", [0x7A, 5, 1, 2]),
            ("two, half a length", [0x7A, 252]),
            ("many, without their number", [0x7B]),
            ("none of many", [0x7B, 0, 1]),
            ("more than 120 ms", [0x7B, 7] + [UInt8](repeating: 1, count: 7)),
            ("padding that ends nowhere", [0x7B, 0x41, 255, 255]),
            ("padding longer than the packet", [0x7B, 0x41, 200, 1]),
            ("three of one length, four bytes", [0x7B, 3, 1, 2, 3, 4]),
            ("two of many lengths, the first one longer than all", [0x7B, 0x82, 9, 1, 2]),
        ]
        for (why, bytes) in broken { #expect(Self.read(bytes) == nil, "\(why)") }
    }

    @Test func `tells its duration`() {
        let lengths: [(UInt8, Int)] = [
            (0x00, 480), (0x08, 960), (0x10, 1920), (0x18, 2880), (0x60, 480), (0x68, 960), (0x80, 120), (0x88, 240),
            (0x90, 480), (0x98, 960),
        ]
        for (head, samples) in lengths {
            #expect(Self.read([head, 1])?.samples == samples)
            #expect(Self.read([head | 1, 1, 1])?.samples == samples * 2)
            #expect(Self.read([head | 2, 1, 1, 1])?.samples == samples * 2)
        }
        #expect(Self.read([0x7B, 6] + [UInt8](repeating: 1, count: 6))?.samples == 5760)
        #expect(Self.read([0x78])?.samples == 960)
        #expect(Self.read([0x78] + [UInt8](repeating: 1, count: 1275))?.samples == 960)
    }

    @Test func `keeps its frames and loses its padding`() {
        #expect(Self.read([0x78, 1, 2])?.bytes == [0x78, 1, 2])
        #expect(Self.read([0x7B, 0x41, 3, 7, 8, 60, 33, 62])?.bytes == [0x7B, 0x01, 7, 8])
        #expect(Self.read([0x7B, 0xC2, 2, 1, 7, 8, 9, 60, 62])?.bytes == [0x7B, 0x82, 1, 7, 8, 9])
        let long = [0x7B, 0x41, 255, 1, 7] + [UInt8](repeating: 60, count: 255)
        #expect(Self.read(long)?.bytes == [0x7B, 0x01, 7])
    }
}

@Suite struct `A frame of AMR` {
    @Test func `has the length that its format says, and an unknown format ends the recording`() {
        #expect(
            (0..<16).map { AMRFormat.narrow.frame(UInt8($0) << 3 | 4)?.length } == [
                13, 14, 16, 18, 20, 21, 27, 32, 6, nil, nil, nil, nil, nil, nil, 1,
            ])
        #expect(
            (0..<16).map { AMRFormat.wide.frame(UInt8($0) << 3 | 4)?.length } == [
                18, 24, 33, 37, 41, 47, 51, 59, 61, 6, nil, nil, nil, nil, 1, 1,
            ])
        #expect((0..<16).filter { AMRFormat.narrow.frame(UInt8($0) << 3)?.isSpeech == true } == Array(0...7))
        #expect((0..<16).filter { AMRFormat.wide.frame(UInt8($0) << 3)?.isSpeech == true } == Array(0...8))
    }
}
