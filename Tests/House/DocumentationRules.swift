import Foundation

/// Rules about the documents: how long they may be, and that what they name exists.
extension Rules {
    /// A document has at most so many words.
    static func wordCount(path: String, text: String, atMost limit: Int) -> [Violation] {
        let count = text.split(whereSeparator: \.isWhitespace).count
        guard count > limit else { return [] }
        return [
            Violation(
                path: path, line: 1,
                advice:
                    "\(count) words; at most \(limit) are allowed. Move details to a page in docs/ and link to it."
            )
        ]
    }

    /// A reference to a function in a document: `Sources/Target/File.swift:function`.
    struct FunctionReference: Equatable {
        let line: Int
        let path: String
        let function: String
    }

    static func functionReferences(in text: String) -> [FunctionReference] {
        text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().flatMap { index, line in
            line.matches(of: /`((?:Sources|Web|Tests)\/[\w\/.+-]+\.(?:swift|tsx?)):([\w#]+)`/)
                .map { FunctionReference(line: index + 1, path: String($0.1), function: String($0.2)) }
        }
    }

    /// Each function that a document names exists in the file that it names. `read` gives a file's text, or nil where
    /// there is none.
    static func functionReferencesExist(path: String, text: String, read: (String) -> String?) -> [Violation] {
        functionReferences(in: text).compactMap { reference in
            guard let source = read(reference.path) else {
                return Violation(
                    path: path, line: reference.line,
                    advice: """
                        there is no file \(reference.path). Find where `\(reference.function)` is now and correct \
                        the page.
                        """)
            }
            guard !declares(reference.function, in: source, isSwift: reference.path.hasSuffix(".swift")) else {
                return nil
            }
            return Violation(
                path: path, line: reference.line,
                advice: """
                    \(reference.path) declares no function `\(reference.function)`. Find its new name or file and \
                    correct the page.
                    """)
        }
    }

    private static func declares(_ function: String, in source: String, isSwift: Bool) -> Bool {
        let name = NSRegularExpression.escapedPattern(for: function)
        let pattern =
            isSwift
            ? (function == "init" ? "\\binit[?]?[(<]" : "\\b(func|var|let|case) \(name)\\b")
            : "(function\\*? |const )\(name)\\b|(async |get |static |^\\s*|#)\(name)(\\(|<)"
        return source.split(separator: "\n").contains { line in
            line.contains(function) && line.range(of: pattern, options: .regularExpression) != nil
        }
    }

    /// Each source file that a document names by `Name.swift` or `test_name.py` exists somewhere in the repository.
    static func namedFilesExist(path: String, text: String, fileNames: Set<String>) -> [Violation] {
        text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().flatMap { index, line in
            line.matches(of: /[\w+-]+\.(?:swift|py|tsx?)\b/).map { String($0.0) }.filter { !fileNames.contains($0) }.map
            { name in
                Violation(
                    path: path, line: index + 1, advice: "there is no file \(name). Write the name that it has now.")
            }
        }
    }

    /// Each relative link of a document leads to a file.
    static func linksExist(path: String, text: String, exists: (String) -> Bool) -> [Violation] {
        let folder = path.split(separator: "/").dropLast().joined(separator: "/")
        return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().flatMap { index, line in
            line.matches(of: /\]\(([^)#:\s]+)(?:#[^)]*)?\)/).map { String($0.1) }
                .filter { !exists(folder.isEmpty ? $0 : "\(folder)/\($0)") }
                .map {
                    Violation(
                        path: path, line: index + 1, advice: "the link \($0) leads to no file. Correct or remove it.")
                }
        }
    }
}
