import EarshotModel

/// The paths of all media files. Every name in them is an id that the server made; nothing that a client sends becomes
/// part of a path.
///
///     uploads/ab/cd/<id>/   about, original, voice.mp3, refused     while a recording is uploaded
///     media/ab/cd/<id>/     about, record, original, voice.mp3      once it is finished; voice.ogg and voice.m4a
///                                                                   once someone asked for them. A copy has no about.
struct MediaFolders: Sendable {
    private let root: String

    init(root: String) {
        self.root = root
    }

    /// The folder of an unfinished upload.
    func upload(_ id: UploadID) throws -> String { try path("uploads", id.rawValue) }

    /// The folder of a finished recording.
    func media(_ id: MediaID) throws -> String { try path("media", id.rawValue) }

    /// The folders of all unfinished uploads.
    func uploads() -> [String] {
        let top = root + "/uploads"
        return FileSystem.names(in: top).flatMap { first in
            FileSystem.names(in: "\(top)/\(first)").flatMap { second in
                FileSystem.names(in: "\(top)/\(first)/\(second)").map { "\(top)/\(first)/\(second)/\($0)" }
            }
        }
    }

    /// Spreads folders over two levels, named after the first four characters of the id.
    private func path(_ kind: String, _ id: String) throws -> String {
        guard DraftKey.isWellFormed(id) else { throw Rejection.notFound }
        let characters = Array(id)
        return "\(root)/\(kind)/\(String(characters[0..<2]))/\(String(characters[2..<4]))/\(id)"
    }
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
    /// Why the recording was refused.
    var refused: String { folder + "/refused" }

    /// A rendition, by its file extension.
    func rendition(_ name: String) -> String { "\(folder)/voice.\(name)" }
}
