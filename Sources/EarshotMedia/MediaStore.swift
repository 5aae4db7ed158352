public import EarshotCore
public import EarshotModel
import Foundation
import Synchronization

/// Recordings in a folder: what is being uploaded, what was finished, and the MP3 of each.
///
/// An upload's id is made from author, conversation and draft with a key that only this folder knows: the same draft finds its upload again after any
/// restart, and nobody can guess another's.
public final class MediaStore: RecordingFiles, RecordingUploads {
    let folders: Folders
    let pool: WorkerPool
    let renditions: Renditions
    let scanner: Scanner?
    /// What the scanner has still to see whole; `nil` where there is no scanner.
    let scans: ScanQueue?
    let key: DraftKey
    let open: Mutex<[UploadID: Upload]>
    let finishLimit: Duration
    /// A recorder does not stop on the sample: so much more than the limit is taken.
    public static let overshootMs = 500

    /// Opens the folder, renditionJob it where there is none, and finds the unfinished uploads in it again.
    /// - Parameter scanner: who looks into recordings before anyone else gets them; without one they are `unscanned`.
    public static func open(_ root: String, pool: WorkerPool, scanner: Scanner? = nil) async throws -> MediaStore {
        try await guarded {
            try await BlockingPool.run { try MediaStore(Folders(root: root), pool, scanner) }
        }
    }

    private init(_ folders: Folders, _ pool: WorkerPool, _ scanner: Scanner?) throws {
        try Folders.make(folders.root)
        let folders = try folders.resolved()
        self.folders = folders
        self.pool = pool
        renditions = Renditions(pool: pool)
        self.scanner = scanner
        scans = try scanner.map { try ScanQueue(root: folders.root, wake: $0.work) }
        finishLimit = pool.finishLimit
        key = try DraftKey(in: folders.root)
        let found = folders.uploads().map { (folder: $0, upload: Upload.restored(from: $0, scanner: scanner)) }
        for orphan in found where orphan.upload == nil { try Folders.remove(orphan.folder) }
        for upload in found.compactMap(\.upload) where !upload.isRefused.load(ordering: .relaxed) {
            try scans?.expect(upload.about.upload)
        }
        open = Mutex(Dictionary(uniqueKeysWithValues: found.compactMap(\.upload).map { ($0.about.upload, $0) }))
    }

    public func begin(_ request: UploadRequest) async throws -> UploadStatus {
        let id = key.upload(of: request)
        if let record = try await record(of: id) {
            return UploadStatus(upload: id, received: record.content.sizeBytes, isFinished: true, isNew: false)
        }
        let (upload, isNew) = try claim(id, request)
        return try await Self.guarded {
            do {
                if isNew { try await BlockingPool.run { try self.create(upload) } }
            } catch {
                open.withLock { $0[id] = nil }
                throw error
            }
            let received = try await BlockingPool.run { upload.received }
            return UploadStatus(upload: id, received: received, isFinished: false, isNew: isNew)
        }
    }

    public func append(_ bytes: [UInt8], at offset: Int, to upload: UploadID, by author: String) async throws -> Int {
        guard let found = find(upload, author) else {
            throw try await record(of: upload)?.author == author ? Rejection.uploadFinished : Rejection.notFound
        }
        return try await Self.guarded {
            let received = try await BlockingPool.run { try found.append(bytes, at: offset) }
            try await decode(found)
            return received
        }
    }

    public func status(of upload: UploadID, by author: String) async throws -> UploadStatus {
        if let found = find(upload, author) {
            let received = try await BlockingPool.run { found.received }
            return UploadStatus(upload: upload, received: received, isFinished: false, isNew: false)
        }
        guard let record = try await record(of: upload), record.author == author else { throw Rejection.notFound }
        return UploadStatus(upload: upload, received: record.content.sizeBytes, isFinished: true, isNew: false)
    }

    public func finish(_ upload: UploadID, bytes: Int, by author: String) async throws -> FinishedUpload {
        if let found = find(upload, author) { try await Self.guarded { try await finish(found, bytes) } }
        guard let record = try await record(of: upload), record.author == author else { throw Rejection.notFound }
        guard record.content.sizeBytes == bytes else { throw Rejection.uploadFinished }
        return FinishedUpload(record)
    }

    public func abort(_ upload: UploadID, by author: String) async throws {
        guard let found = find(upload, author) else {
            guard let record = try await record(of: upload), record.author == author else { throw Rejection.notFound }
            throw Rejection.uploadFinished
        }
        try await Self.guarded { try await BlockingPool.run { try self.remove(found) } }
        open.withLock { $0[upload] = nil }
    }

    public func original(of media: MediaID, in conversation: ConversationID) async throws -> MediaFile? {
        try await checkScannedWhole(media)
        return try await file(
            Upload.original(in: folders.media(media.rawValue)), of: media, in: conversation,
            tag: media.rawValue + "-original")
    }

    func file(_ path: String, of media: MediaID, in conversation: ConversationID, tag: String) async throws
        -> MediaFile?
    {
        guard let record = try await record(of: UploadID(trusted: media.rawValue)), record.conversation == conversation
        else { return nil }
        guard let size = try await BlockingPool.run({ Folders.size(of: path) }) else { return nil }
        return MediaFile(path: path, size: size, etag: tag)
    }

    public func sweep(begunBefore limit: Timestamp) async throws {
        let old = open.withLock { $0.values.filter { $0.about.begun < limit } }
        for upload in old {
            // One that is being finished in this moment stays.
            guard (try? await BlockingPool.run { try self.remove(upload) }) != nil else { continue }
            open.withLock { $0[upload.about.upload] = nil }
        }
    }

    /// Removes a finished recording with all its files.
    public func discard(_ media: MediaID, in conversation: ConversationID) async throws {
        guard let record = try await record(of: UploadID(trusted: media.rawValue)), record.conversation == conversation
        else { throw Rejection.notFound }
        let folder = folders.media(media.rawValue)
        await renditions.settle(in: folder)
        try await Self.guarded { try await BlockingPool.run { try Folders.remove(folder) } }
    }
}
