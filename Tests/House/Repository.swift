import Foundation

/// The files of this repository.
enum Repository {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The names of the folders in a folder.
    static func folders(in path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(
            at: root.appending(path: path), includingPropertiesForKeys: [.isDirectoryKey]
        )
        .filter { try $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true }
        .map(\.lastPathComponent).sorted()
    }

    /// Every file below a folder with one of the endings, as paths from the root.
    static func files(in path: String, endings: Set<String>) -> [String] {
        let folder = root.appending(path: path)
        let found = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        let built = [".build/", "node_modules/", "dist/", ".venv/", "__pycache__/", ".git/"]
        return found.filter { file in
            endings.contains(URL(filePath: file).pathExtension) && !built.contains { file.contains($0) }
        }
        .map { path == "." ? $0 : "\(path)/\($0)" }.sorted()
    }

    /// The endings of all files that people write and read here.
    static let textEndings: Set<String> = [
        "swift", "ts", "tsx", "css", "html", "md", "py", "mjs", "sh", "c", "h", "yaml", "yml", "json",
    ]

    /// Whether there is a file or a folder at a path.
    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }

    /// The TypeScript sources of Web, without its tests. They are read once and kept.
    static func webSources() throws -> [WebSource] { try allWebSources.get() }

    private static let allWebSources = Result {
        try files(in: "Web", endings: ["ts", "tsx"]).filter { !$0.hasPrefix("Web/test/") && !$0.contains(".test.") }
            .map { WebSource(path: $0, text: try text($0)) }
    }

    /// The Swift sources below a folder of Sources or Tests. All are read once and kept.
    static func swiftSources(in path: String) throws -> [SwiftSource] {
        try allSwiftSources.get().filter { $0.path.hasPrefix("\(path)/") }
    }

    private static let allSwiftSources = Result {
        try ["Sources", "Tests"].flatMap { files(in: $0, endings: ["swift"]) }
            .map { SwiftSource(path: $0, text: try text($0)) }
    }
}
