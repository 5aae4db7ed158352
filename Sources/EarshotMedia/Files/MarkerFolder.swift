import EarshotModel

/// A folder of empty files, each named after a recording: a set of recordings that survives a crash. Every call blocks.
struct MarkerFolder: Sendable {
    private let folder: String

    /// The folder is made with its first file.
    init(_ folder: String) {
        self.folder = folder
    }

    /// Adds a recording.
    /// - Parameter isDurable: whether the marker also survives a power failure from now on, and not only from the next
    ///   sync of any folder.
    func add(_ id: String, isDurable: Bool) throws {
        guard try !contains(id) else { return }
        try FileSystem.makeFolder(folder)
        _ = try OpenFile(writing: path(id))
        if isDurable { try OpenFile(reading: folder).syncFolder() }
    }

    /// Whether the recording is in the set.
    func contains(_ id: String) throws -> Bool {
        try FileSystem.exists(path(id))
    }

    /// Removes a recording.
    func remove(_ id: String) throws {
        try FileSystem.removeFile(path(id))
    }

    /// When a recording was added.
    func added(_ id: String) throws -> Timestamp? {
        try FileSystem.modified(path(id)).map { Timestamp(milliseconds: $0 / 1_000_000) }
    }

    /// All recordings in the set.
    var ids: [String] {
        FileSystem.names(in: folder).filter(DraftKey.isWellFormed)
    }

    private func path(_ id: String) throws -> String {
        guard DraftKey.isWellFormed(id) else { throw Rejection.notFound }
        return "\(folder)/\(id)"
    }
}
