/// A declaration of a Swift source: what it declares, how it is modified, and where its body is.
struct SwiftDeclaration {
    /// `class`, `func`, `var`, `case` and so on.
    let keyword: String
    /// The written name, with dots in an extension's; empty for `init`, `deinit` and `subscript`.
    let name: String
    /// The words before the keyword, and attributes without their arguments.
    let modifiers: Set<String>
    /// The line of the keyword, counted from 0.
    let line: Int
    /// The braces of its body, or nil where it has none. A stored property's observers are no body.
    let body: ClosedRange<Int>?
    /// The offset of the brace around it, or nil at the top level.
    let container: Int?
    /// What is written after the name on the same line.
    let rest: String
    /// The offset at which the name ends.
    let nameEnd: Int

    static let typeKeywords: Set<String> = ["class", "struct", "enum", "actor", "protocol", "extension"]
    var isType: Bool { Self.typeKeywords.contains(keyword) }
    var isStored: Bool { (keyword == "var" || keyword == "let") && body == nil }
}

/// Finds the declarations of a source by their keywords and braces. It expects code that compiles and is formatted: one
/// declaration begins on one line.
struct SwiftDeclarations {
    let all: [SwiftDeclaration]
    /// The type or extension whose body begins at an offset.
    private let typeByBody: [Int: SwiftDeclaration]
    private let text: SourceText

    init(_ source: SwiftSource) {
        let text = source.text
        self.text = text
        let found = source.code.indices.compactMap { Self.declaration(onLine: $0, code: source.code[$0], in: text) }
        all = found
        typeByBody = Dictionary(
            found.filter { $0.isType && $0.body != nil }.map { ($0.body!.lowerBound, $0) },
            uniquingKeysWith: { a, _ in a })
    }

    /// The type or extension of which a declaration is a direct member, or nil.
    func parent(of declaration: SwiftDeclaration) -> SwiftDeclaration? {
        declaration.container.flatMap { typeByBody[$0] }
    }

    /// The name with the names of the types around it: `Outer.Inner`.
    func qualifiedName(of declaration: SwiftDeclaration) -> String {
        parent(of: declaration).map { "\(qualifiedName(of: $0)).\(declaration.name)" } ?? declaration.name
    }

    /// The number of lines from the keyword to the end of the body.
    func lineCount(of declaration: SwiftDeclaration) -> Int {
        declaration.body.map { text.lineIndex(of: $0.upperBound) - declaration.line + 1 } ?? 1
    }

    /// The names by which a function's body knows its parameters.
    func parameters(of function: SwiftDeclaration) -> [String] {
        var offset = function.nameEnd
        while offset < text.bytes.count, text.bytes[offset] != UInt8(ascii: "(") { offset += 1 }
        guard offset < text.bytes.count, let close = text.partner[offset] else { return [] }
        var (names, isInName, angles): ([String], Bool, Int) = ([], true, 0)
        offset += 1
        while offset < close {
            switch text.bytes[offset] {
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): offset = text.partner[offset] ?? offset
            case UInt8(ascii: ":") where isInName:
                names.append(text.word(before: offset))
                isInName = false
            case UInt8(ascii: "<"): angles += 1
            case UInt8(ascii: ">") where text.bytes[offset - 1] != UInt8(ascii: "-"): angles = max(0, angles - 1)
            case UInt8(ascii: ",") where angles == 0: isInName = true
            default: break
            }
            offset += 1
        }
        return names
    }

    private static let keywords = SwiftDeclaration.typeKeywords.union([
        "func", "init", "deinit", "subscript", "var", "let", "case", "typealias", "associatedtype",
    ])
    private static let modifiers: Set<String> = [
        "public", "package", "open", "internal", "fileprivate", "private", "static", "final", "override", "mutating",
        "nonmutating", "lazy", "weak", "unowned", "convenience", "required", "indirect", "nonisolated", "borrowing",
        "consuming", "dynamic", "isolated", "prefix", "postfix", "infix",
    ]

    private static func declaration(onLine index: Int, code: String, in text: SourceText) -> SwiftDeclaration? {
        var offset = text.lineStarts[index]
        let end = offset + code.utf8.count
        var modifiers: Set<String> = []
        while offset < end {
            let byte = text.bytes[offset]
            if byte == UInt8(ascii: " ") {
                offset += 1
                continue
            }
            if byte == UInt8(ascii: "@") {
                let name = text.word(at: offset + 1)
                modifiers.insert("@\(name)")
                offset = afterArguments(offset + 1 + name.utf8.count, in: text)
                continue
            }
            let word = text.word(at: offset)
            let next = offset + word.utf8.count
            let isClassModifier = word == "class" && ["func", "var"].contains(text.word(at: next + 1))
            if Self.modifiers.contains(word) || isClassModifier {
                let after = afterArguments(next, in: text)
                modifiers.insert(after == next ? word : "\(word)(set)")
                offset = after
            } else if keywords.contains(word) {
                return declaration(word, after: next, modifiers: modifiers, line: index, lineEnd: end, in: text)
            } else {
                return nil
            }
        }
        return nil
    }

    private static func afterArguments(_ offset: Int, in text: SourceText) -> Int {
        guard offset < text.bytes.count, text.bytes[offset] == UInt8(ascii: "("), let close = text.partner[offset]
        else { return offset }
        return close + 1
    }

    private static func declaration(
        _ keyword: String, after offset: Int, modifiers: Set<String>, line: Int, lineEnd: Int, in text: SourceText
    ) -> SwiftDeclaration? {
        let hasName = !["init", "deinit", "subscript"].contains(keyword)
        guard offset < text.bytes.count, !hasName || text.bytes[offset] == UInt8(ascii: " ") else { return nil }
        var end = offset
        if hasName {
            end += 1
            while end < lineEnd, SourceText.isWord(text.bytes[end]) || text.bytes[end] == UInt8(ascii: ".") { end += 1 }
        }
        let name = hasName ? String(decoding: text.bytes[(offset + 1)..<end], as: UTF8.self) : ""
        let rest = String(decoding: text.bytes[end..<max(end, lineEnd)], as: UTF8.self)
        let hasBody = !["let", "case", "typealias", "associatedtype"].contains(keyword)
        return SwiftDeclaration(
            keyword: keyword, name: name, modifiers: modifiers, line: line,
            body: hasBody ? body(from: end, isProperty: keyword == "var", in: text) : nil,
            container: text.enclosingBracket(ofLine: line), rest: rest, nameEnd: end)
    }

    /// The braces of the body of the declaration whose name ends at an offset.
    private static func body(from start: Int, isProperty: Bool, in text: SourceText) -> ClosedRange<Int>? {
        var offset = start
        while offset < text.bytes.count {
            switch text.bytes[offset] {
            case UInt8(ascii: "("), UInt8(ascii: "["):
                guard let close = text.partner[offset] else { return nil }
                offset = close
            case UInt8(ascii: "{"):
                guard let close = text.partner[offset] else { return nil }
                let first = text.nextVisible(from: offset + 1).map(text.word(at:)) ?? ""
                return isProperty && ["willSet", "didSet"].contains(first) ? nil : offset...close
            case UInt8(ascii: "}"), UInt8(ascii: ";"): return nil
            case UInt8(ascii: "=") where isProperty: return nil
            case UInt8(ascii: "\n") where !continues(over: offset, in: text): return nil
            default: break
            }
            offset += 1
        }
        return nil
    }

    /// Whether a declaration goes on after a newline: at a brace, a result, a clause, or after a comma or colon.
    private static func continues(over newline: Int, in text: SourceText) -> Bool {
        guard let next = text.nextVisible(from: newline) else { return false }
        if let last = text.previousVisible(before: newline), ",:&".utf8.contains(text.bytes[last]) { return true }
        return text.bytes[next] == UInt8(ascii: "{") || text.bytes[next] == UInt8(ascii: "-")
            || ["where", "async", "throws", "rethrows"].contains(text.word(at: next))
    }
}
