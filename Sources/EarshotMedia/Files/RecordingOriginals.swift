public import EarshotModel

/// The originals of finished recordings, for a process that is not the server.
public struct RecordingOriginals: Sendable {
    private let folders: MediaFolders

    /// - Parameter root: the folder of the recordings.
    public init(root: String) {
        folders = MediaFolders(root: root)
    }

    /// The bytes that the client uploaded; `nil` if there are none. Blocks.
    public func bytes(of media: MediaID) throws -> [UInt8]? {
        let path = RecordingPaths(folder: try folders.media(media)).original
        return FileSystem.exists(path) ? try FileSystem.contents(of: path) : nil
    }
}
