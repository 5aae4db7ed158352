import FoundationEssentials

/// A folder of built pages, gone with its owner.
final class PageFolder: Sendable {
    let path: String

    init(_ files: [String: String]) throws {
        path = FileManager.default.temporaryDirectory.path + "/earshot-pages-" + UUID().uuidString
        for (name, content) in files {
            let file = URL(filePath: path + "/" + name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(content.utf8).write(to: file)
        }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
