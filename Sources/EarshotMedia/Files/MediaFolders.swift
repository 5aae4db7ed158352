import EarshotModel

/// The paths of all media files. Every name in them is an id that the server made; nothing that a client sends becomes
/// part of a path.
///
///     uploads/<id>/         about, original, voice.mp3              while a recording is uploaded
///     media/ab/cd/<id>/     about, record, original, voice.mp3      once it is finished; voice.ogg and voice.m4a
///                                                                   once someone asked for them. A copy has no about.
///     unconfirmed/<id>      an empty file                           until the row of the recording is stored
struct MediaFolders: Sendable {
    /// The folder that holds everything.
    let root: String

    init(root: String) {
        self.root = root
    }

    /// The folder of an unfinished upload. Uploads lie side by side, because there are never many.
    func upload(_ id: UploadID) throws -> String {
        guard DraftKey.isWellFormed(id.rawValue) else { throw Rejection.notFound }
        return "\(uploads)/\(id)"
    }

    /// The folder of a finished recording. They are spread over two levels, named after the first four characters of
    /// the id, because there are many.
    func media(_ id: MediaID) throws -> String {
        guard DraftKey.isWellFormed(id.rawValue) else { throw Rejection.notFound }
        let characters = Array(id.rawValue)
        return "\(root)/media/\(String(characters[0..<2]))/\(String(characters[2..<4]))/\(id)"
    }

    /// The ids of all unfinished uploads, and of what a crash left half made.
    func uploadIDs() -> [UploadID] {
        FileSystem.names(in: uploads).filter(DraftKey.isWellFormed).map { UploadID(trusted: $0) }
    }

    /// Earlier versions spread uploads over two levels of folders and left these behind when they were empty. Moves the
    /// uploads in at most `limit` of these folders to their place, and removes the folders.
    /// - Returns: `false` once there are none left.
    func flattenUploads(atMost limit: Int) throws -> Bool {
        var seen = 0
        for first in FileSystem.names(in: uploads) where first.utf8.count == Self.oldFolderCharacters {
            for second in FileSystem.names(in: "\(uploads)/\(first)") {
                let folder = "\(uploads)/\(first)/\(second)"
                for id in FileSystem.names(in: folder) {
                    try FileSystem.move("\(folder)/\(id)", to: upload(UploadID(trusted: id)))
                }
                try FileSystem.removeFolder(folder)
                seen += 1
                if seen == limit { return true }
            }
            try FileSystem.removeFolder("\(uploads)/\(first)")
        }
        return false
    }

    private static let oldFolderCharacters = 2

    private var uploads: String { root + "/uploads" }
}

/// The files in the folder of one upload or one finished recording.
struct RecordingPaths: Sendable {
    let folder: String

    /// What the client uploaded, byte for byte.
    var original: String { folder + "/original" }
    /// The MP3 that everyone else hears.
    var mp3: String { folder + "/voice.mp3" }
    /// What is known of a finished recording, as JSON.
    var record: String { folder + "/record" }
    /// Who began the upload, for which draft, as JSON.
    var about: String { folder + "/about" }
    /// Why the recording was refused, as earlier versions kept it.
    var refused: String { folder + "/refused" }

    /// A rendition, by its file extension.
    func rendition(_ name: String) -> String { "\(folder)/voice.\(name)" }
}
