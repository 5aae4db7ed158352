import Foundation

/// A Swift source as the rules read it: with its comments and the contents of its string literals blanked, so that a rule speaks of code only.
struct SwiftSource {
    /// Path from the repository's root, for messages.
    let path: String
    /// The source, line by line, without comments and without what stands in quotes.
    let code: [String]

    init(path: String, text: String) {
        self.path = path
        var blanker = Blanker(text)
        code = blanker.blanked().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// The modules that the source imports, with the line each stands on.
    var imports: [(module: String, line: Int)] {
        let pattern =
            /^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias|actor)\s+)?(\w+)/
        return code.enumerated().compactMap { index, line in
            line.firstMatch(of: pattern).map { (String($0.1), index + 1) }
        }
    }

    /// The lines on which the pattern stands in code.
    /// Swift's default word boundary follows Unicode, where `a.b` is one word; code wants the simple one.
    func lines(with pattern: Regex<Substring>) -> [Int] {
        let pattern = pattern.wordBoundaryKind(.simple)
        return code.enumerated().compactMap { index, line in line.firstMatch(of: pattern) == nil ? nil : index + 1 }
    }
}

/// Blanks comments (nested ones too) and string literals (raw and multi-line ones too). Newlines stay, so that line numbers hold.
/// Interpolated code inside a string is blanked with it; no rule needs it.
private struct Blanker {
    private let scalars: [UnicodeScalar]
    private var position = 0
    private var output = String.UnicodeScalarView()

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
    }

    mutating func blanked() -> String {
        while position < scalars.count {
            if starts("//") {
                skip(until: { $0.starts("\n") })
            } else if starts("/*") {
                skipBlockComment()
            } else if let hashes = quoteAhead() {
                skipString(hashes: hashes)
            } else {
                output.append(scalars[position])
                position += 1
            }
        }
        return String(output)
    }

    private func starts(_ text: String, at offset: Int = 0) -> Bool {
        let wanted = Array(text.unicodeScalars)
        let start = position + offset
        return start + wanted.count <= scalars.count && Array(scalars[start..<start + wanted.count]) == wanted
    }

    private mutating func skip(until end: (Blanker) -> Bool) {
        while position < scalars.count, !end(self) { step() }
    }

    private mutating func step(_ count: Int = 1) {
        for scalar in scalars[position..<min(position + count, scalars.count)] where scalar == "\n" {
            output.append(scalar)
        }
        position = min(position + count, scalars.count)
    }

    private mutating func skipBlockComment() {
        var depth = 0
        repeat {
            if starts("/*") {
                depth += 1
                step(2)
            } else if starts("*/") {
                depth -= 1
                step(2)
            } else {
                step()
            }
        } while depth > 0 && position < scalars.count
    }

    /// The number of # before a quote that opens here, or nil where none does.
    private func quoteAhead() -> Int? {
        var hashes = 0
        while starts("#", at: hashes) { hashes += 1 }
        return starts("\"", at: hashes) ? hashes : nil
    }

    private mutating func skipString(hashes: Int) {
        let fence = String(repeating: "#", count: hashes)
        step(hashes)
        let quote = starts("\"\"\"") ? "\"\"\"" : "\""
        step(quote.count)
        while position < scalars.count, !starts(quote + fence) {
            step(starts("\\" + fence) ? hashes + 2 : 1)
        }
        step(quote.count + hashes)
        output.append(contentsOf: "\"\"".unicodeScalars)
    }
}
