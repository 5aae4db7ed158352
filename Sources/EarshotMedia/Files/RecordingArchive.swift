import EarshotCore
import EarshotModel
import Foundation

/// The finished recordings on disk: their records and their files.
///
/// A recording whose row in the database may be missing has a marker: from before it gets its place until its row is
/// stored, and from before its row is removed until its files are. So a crash between the two leaves nothing behind
/// that `unconfirmed` does not find.
final class RecordingArchive: Sendable {
    private let folders: MediaFolders
    private let markers: MarkerFolder
    /// The folders in which copies are being prepared right now.
    private let drafts = Locked(Set<UploadID>())

    init(_ folders: MediaFolders) {
        self.folders = folders
        markers = MarkerFolder(folders.root + "/unconfirmed")
    }

    /// The files of a recording.
    func files(of media: MediaID) throws -> RecordingPaths {
        RecordingPaths(folder: try folders.media(media))
    }

    /// What is known of a finished recording; `nil` if there is none.
    func record(of media: MediaID) async throws -> RecordedMedia? {
        guard DraftKey.isWellFormed(media.rawValue) else { return nil }
        let path = try files(of: media).record
        return try await Self.mappingErrors {
            try await BlockingPool.run {
                guard FileSystem.exists(path) else { return nil }
                return try JSONDecoder().decode(RecordedMedia.self, from: Data(FileSystem.contents(of: path)))
            }
        }
    }

    /// Saves what the scanner said of a recording. Blocks.
    func save(_ scan: ScanState, of record: RecordedMedia) throws {
        guard record.scan != scan else { return }
        var record = record
        record.scan = scan
        try FileSystem.replace(
            try files(of: record.content.media).record, with: Array(JSONEncoder().encode(record)))
    }

    /// When a recording was finished, in nanoseconds since 1970; `nil` if there is none. Blocks.
    func finishedAt(_ media: MediaID) throws -> Int64? {
        FileSystem.modified(try files(of: media).record)
    }

    /// Makes another recording of the same bytes (hard links). Of two that do so at once the first wins. Blocks.
    ///
    /// The folder is prepared under a random name and then moved, so that a half-made copy is never seen.
    func link(_ copy: RecordedMedia, to original: MediaID) throws {
        let from = try files(of: original)
        let to = try files(of: copy.content.media)
        let id = DraftKey.randomID()
        let draft = RecordingPaths(folder: try folders.upload(id))
        drafts.update { _ = $0.insert(id) }
        defer { drafts.update { _ = $0.remove(id) } }
        do {
            try markers.add(copy.content.media.rawValue, isDurable: false)
            try FileSystem.makeFolder(draft.folder)
            try FileSystem.link(from.original, to: draft.original)
            try FileSystem.link(from.mp3, to: draft.mp3)
            try FileSystem.replace(draft.record, with: Array(JSONEncoder().encode(copy)))
            try FileSystem.move(draft.folder, to: to.folder)
        } catch {
            try? FileSystem.removeFolder(draft.folder)
            guard FileSystem.exists(to.record) else { throw error }
        }
    }

    /// Whether a copy is being prepared in this upload folder.
    func isDraft(_ id: UploadID) -> Bool {
        drafts.value.contains(id)
    }

    /// Removes a recording with all its files, and its marker. Blocks.
    func remove(_ media: MediaID) throws {
        let folder = try files(of: media).folder
        if FileSystem.exists(folder) {
            try FileSystem.removeFolder(folder)
            try FileSystem.removeEmptyParents(of: folder, below: folders.root)
        }
        try markers.remove(media.rawValue)
    }

    /// Marks a recording: its row may be missing from now on. Blocks.
    /// - Parameter isDurable: whether the marker also survives a power failure from now on.
    func mark(_ media: MediaID, isDurable: Bool) throws {
        try markers.add(media.rawValue, isDurable: isDurable)
    }

    /// Removes a recording's marker: its row is stored. Blocks.
    func confirm(_ media: MediaID) throws {
        try markers.remove(media.rawValue)
    }

    /// The recordings that were marked before `limit`. Blocks.
    func marked(before limit: Timestamp) throws -> [MediaID] {
        try markers.ids.filter { try markers.added($0).map { $0 < limit } ?? false }.map { MediaID(trusted: $0) }
    }

    /// Turns file errors into `AdapterFailure`s and lets rejections through.
    static func mappingErrors<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let failure as FileFailure {
            throw failure.asAdapterFailure
        } catch let error as DecodingError {
            throw AdapterFailure("media files: a record cannot be read: \(error)", isRetryable: false)
        }
    }
}
