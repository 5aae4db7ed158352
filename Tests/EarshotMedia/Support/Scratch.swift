import Foundation

/// Folders for one run, removed when it ends.
enum Scratch {
    private static let root: String = {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("earshot-media-\(getpid())").path
        try? FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        atexit { Scratch.remove() }
        return root
    }()

    /// A new, empty folder.
    static func folder(_ name: String) throws -> String {
        let path = "\(root)/\(name)-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    /// Every file below, without folders.
    static func files(below path: String) -> [String] {
        let all = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        return all.filter {
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: "\(path)/\($0)", isDirectory: &isFolder)
                && !isFolder.boolValue
        }.sorted()
    }

    private static func remove() {
        try? FileManager.default.removeItem(atPath: root)
    }
}
