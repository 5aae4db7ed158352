/// A QR code (ISO/IEC 18004) of bytes, with the error correction level M, which restores 15 % of the code.
///
/// The smallest version that holds the bytes is used, and the mask with the lowest penalty.
public struct QRCode: Hashable, Sendable {
    /// The number of modules on each side, without the quiet zone of 4 modules around them.
    public let size: Int
    /// Whether a module is dark, row after row.
    private var modules: [Bool]
    /// Whether a module belongs to a pattern, and so carries no data.
    private var isReserved: [Bool]

    /// Encodes a text as UTF-8 bytes.
    /// - Returns: `nil` if it has more bytes than the largest version holds.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let version = QRVersion.smallest(for: bytes.count) else { return nil }
        size = version.size
        modules = Array(repeating: false, count: size * size)
        isReserved = modules
        drawPatterns(version)
        drawData(version.codewords(of: bytes))
        let candidates = (0..<8).map { mask in
            var code = self
            code.apply(mask)
            code.drawFormat(mask)
            return code
        }
        modules = candidates.min { $0.penalty < $1.penalty }?.modules ?? modules
    }

    /// Whether the module in a column and a row is dark.
    public func isDark(_ x: Int, _ y: Int) -> Bool { modules[y * size + x] }

    /// The dark modules as an SVG path, with modules of size 1 and the first one at 0, 0.
    public var path: String {
        var path = ""
        for y in 0..<size {
            var x = 0
            while x < size {
                let start = x
                while x < size, isDark(x, y) { x += 1 }
                if x > start { path += "M\(start) \(y)h\(x - start)v1h-\(x - start)z" }
                x += 1
            }
        }
        return path
    }

    // MARK: Patterns

    private mutating func reserve(_ x: Int, _ y: Int, _ isDark: Bool) {
        guard (0..<size).contains(x), (0..<size).contains(y) else { return }
        modules[y * size + x] = isDark
        isReserved[y * size + x] = true
    }

    private mutating func drawPatterns(_ version: QRVersion) {
        for index in 0..<size {
            reserve(6, index, index.isMultiple(of: 2))
            reserve(index, 6, index.isMultiple(of: 2))
        }
        for (x, y) in [(3, 3), (size - 4, 3), (3, size - 4)] { drawFinder(x, y) }
        let centres = version.alignmentCentres
        for x in centres {
            for y in centres where !isFinder(x, y) { drawAlignment(x, y) }
        }
        drawFormat(0)
        drawVersion(version)
    }

    private func isFinder(_ x: Int, _ y: Int) -> Bool {
        (x < 8 && y < 8) || (x > size - 9 && y < 8) || (x < 8 && y > size - 9)
    }

    private mutating func drawFinder(_ x: Int, _ y: Int) {
        for dy in -4...4 {
            for dx in -4...4 {
                let distance = max(abs(dx), abs(dy))
                reserve(x + dx, y + dy, distance != 2 && distance != 4)
            }
        }
    }

    private mutating func drawAlignment(_ x: Int, _ y: Int) {
        for dy in -2...2 {
            for dx in -2...2 { reserve(x + dx, y + dy, max(abs(dx), abs(dy)) != 1) }
        }
    }

    /// The level and the mask, with the BCH code of section 7.9, twice.
    private mutating func drawFormat(_ mask: Int) {
        // The two bits of level M are 00.
        var remainder = mask
        for _ in 0..<10 { remainder = remainder << 1 ^ (remainder >> 9) * 0x537 }
        let bits = (mask << 10 | remainder) ^ 0x5412
        func bit(_ index: Int) -> Bool { bits >> index & 1 == 1 }
        for index in 0...5 { reserve(8, index, bit(index)) }
        reserve(8, 7, bit(6))
        reserve(8, 8, bit(7))
        reserve(7, 8, bit(8))
        for index in 9..<15 { reserve(14 - index, 8, bit(index)) }
        for index in 0..<8 { reserve(size - 1 - index, 8, bit(index)) }
        for index in 8..<15 { reserve(8, size - 15 + index, bit(index)) }
        reserve(8, size - 8, true)
    }

    /// The version with the BCH code of section 7.10, twice, from version 7 on.
    private mutating func drawVersion(_ version: QRVersion) {
        guard version.number >= 7 else { return }
        var remainder = version.number
        for _ in 0..<12 { remainder = remainder << 1 ^ (remainder >> 11) * 0x1F25 }
        let bits = version.number << 12 | remainder
        for index in 0..<18 {
            let (a, b) = (size - 11 + index % 3, index / 3)
            reserve(a, b, bits >> index & 1 == 1)
            reserve(b, a, bits >> index & 1 == 1)
        }
    }

    // MARK: Data

    /// Fills the modules without a pattern in pairs of columns, from the right, upwards and downwards in turn.
    private mutating func drawData(_ codewords: [UInt8]) {
        var index = 0
        var isUpward = true
        for right in stride(from: size - 1, through: 1, by: -2) {
            // The vertical timing pattern is no column of data.
            let right = right <= 6 ? right - 1 : right
            for step in 0..<size {
                let y = isUpward ? size - 1 - step : step
                for x in [right, right - 1] where !isReserved[y * size + x] && index < codewords.count * 8 {
                    modules[y * size + x] = codewords[index / 8] >> (7 - index % 8) & 1 == 1
                    index += 1
                }
            }
            isUpward.toggle()
        }
    }

    private mutating func apply(_ mask: Int) {
        for y in 0..<size {
            for x in 0..<size where !isReserved[y * size + x] && Self.isInverted(mask, x, y) {
                modules[y * size + x].toggle()
            }
        }
    }

    private static func isInverted(_ mask: Int, _ x: Int, _ y: Int) -> Bool {
        switch mask {
        case 0: (x + y).isMultiple(of: 2)
        case 1: y.isMultiple(of: 2)
        case 2: x.isMultiple(of: 3)
        case 3: (x + y).isMultiple(of: 3)
        case 4: (x / 3 + y / 2).isMultiple(of: 2)
        case 5: x * y % 2 + x * y % 3 == 0
        case 6: (x * y % 2 + x * y % 3).isMultiple(of: 2)
        default: ((x + y) % 2 + x * y % 3).isMultiple(of: 2)
        }
    }

    // MARK: Penalty

    /// How hard a camera finds the code to read (section 7.8.3).
    private var penalty: Int {
        var penalty = 0
        for index in 0..<size {
            penalty += Self.penalty(ofLine: (0..<size).map { isDark($0, index) })
            penalty += Self.penalty(ofLine: (0..<size).map { isDark(index, $0) })
        }
        for y in 0..<size - 1 {
            for x in 0..<size - 1 {
                let square = [isDark(x, y), isDark(x + 1, y), isDark(x, y + 1), isDark(x + 1, y + 1)]
                if square.allSatisfy({ $0 == square[0] }) { penalty += 3 }
            }
        }
        let dark = modules.count(where: \.self)
        return penalty + abs(dark * 20 - modules.count * 10) / modules.count * 10
    }

    /// Runs of five or more of one colour, and what looks like a finder pattern.
    private static func penalty(ofLine line: [Bool]) -> Int {
        var (penalty, run) = (0, 0)
        for index in line.indices {
            run = index > 0 && line[index] == line[index - 1] ? run + 1 : 1
            if run == 5 { penalty += 3 } else if run > 5 { penalty += 1 }
        }
        for start in 0...line.count - finderLike.count {
            let part = line[start..<start + finderLike.count]
            if part.elementsEqual(finderLike) || part.elementsEqual(finderLike.reversed()) { penalty += 40 }
        }
        return penalty
    }

    private static let finderLike = [true, false, true, true, true, false, true, false, false, false, false]
}
