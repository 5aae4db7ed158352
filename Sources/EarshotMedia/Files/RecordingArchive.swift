import EarshotCore
import EarshotModel
import Foundation

/// The finished recordings on disk: their records and their files.
final class RecordingArchive: Sendable {
    private let folders: MediaFolders

    init(_ folders: MediaFolders) {
        self.folders = folders
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
        let draft = RecordingPaths(folder: try folders.upload(DraftKey.randomID()))
        do {
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

    /// Removes a recording with all its files. Blocks.
    func remove(_ media: MediaID) throws {
        try FileSystem.removeFolder(try files(of: media).folder)
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
