/// A version of a QR code: its size, and how its codewords are divided at the error correction level M (ISO/IEC 18004,
/// tables 1, 9 and E.1).
struct QRVersion: Hashable, Sendable {
    static let largest = 40

    let number: Int
    /// The number of modules on each side.
    var size: Int { 17 + 4 * number }

    private static let correctionPerBlock = [
        10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28, 28, 28, 28, 28, 28,
        28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
    ]
    private static let blocks = [
        1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25, 26, 28, 29, 31,
        33, 35, 37, 38, 40, 43, 45, 47, 49,
    ]

    /// The smallest version that holds so many bytes; `nil` if none does.
    static func smallest(for bytes: Int) -> QRVersion? {
        (1...largest).lazy.map(QRVersion.init).first { version in
            4 + version.lengthBits + 8 * bytes <= 8 * version.dataCodewords
        }
    }

    /// The columns and rows in which alignment patterns have their centres.
    var alignmentCentres: [Int] {
        guard number > 1 else { return [] }
        let count = number / 7 + 2
        let step = number == 32 ? 26 : (number * 4 + count * 2 + 1) / (count * 2 - 2) * 2
        return [6] + (0..<count - 1).map { size - 7 - $0 * step }.reversed()
    }

    private var correctionCodewords: Int { Self.correctionPerBlock[number - 1] }
    private var blockCount: Int { Self.blocks[number - 1] }
    private var lengthBits: Int { number < 10 ? 8 : 16 }

    /// How many modules carry data, in bytes.
    private var codewords: Int {
        var modules = (16 * number + 128) * number + 64
        if number >= 2 {
            let count = number / 7 + 2
            modules -= (25 * count - 10) * count - 55
            if number >= 7 { modules -= 36 }
        }
        return modules / 8
    }

    private var dataCodewords: Int { codewords - correctionCodewords * blockCount }

    /// The bytes with their header, padding and error correction, in the order in which they are drawn.
    func codewords(of bytes: [UInt8]) -> [UInt8] {
        let data = padded(bytes)
        let short = data.count / blockCount
        let longBlocks = data.count % blockCount
        var parts: [[UInt8]] = []
        var start = 0
        for index in 0..<blockCount {
            let length = short + (index >= blockCount - longBlocks ? 1 : 0)
            parts.append(Array(data[start..<start + length]))
            start += length
        }
        let corrections = parts.map { ReedSolomon(correctionCodewords).remainder(of: $0) }
        let ordered = (0...short).flatMap { column in
            parts.compactMap { $0.indices.contains(column) ? $0[column] : nil }
        }
        return ordered + (0..<correctionCodewords).flatMap { column in corrections.map { $0[column] } }
    }

    /// The mode, the length and the bytes, filled up to the version's length.
    private func padded(_ bytes: [UInt8]) -> [UInt8] {
        var bits: [Bool] = []
        func append(_ value: Int, _ count: Int) {
            for index in (0..<count).reversed() { bits.append(value >> index & 1 == 1) }
        }
        let bytesMode = 0b0100
        append(bytesMode, 4)
        append(bytes.count, lengthBits)
        for byte in bytes { append(Int(byte), 8) }
        append(0, min(4, dataCodewords * 8 - bits.count))
        append(0, (8 - bits.count % 8) % 8)
        var data = stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<start + 8].reduce(0 as UInt8) { $0 << 1 | ($1 ? 1 : 0) }
        }
        for filler in 0..<dataCodewords - data.count { data.append(filler.isMultiple(of: 2) ? 0xEC : 0x11) }
        return data
    }
}

/// The Reed-Solomon code of QR codes, over GF(2^8) with the polynomial x^8 + x^4 + x^3 + x^2 + 1.
struct ReedSolomon: Sendable {
    private let divisor: [UInt8]

    /// A code with so many codewords of correction.
    init(_ degree: Int) {
        var divisor = [UInt8](repeating: 0, count: degree)
        divisor[degree - 1] = 1
        var root: UInt8 = 1
        for _ in 0..<degree {
            for index in 0..<degree {
                divisor[index] = Self.product(divisor[index], root)
                if index + 1 < degree { divisor[index] ^= divisor[index + 1] }
            }
            root = Self.product(root, 2)
        }
        self.divisor = divisor
    }

    /// The codewords of correction for a block.
    func remainder(of data: [UInt8]) -> [UInt8] {
        var remainder = [UInt8](repeating: 0, count: divisor.count)
        for byte in data {
            let factor = byte ^ remainder.removeFirst()
            remainder.append(0)
            for index in divisor.indices { remainder[index] ^= Self.product(divisor[index], factor) }
        }
        return remainder
    }

    private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var product = 0
        for index in (0..<8).reversed() {
            product = product << 1 ^ (product >> 7) * 0x11D
            product ^= (Int(right) >> index & 1) * Int(left)
        }
        return UInt8(product)
    }
}
