import Foundation

/// Rules about a file's text: line length, forbidden words, files per folder.
extension Rules {
    static let longestLine = 120
    static let mostFilesPerFolder = 20

    /// A line has at most 120 characters.
    static func lineLength(path: String, text: String) -> [Violation] {
        text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { index, line in
            guard line.utf8.count > longestLine, line.unicodeScalars.count > longestLine else { return nil }
            return Violation(
                path: path, line: index + 1,
                advice: "\(line.unicodeScalars.count) characters; at most \(longestLine) are allowed. Break the line.")
        }
    }

    /// A folder has at most 20 files of its own.
    static func folderSize(_ paths: [String]) -> [Violation] {
        Dictionary(grouping: paths) { String($0[..<($0.lastIndex(of: "/") ?? $0.startIndex)]) }
            .filter { $0.value.count > mostFilesPerFolder }.sorted { $0.key < $1.key }
            .map { folder, files in
                Violation(
                    path: folder, line: 1,
                    advice: """
                        \(files.count) files; at most \(mostFilesPerFolder) are allowed. Group the files that serve \
                        one feature into a folder with the feature's name.
                        """)
            }
    }

    /// No word that the glossary replaces by another: in identifiers (each part of camelCase counts), comments, texts
    /// and documents.
    static func words(path: String, text: String, glossary: Glossary) -> [Violation] {
        text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().flatMap { index, line in
            glossary.refusedWords(in: line, path: path).map { word in
                Violation(
                    path: path, line: index + 1,
                    advice: "\"\(word.text)\" is not used here. \(word.advice) See docs/glossary.md.")
            }
        }
    }
}
