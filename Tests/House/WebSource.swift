import Foundation

/// A TypeScript source as the rules read it.
struct WebSource {
    let path: String
    /// The source without its comments and without the contents of its strings.
    let text: SourceText
    let code: [String]

    init(path: String, text: String) {
        self.path = path
        self.text = SourceText(text, language: .web)
        code = self.text.lines
    }

    /// The indices of the lines that begin outside all brackets.
    var topLevelLines: [Int] { code.indices.filter { text.enclosingBracket(ofLine: $0) == nil } }

    /// A function with a body in brackets.
    struct Function {
        let name: String
        /// The line of its opening bracket, counted from 0.
        let line: Int
        let lineCount: Int
        /// A React component: a function of a .tsx file whose name begins with a capital letter.
        let isComponent: Bool
    }

    /// Every function, method and arrow function with a body in braces, and every arrow function whose value is in
    /// parentheses.
    var functions: [Function] {
        text.partner.keys.sorted().compactMap { offset in
            guard let close = text.partner[offset], close > offset, let head = headOfFunction(bodyAt: offset) else {
                return nil
            }
            let (first, last) = (text.lineIndex(of: offset), text.lineIndex(of: close))
            let name = Self.name(in: code[text.lineIndex(of: head)])
            return Function(
                name: name, line: first, lineCount: last - first + 1,
                isComponent: path.hasSuffix(".tsx") && name.first?.isUppercase == true)
        }
    }

    /// The offset at which the function begins whose body opens here, or nil where the bracket is no function's body.
    private func headOfFunction(bodyAt offset: Int) -> Int? {
        guard let last = text.previousVisible(before: offset) else { return nil }
        let isBrace = text.bytes[offset] == UInt8(ascii: "{")
        if text.bytes[last] == UInt8(ascii: ">"), last > 0, text.bytes[last - 1] == UInt8(ascii: "=") {
            return isBrace || text.bytes[offset] == UInt8(ascii: "(") ? last : nil
        }
        guard isBrace else { return nil }
        var end = last
        if text.bytes[end] != UInt8(ascii: ")") {
            let line = text.lineIndex(of: offset)
            let start = text.lineStarts[line]
            guard let close = (start..<offset).last(where: { text.bytes[$0] == UInt8(ascii: ")") }) else { return nil }
            let between = String(decoding: text.bytes[(close + 1)..<offset], as: UTF8.self)
            guard between.wholeMatch(of: #/:\s*[\w<>\[\]|&,. "]+/#) != nil else { return nil }
            end = close
        }
        guard let open = text.partner[end] else { return nil }
        return ["if", "for", "while", "switch", "catch", "with", "await"].contains(text.word(before: open)) ? nil : open
    }

    private static func name(in line: String) -> String {
        if let match = line.firstMatch(of: /function\*?\s+(\w+)|(?:const|let)\s+(\w+)/) {
            return String(match.1 ?? match.2 ?? "")
        }
        return line.firstMatch(of: #/([\w#]+)\s*(?:=\s*(?:async\s*)?)?\(/#).map { String($0.1) } ?? "a function"
    }
}

extension Rules {
    static let longestWebFunction = 40
    static let longestComponent = 60

    /// A function is at most 40 lines long, a React component at most 60.
    static func webFunctionLength(_ source: WebSource) -> [Violation] {
        source.functions.compactMap { function in
            let limit = function.isComponent ? longestComponent : longestWebFunction
            guard function.lineCount > limit else { return nil }
            return Violation(
                path: source.path, line: function.line + 1,
                advice: """
                    \(function.name) is \(function.lineCount) lines long; at most \(limit) are allowed for a \
                    \(function.isComponent ? "component" : "function"). Move a part of it into one of its own.
                    """)
        }
    }

    /// A module holds no state: no `let` or `var` at the top level, no object of a class that can change, and no
    /// collection that the module changes.
    /// State belongs to an object or a context that its user creates.
    static func webModuleState(_ source: WebSource) -> [Violation] {
        source.topLevelLines.compactMap { index in
            let line = source.code[index]
            guard let name = mutableName(in: line, of: source) else { return nil }
            return Violation(
                path: source.path, line: index + 1,
                advice: """
                    `\(name)` is state of the module, shared by everything that imports it. Make it a private field \
                    of a class or put it into a context, and pass that in.
                    """)
        }
    }

    /// A module may have one that it never changes.
    private static let collections: Set<Substring> = ["Map", "Set", "Array"]
    /// Objects that nothing changes.
    private static let constants = ["Intl.", "RegExp", "TextEncoder", "TextDecoder", "Uint8Array", "Error"]

    private static func mutableName(in line: String, of source: WebSource) -> String? {
        guard line.hasPrefix("let ") || line.hasPrefix("var ") || line.hasPrefix("const ") || line.hasPrefix("export ")
        else {
            return nil
        }
        if let match = line.prefixMatch(of: /(?:export )?(?:let|var) (\w+)/) { return String(match.1) }
        guard
            let match = line.prefixMatch(
                of: /(?:export )?const (\w+)[^=]*= (?:new ([\w.]+)|\[|\{)/)
        else { return nil }
        let name = String(match.1)
        if let made = match.2, !collections.contains(made), !constants.contains(where: made.hasPrefix) { return name }
        let changes = ["set", "add", "delete", "clear", "push", "pop", "shift", "unshift", "splice", "sort", "reverse"]
        let changed = source.code.contains { code in
            changes.contains { code.contains("\(name).\($0)(") }
                || code.range(
                    of: "(^|[^\\w.])\(name)(\\[[^\\]]*\\]|\\.\\w+) *(=[^=>]|\\+=|-=|\\+\\+|--)",
                    options: .regularExpression)
                    != nil
        }
        return changed ? name : nil
    }
}
