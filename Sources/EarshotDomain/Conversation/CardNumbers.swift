/// Finds payment card numbers in a text and masks all but their last four digits.
///
/// A card number has the prefix and the length of a card scheme and a valid check digit (Luhn). It is written in groups
/// of digits with at most three separators between them: white space, dashes, dots. Digits of all scripts count. What
/// only a dash or a dot joins, as in an order number, is taken as a whole. A text may continue the number that its
/// author began to write in earlier messages (`TrailingDigits`).
public enum CardNumbers {
    /// What a masked digit is replaced by. Nothing else about the text changes, so it keeps its length.
    public static let mask: Unicode.Scalar = "\u{2022}"

    /// The text with every card number masked.
    /// - Parameter earlier: the groups of digits that the author's messages before this one end with.
    /// - Complexity: O(n); a text in ASCII with few digits is only counted.
    public static func masked(_ text: String, after earlier: [String] = []) -> String {
        let earlierDigits = earlier.reduce(0) { $0 + $1.count }
        guard mayHold(text, digits: max(1, lengths.lowerBound - earlierDigits)) else { return text }
        var scalars = Array(text.unicodeScalars)
        var changed = false
        for run in DigitRun.all(in: scalars) {
            let continued = run.isAtStart && !earlier.isEmpty
            let groups = continued ? earlier.map { DigitRun.Group($0) } + run.groups : run.groups
            for range in numbers(in: groups, isExcluded: !continued && run.isOtherNumber) {
                let positions = groups[range].flatMap(\.positions)
                let isWhole = groups[range].allSatisfy { !$0.positions.isEmpty }
                // Digits that earlier messages show already add to those that a mask would leave.
                for position in isWhole ? positions.dropLast(4) : positions[...] { scalars[position] = mask }
                changed = changed || !positions.isEmpty
            }
        }
        guard changed else { return text }
        var masked = String.UnicodeScalarView()
        masked.append(contentsOf: scalars)
        return String(masked)
    }

    /// The bytes with the same digit in place of every digit, where there are at least four. A hash of them does not
    /// help to guess a card number that a mask hides.
    public static func withoutDigits(_ bytes: [UInt8]) -> [UInt8] {
        if bytes.allSatisfy({ $0 < 0x80 }) {
            guard bytes.lazy.filter({ (0x30...0x39).contains($0) }).count >= hiddenDigits else { return bytes }
            return bytes.map { (0x30...0x39).contains($0) ? 0x30 : $0 }
        }
        let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars
        guard scalars.lazy.filter({ $0.decimalDigit != nil }).count >= hiddenDigits else { return bytes }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars.lazy.map { $0.decimalDigit == nil ? $0 : "0" })
        return Array(String(text).utf8)
    }

    /// Fewer digits than the last piece of a card number has tell nothing.
    private static let hiddenDigits = 4

    /// Whether the text may have so many digits.
    private static func mayHold(_ text: String, digits: Int) -> Bool {
        var found = 0
        for byte in text.utf8 {
            if byte >= 0x80 { return true }
            if (0x30...0x39).contains(byte) { found += 1 }
        }
        return found >= digits
    }

    /// Which groups in a row are card numbers, each as long as possible.
    private static func numbers(in groups: [DigitRun.Group], isExcluded: Bool) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var start = isExcluded ? 1 : 0
        while start < groups.count {
            guard !groups[start].isJoined, let end = end(ofNumberAt: start, in: groups) else {
                start += 1
                continue
            }
            found.append(start..<end)
            start = end
        }
        return found
    }

    private static func end(ofNumberAt start: Int, in groups: [DigitRun.Group]) -> Int? {
        var digits: [Int] = []
        var longest: Int?
        for index in start..<groups.count {
            digits += groups[index].digits
            guard digits.count <= lengths.upperBound else { break }
            let isJoined = index + 1 < groups.count && groups[index + 1].isJoined
            if !isJoined, isCardNumber(digits) { longest = index + 1 }
        }
        return longest
    }

    /// The lengths that card numbers have.
    private static let lengths = 12...19

    /// Whether a card scheme issues numbers like this one, and its check digit is right.
    static func isCardNumber(_ digits: [Int]) -> Bool {
        guard lengths.contains(digits.count) else { return false }
        let first = { (count: Int) in digits.prefix(count).reduce(0) { $0 * 10 + $1 } }
        guard
            schemes.contains(where: {
                $0.lengths.contains(digits.count) && $0.prefixes.contains(first($0.prefixDigits))
            })
        else { return false }
        let sum = digits.reversed().enumerated().reduce(0) { sum, digit in
            let value = digit.offset.isMultiple(of: 2) ? digit.element : digit.element * 2
            return sum + (value > 9 ? value - 9 : value)
        }
        return sum.isMultiple(of: 10)
    }

    private struct Scheme {
        let prefixDigits: Int
        let prefixes: ClosedRange<Int>
        let lengths: Set<Int>

        init(_ prefixes: ClosedRange<Int>, of prefixDigits: Int, lengths: Set<Int>) {
            self.prefixes = prefixes
            self.prefixDigits = prefixDigits
            self.lengths = lengths
        }
    }

    /// The prefixes and lengths of Visa, Mastercard, American Express, Discover, Diners Club, JCB, UnionPay, Maestro.
    private static let schemes: [Scheme] = [
        Scheme(4...4, of: 1, lengths: [13, 16, 19]),
        Scheme(51...55, of: 2, lengths: [16]), Scheme(2221...2720, of: 4, lengths: [16]),
        Scheme(34...34, of: 2, lengths: [15]), Scheme(37...37, of: 2, lengths: [15]),
        Scheme(6011...6011, of: 4, lengths: [16, 17, 18, 19]), Scheme(644...649, of: 3, lengths: [16, 17, 18, 19]),
        Scheme(65...65, of: 2, lengths: [16, 17, 18, 19]),
        Scheme(300...305, of: 3, lengths: [14]), Scheme(36...36, of: 2, lengths: Set(14...19)),
        Scheme(38...38, of: 2, lengths: [14]),
        Scheme(3528...3589, of: 4, lengths: [16, 17, 18, 19]), Scheme(62...62, of: 2, lengths: [16, 17, 18, 19]),
        Scheme(50...50, of: 2, lengths: Set(12...19)), Scheme(56...69, of: 2, lengths: Set(12...19)),
    ]
}

/// Groups of digits in a row, with nothing but a few separators between them.
struct DigitRun {
    /// Digits with nothing between them.
    struct Group {
        fileprivate(set) var digits: [Int] = []
        /// Where they are in the text; empty for the digits of an earlier message.
        fileprivate(set) var positions: [Int] = []
        /// Whether a single dash or dot is all that separates it from the group before.
        fileprivate var isJoined = false

        fileprivate init(isJoined: Bool = false) {
            self.isJoined = isJoined
        }

        /// A group of an earlier message.
        init(_ text: String) {
            digits = text.unicodeScalars.compactMap(\.decimalDigit)
        }
    }

    private(set) var groups: [Group] = []
    /// Nothing but separators comes before it.
    private(set) var isAtStart = false
    /// Nothing but separators comes after it.
    private(set) var isAtEnd = false
    /// It begins like a phone number (`+49 …`) or a bank account (`DE89 …`).
    private(set) var isOtherNumber = false

    private static let separatorsMaximum = 3

    /// The runs of a text, in order. - Complexity: O(n).
    static func all(in scalars: [Unicode.Scalar]) -> [DigitRun] {
        var runs: [DigitRun] = []
        var run: DigitRun?
        var separators = 0
        var sawOther = false
        for (position, scalar) in scalars.enumerated() {
            if let digit = scalar.decimalDigit {
                if run == nil || separators > separatorsMaximum {
                    if let run { runs.append(run) }
                    run = DigitRun(at: position, in: scalars, isAtStart: !sawOther && runs.isEmpty && run == nil)
                } else if separators > 0 {
                    let isDash = !scalars[position - 1].properties.isWhitespace && !scalars[position - 1].isInvisible
                    run?.groups.append(Group(isJoined: separators == 1 && isDash))
                }
                run?.append(digit, position)
                separators = 0
            } else if scalar.isDigitSeparator {
                separators += 1
            } else {
                if let run { runs.append(run) }
                (run, separators, sawOther) = (nil, 0, true)
            }
        }
        if var run {
            run.isAtEnd = true
            runs.append(run)
        }
        return runs
    }

    private init(at position: Int, in scalars: [Unicode.Scalar], isAtStart: Bool) {
        self.isAtStart = isAtStart
        groups = [Group()]
        let before = scalars[..<position].suffix(3)
        let letters = before.suffix(2)
        let isCountry = letters.count == 2 && letters.allSatisfy { ("A"..."Z").contains($0) }
        let isWord = before.count == 3 && before.first.map { $0.properties.isAlphabetic } == true
        isOtherNumber = before.last == "+" || (isCountry && !isWord)
    }

    private mutating func append(_ digit: Int, _ position: Int) {
        groups[groups.count - 1].digits.append(digit)
        groups[groups.count - 1].positions.append(position)
    }
}

extension Unicode.Scalar {
    /// Its value as a decimal digit of any script.
    fileprivate var decimalDigit: Int? {
        if value < 0x660 { return (0x30...0x39).contains(value) ? Int(value) - 0x30 : nil }
        guard properties.numericType == .decimal, let value = properties.numericValue else { return nil }
        return Int(value)
    }

    /// Whether it shows nothing, such as a zero-width space.
    fileprivate var isInvisible: Bool { properties.generalCategory == .format }

    /// Whether people write it between the digits of one number.
    fileprivate var isDigitSeparator: Bool {
        if self == "." || properties.isWhitespace { return true }
        return properties.generalCategory == .dashPunctuation || isInvisible
    }
}
