/// WebM taken apart and put together again, for formats that only browsers write.
enum WebM {
    private static let segment: [UInt8] = [0x18, 0x53, 0x80, 0x67]
    private static let cluster: [UInt8] = [0x1F, 0x43, 0xB6, 0x75]
    private static let unknownSize: [UInt8] = [0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
    private static let left: [[UInt8]] = [
        [0x11, 0x4D, 0x9B, 0x74], [0x1C, 0x53, 0xBB, 0x6B], [0x12, 0x54, 0xC3, 0x67], [0xEC],
    ]

    struct Element {
        let id: [UInt8]
        let content: ArraySlice<UInt8>
        let whole: ArraySlice<UInt8>
    }

    /// As MediaRecorder writes it: Segment and Clusters of unknown size, no seek head, no cues, and over after a block
    /// in the middle.
    static func live(_ bytes: [UInt8]) -> [UInt8] {
        let top = elements(bytes[...])
        let parts = elements(top[1].content).filter { !left.contains($0.id) }
        var made = Array(top[0].whole) + segment + unknownSize
        for part in parts {
            guard part.id == cluster else {
                made += part.whole
                continue
            }
            made += cluster + unknownSize + part.content
        }
        return cuttingLastBlock(made)
    }

    /// Sets the Duration element, which seekable files have, to so many milliseconds.
    static func claiming(_ ms: Double, _ bytes: [UInt8]) -> [UInt8] {
        var made = bytes
        guard let at = made.firstRange(of: [0x44, 0x89, 0x88])?.upperBound else { return [] }
        withUnsafeBytes(of: ms.bitPattern.bigEndian) { made.replaceSubrange(at..<at + 8, with: $0) }
        return made
    }

    static func elements(_ bytes: ArraySlice<UInt8>) -> [Element] {
        var found: [Element] = []
        var rest = bytes
        while let first = rest.first {
            let idLength = first.leadingZeroBitCount + 1
            let sizeAt = rest.startIndex + idLength
            let sizeLength = rest[sizeAt].leadingZeroBitCount + 1
            let mask: UInt64 = (1 << UInt64(7 * sizeLength)) - 1
            let size = rest[sizeAt..<sizeAt + sizeLength].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } & mask
            let start = sizeAt + sizeLength
            let end = size == mask ? rest.endIndex : start + Int(size)
            found.append(
                Element(
                    id: Array(rest[rest.startIndex..<sizeAt]), content: rest[start..<end],
                    whole: rest[rest.startIndex..<end]))
            rest = rest[end...]
        }
        return found
    }

    private static func cuttingLastBlock(_ bytes: [UInt8]) -> [UInt8] {
        guard let at = bytes.lastRange(of: cluster + unknownSize)?.upperBound, let last = elements(bytes[at...]).last
        else { return [] }
        return Array(bytes[..<last.whole.startIndex])
    }
}

enum Ogg {
    /// As a killed tab leaves it: over at the end of a page that is not marked as the last.
    static func withoutLastPage(_ bytes: [UInt8]) -> [UInt8] {
        Array(bytes[..<(pages(bytes).last ?? 0)])
    }

    /// Lets the last page claim so many samples, with a checksum that fits.
    static func claiming(_ samples: UInt64, _ bytes: [UInt8]) -> [UInt8] {
        var made = bytes
        guard let page = pages(bytes).last else { return [] }
        withUnsafeBytes(of: samples.littleEndian) { made.replaceSubrange(page + 6..<page + 14, with: $0) }
        made.replaceSubrange(page + 22..<page + 26, with: [0, 0, 0, 0])
        withUnsafeBytes(of: checksum(made[page...]).littleEndian) {
            made.replaceSubrange(page + 22..<page + 26, with: $0)
        }
        return made
    }

    /// Every page's checksum made to fit again.
    static func sealed(_ bytes: [UInt8]) -> [UInt8] {
        var made = bytes
        let starts = pages(bytes) + [bytes.count]
        for (start, end) in zip(starts, starts.dropFirst()) {
            made.replaceSubrange(start + 22..<start + 26, with: [0, 0, 0, 0])
            withUnsafeBytes(of: checksum(made[start..<end]).littleEndian) {
                made.replaceSubrange(start + 22..<start + 26, with: $0)
            }
        }
        return made
    }

    static func packets(_ bytes: [UInt8]) -> [[UInt8]] {
        var (found, open) = ([[UInt8]](), [UInt8]())
        for page in pages(bytes) {
            var at = page + 27 + Int(bytes[page + 26])
            for length in bytes[(page + 27)..<(page + 27 + Int(bytes[page + 26]))] {
                open += bytes[at..<at + Int(length)]
                at += Int(length)
                if length < 255 {
                    found.append(open)
                    open = []
                }
            }
        }
        return found
    }

    static func pages(_ bytes: [UInt8]) -> [Int] {
        var found: [Int] = []
        var at = 0
        while at < bytes.count {
            found.append(at)
            let segments = Int(bytes[at + 26])
            at += 27 + segments + bytes[(at + 27)..<(at + 27 + segments)].reduce(0) { $0 + Int($1) }
        }
        return found
    }

    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reduce(UInt32(0)) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte) << 24) { value, _ in
                value >> 31 == 1 ? value << 1 ^ 0x04C1_1DB7 : value << 1
            }
        }
    }
}

extension [UInt8] {
    func firstRange(of part: [UInt8]) -> Range<Int>? {
        guard count >= part.count else { return nil }
        return (0...(count - part.count)).first { self[$0..<$0 + part.count].elementsEqual(part) }.map {
            $0..<$0 + part.count
        }
    }

    func lastRange(of part: [UInt8]) -> Range<Int>? {
        guard count >= part.count else { return nil }
        return (0...(count - part.count)).last { self[$0..<$0 + part.count].elementsEqual(part) }.map {
            $0..<$0 + part.count
        }
    }

    func replacing(_ part: [UInt8], with other: [UInt8]) -> [UInt8] {
        guard let range = firstRange(of: part) else { return [] }
        return Array(self[..<range.lowerBound]) + other + Array(self[range.upperBound...])
    }
}
