/// How a language marks its comments and strings.
enum SourceLanguage {
    case swift
    case web
}

/// A source whose comments and string contents are blanked, with the brackets matched, so that a rule reads code only.
/// Newlines stay, so that line numbers are those of the file.
struct SourceText {
    /// The blanked source as UTF-8.
    let bytes: [UInt8]
    /// The offset at which each line begins.
    let lineStarts: [Int]
    /// The offset of the other bracket of a pair, or nil where the byte is no matched bracket.
    let partner: [Int: Int]
    /// The offset of the bracket that encloses the first byte of each line, or nil at the top level.
    private let enclosingAtLine: [Int?]
    /// The offset of the bracket that encloses each opening bracket, or nil at the top level.
    private let enclosingAtBracket: [Int: Int]

    init(_ text: String, language: SourceLanguage = .swift) {
        var blanker = Blanker(text, language: language)
        bytes = blanker.blanked()
        var starts = [0]
        var (pairs, parents): ([Int: Int], [Int: Int]) = ([:], [:])
        var (open, atLine): ([Int], [Int?]) = ([], [nil])
        for (offset, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "("), UInt8(ascii: "["):
                parents[offset] = open.last
                open.append(offset)
            case UInt8(ascii: "}"), UInt8(ascii: ")"), UInt8(ascii: "]"):
                guard let opening = open.popLast() else { continue }
                (pairs[opening], pairs[offset]) = (offset, opening)
            case UInt8(ascii: "\n"):
                starts.append(offset + 1)
                atLine.append(open.last)
            default: continue
            }
        }
        (lineStarts, partner, enclosingAtLine, enclosingAtBracket) = (starts, pairs, atLine, parents)
    }

    /// The lines of the blanked source.
    var lines: [String] { lineStarts.indices.map(line) }

    /// One line of the blanked source, counted from 0.
    func line(_ index: Int) -> String {
        let end = index + 1 < lineStarts.count ? lineStarts[index + 1] - 1 : bytes.count
        return String(decoding: bytes[lineStarts[index]..<end], as: UTF8.self)
    }

    /// The line on which an offset is, counted from 0.
    func lineIndex(of offset: Int) -> Int {
        var (low, high) = (0, lineStarts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return low
    }

    /// The bracket that encloses the beginning of a line, or nil at the top level.
    func enclosingBracket(ofLine index: Int) -> Int? { enclosingAtLine[index] }

    /// The bracket that encloses an opening bracket, or nil at the top level.
    func enclosingBracket(ofBracket offset: Int) -> Int? { enclosingAtBracket[offset] }

    /// The first byte at or after an offset that is neither a space nor a newline.
    func nextVisible(from offset: Int) -> Int? {
        var offset = offset
        while offset < bytes.count {
            if bytes[offset] != UInt8(ascii: " "), bytes[offset] != UInt8(ascii: "\n") { return offset }
            offset += 1
        }
        return nil
    }

    /// The last byte before an offset that is neither a space nor a newline.
    func previousVisible(before offset: Int) -> Int? {
        var offset = offset - 1
        while offset >= 0 {
            if bytes[offset] != UInt8(ascii: " "), bytes[offset] != UInt8(ascii: "\n") { return offset }
            offset -= 1
        }
        return nil
    }

    /// The identifier that begins at an offset, or an empty text.
    func word(at offset: Int) -> String {
        var end = offset
        while end < bytes.count, Self.isWord(bytes[end]) { end += 1 }
        return String(decoding: bytes[offset..<end], as: UTF8.self)
    }

    /// The identifier that ends just before an offset (spaces between are skipped), or an empty text.
    func word(before offset: Int) -> String {
        guard let last = previousVisible(before: offset), Self.isWord(bytes[last]) else { return "" }
        var start = last
        while start > 0, Self.isWord(bytes[start - 1]) { start -= 1 }
        return String(decoding: bytes[start...last], as: UTF8.self)
    }

    static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...0xFF:
            true
        default: false
        }
    }
}

/// Blanks comments, string literals and regular expressions. Newlines stay.
/// Code that is interpolated into a string is blanked with it; no rule needs it.
private struct Blanker {
    private let source: [UInt8]
    private let language: SourceLanguage
    private var position = 0
    private var output: [UInt8] = []
    /// The bytes with which a comment or a literal can begin.
    private static let beginnings = Array("/\"#'`".utf8)

    init(_ text: String, language: SourceLanguage) {
        source = Array(text.utf8)
        self.language = language
        output.reserveCapacity(source.count)
    }

    mutating func blanked() -> [UInt8] {
        while position < source.count {
            if !Self.beginnings.contains(source[position]) {
                output.append(source[position])
                position += 1
            } else if starts("//") {
                while position < source.count, source[position] != UInt8(ascii: "\n") { position += 1 }
            } else if starts("/*") {
                skipBlockComment()
            } else if !skipLiteral() {
                output.append(source[position])
                position += 1
            }
        }
        return output
    }

    private func starts(_ text: StaticString, at offset: Int = 0) -> Bool {
        let (start, count) = (position + offset, text.utf8CodeUnitCount)
        guard start + count <= source.count else { return false }
        return (0..<count).allSatisfy { source[start + $0] == text.utf8Start[$0] }
    }

    private mutating func step(_ count: Int = 1) {
        for byte in source[position..<min(position + count, source.count)] where byte == UInt8(ascii: "\n") {
            output.append(byte)
        }
        position = min(position + count, source.count)
    }

    private mutating func skipBlockComment() {
        var depth = 0
        repeat {
            if starts("/*"), depth == 0 || language == .swift {
                depth += 1
                step(2)
            } else if starts("*/") {
                depth -= 1
                step(2)
            } else {
                step()
            }
        } while depth > 0 && position < source.count
    }

    /// Skips the literal that begins here. False where none does.
    private mutating func skipLiteral() -> Bool {
        switch language {
        case .swift:
            if let hashes = hashesBeforeQuote() {
                skipSwiftString(hashes: hashes)
                return true
            }
        case .web:
            if starts("`") {
                skipTemplate()
                return true
            }
            if starts("\"") || starts("'"), let end = endOnThisLine(of: source[position]) {
                skip(through: end)
                return true
            }
        }
        if language == .swift, starts("#/") {
            skipExtendedRegex()
            return true
        }
        guard starts("/"), !starts("/>"), !starts("/ "), mayBeginRegex, let end = endOnThisLine(of: source[position])
        else { return false }
        skip(through: end)
        return true
    }

    /// Skips `#/…/#`, which may span lines.
    private mutating func skipExtendedRegex() {
        step(2)
        while position < source.count, !starts("/#") { step() }
        step(2)
        output.append(contentsOf: "\"\"".utf8)
    }

    private mutating func skip(through end: Int) {
        step(end + 1 - position)
        output.append(contentsOf: "\"\"".utf8)
    }

    /// Whether a slash here begins a regular expression and does not divide.
    private var mayBeginRegex: Bool {
        guard let last = output.last(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\n") }) else {
            return true
        }
        return "(,=:[!&|?;".utf8.contains(last)
    }

    /// The offset of the quote that closes the literal that begins here, if it is on this line.
    private func endOnThisLine(of quote: UInt8) -> Int? {
        var (offset, inClass) = (position + 1, false)
        while offset < source.count, source[offset] != UInt8(ascii: "\n") {
            switch source[offset] {
            case UInt8(ascii: "\\"): offset += 1
            case UInt8(ascii: "[") where quote == UInt8(ascii: "/"): inClass = true
            case UInt8(ascii: "]") where quote == UInt8(ascii: "/"): inClass = false
            case quote where !inClass: return offset
            default: break
            }
            offset += 1
        }
        return nil
    }

    /// The number of # before a Swift quote that opens here, or nil where none does.
    private func hashesBeforeQuote() -> Int? {
        var hashes = 0
        while starts("#", at: hashes) { hashes += 1 }
        return starts("\"", at: hashes) ? hashes : nil
    }

    private mutating func skipSwiftString(hashes: Int) {
        step(hashes)
        let quotes = starts("\"\"\"") ? 3 : 1
        step(quotes)
        while position < source.count, !closes(quotes: quotes, hashes: hashes) {
            step(
                source[position] == UInt8(ascii: "\\") && (0..<hashes).allSatisfy { starts("#", at: $0 + 1) }
                    ? hashes + 2 : 1)
        }
        step(quotes + hashes)
        output.append(contentsOf: "\"\"".utf8)
    }

    private func closes(quotes: Int, hashes: Int) -> Bool {
        (0..<quotes).allSatisfy { starts("\"", at: $0) } && (0..<hashes).allSatisfy { starts("#", at: quotes + $0) }
    }

    /// Skips a template literal with everything that is interpolated into it, templates too.
    private mutating func skipTemplate() {
        step()
        var depth = 0
        while position < source.count {
            if starts("\\") {
                step(2)
            } else if starts("${") {
                depth += 1
                step(2)
            } else if depth > 0, starts("`") {
                let kept = output
                skipTemplate()
                output = kept + output[kept.count...].filter { $0 == UInt8(ascii: "\n") }
            } else if depth > 0, starts("{") || starts("}") {
                depth += starts("{") ? 1 : -1
                step()
            } else if starts("`") {
                step()
                break
            } else {
                step()
            }
        }
        output.append(contentsOf: "\"\"".utf8)
    }
}
