import Foundation

/// A Swift source as the rules read it.
struct SwiftSource {
    /// Path from the repository's root, for messages.
    let path: String
    /// The source as it is in the file, line by line.
    let raw: [String]
    /// The source without its comments and without the contents of its strings.
    let text: SourceText
    /// The same, line by line.
    let code: [String]

    init(path: String, text: String) {
        self.path = path
        raw = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        self.text = SourceText(text)
        code = self.text.lines
    }

    /// The modules that the source imports, with the line of each import.
    var imports: [(module: String, line: Int)] {
        let pattern =
            #/
            ^\s*(?:@\w+(?:\([^)]*\))?\s+)*
            (?:(?:public|package|internal|fileprivate|private)\s+)?import\s+
            (?:(?:struct|class|enum|protocol|func|var|let|typealias|actor)\s+)?(\w+)
            /#
        return code.enumerated().compactMap { index, line in
            guard line.contains("import") else { return nil }
            return line.firstMatch(of: pattern).map { (String($0.1), index + 1) }
        }
    }

    /// The lines of code that match the pattern.
    /// Swift's default word boundary follows Unicode, where `a.b` is one word; code wants the simple one.
    func lines(with pattern: Regex<Substring>) -> [Int] {
        let pattern = pattern.wordBoundaryKind(.simple)
        return code.enumerated().compactMap { index, line in line.firstMatch(of: pattern) == nil ? nil : index + 1 }
    }
}
