public import EarshotCore
public import EarshotModel
import EarshotWorkerProtocol

/// Recordings in a folder on disk: uploads in progress, finished recordings, and their renditions.
///
/// An upload's id is derived from author, conversation and draft with a secret key (`DraftKey`): a draft finds its
/// upload again after a restart, and no client can guess another's.
///
/// The path of a recording: `append` writes each chunk to the upload's file and gives the upload a media worker;
/// `finish` waits for the worker's result and for the scanner, saves the record and moves the files to the archive.
public final class MediaStore: RecordingFiles, RecordingUploads {
    private let folders: MediaFolders
    private let uploads: UploadRegistry
    private let pool: WorkerPool
    private let renditions: Renditions
    private let scanner: Scanner?
    private let key: DraftKey
    /// The finished recordings.
    let archive: RecordingArchive
    /// The recordings whose whole file is still to be scanned; `nil` without a scanner.
    let scans: ScanQueue?
    let counts = MediaMetrics()

    /// The largest Ogg file that is made. WhatsApp shows a larger voice message as a download, without a play button.
    public static let maxOggBytes = 512 * 1024
    /// The sender's own packets may be up to a packet longer than what was decoded.
    private static let remuxSpareMs = 1_000

    /// Opens the folder `root`, creates it if needed, and restores the unfinished uploads in it.
    /// - Parameter scanner: scans recordings before anyone else gets them. Without one they are `unscanned`.
    public static func open(_ root: String, pool: WorkerPool, scanner: Scanner? = nil) async throws -> MediaStore {
        try await RecordingArchive.mappingErrors {
            try await BlockingPool.run { try MediaStore(root, pool, scanner) }
        }
    }

    private init(_ root: String, _ pool: WorkerPool, _ scanner: Scanner?) throws {
        try FileSystem.makeFolder(root)
        // An operator may link the folder to another volume. Below it no link is ever followed.
        let root = try FileSystem.resolvingLink(root)
        folders = MediaFolders(root: root)
        self.pool = pool
        self.scanner = scanner
        archive = RecordingArchive(folders)
        renditions = Renditions(pool: pool)
        scans = try scanner.map { try ScanQueue(root: root, signal: $0.work) }
        key = try DraftKey(in: root)
        var restored: [Upload] = []
        for folder in folders.uploads() {
            if let upload = Upload(restoredFrom: folder, finishLimit: pool.finishLimit, scanner: scanner) {
                if !upload.isRefused { try scans?.expect(upload.about.upload) }
                restored.append(upload)
            } else {
                try FileSystem.removeFolder(folder)
            }
        }
        uploads = UploadRegistry(restored)
    }

    // MARK: Uploads

    /// Begins an upload, or finds the one that this author's draft has already.
    public func begin(_ request: UploadRequest) async throws -> UploadStatus {
        let id = key.upload(of: request)
        if let record = try await record(of: id) {
            return UploadStatus(upload: id, received: record.content.sizeBytes, isFinished: true, isNew: false)
        }
        let (upload, isNew) = try uploads.findOrAdd(id, by: request.author) {
            Upload(
                Upload.About(id, request), folder: try folders.upload(id), finishLimit: pool.finishLimit,
                scanner: scanner)
        }
        return try await RecordingArchive.mappingErrors {
            do {
                // That the recording needs a scan is on disk before its first byte.
                if isNew {
                    try await BlockingPool.run { [self] in
                        try scans?.expect(id)
                        try upload.create()
                    }
                }
            } catch {
                uploads.remove(id)
                throw error
            }
            let received = try await BlockingPool.run { upload.received }
            return UploadStatus(upload: id, received: received, isFinished: false, isNew: isNew)
        }
    }

    /// Writes a chunk to the upload's file and, if a worker is free, starts to decode while the rest arrives.
    public func append(_ bytes: [UInt8], at offset: Int, to id: UploadID, by author: String) async throws -> Int {
        guard let upload = uploads.find(id, by: author) else {
            throw try await record(of: id)?.author == author ? Rejection.uploadFinished : Rejection.notFound
        }
        return try await RecordingArchive.mappingErrors {
            let (received, begun) = try await BlockingPool.run {
                try upload.append(bytes, at: offset) { try await self.settle(upload, $0) }
            }
            if let begun, !pool.submit(begun, isComplete: false) {
                let isPostponed = try await BlockingPool.run { upload.postpone(begun) }
                if !isPostponed { pool.submit(begun, isComplete: true) }
            }
            return received
        }
    }

    /// How many bytes of an upload have arrived, and whether it is finished.
    public func status(of id: UploadID, by author: String) async throws -> UploadStatus {
        if let upload = uploads.find(id, by: author) {
            let received = try await BlockingPool.run { upload.received }
            return UploadStatus(upload: id, received: received, isFinished: false, isNew: false)
        }
        let record = try await finishedRecord(of: id, by: author)
        return UploadStatus(upload: id, received: record.content.sizeBytes, isFinished: true, isNew: false)
    }

    /// Finishes an upload of `bytes` bytes: waits until it is decoded, scanned and saved.
    ///
    /// A worker that is lost while the bytes arrive costs only time: the file gets another one. If that is lost too,
    /// the recording is refused.
    public func finish(_ id: UploadID, bytes: Int, by author: String) async throws -> FinishedUpload {
        if let upload = uploads.find(id, by: author) { try await finish(upload, bytes) }
        let record = try await finishedRecord(of: id, by: author)
        guard record.content.sizeBytes == bytes else { throw Rejection.uploadFinished }
        return FinishedUpload(record)
    }

    /// Removes an unfinished upload with everything that has arrived.
    public func abort(_ id: UploadID, by author: String) async throws {
        guard let upload = uploads.find(id, by: author) else {
            _ = try await finishedRecord(of: id, by: author)
            throw Rejection.uploadFinished
        }
        try await RecordingArchive.mappingErrors { try await remove(upload) }
    }

    /// Removes the unfinished uploads that were begun before `limit`, except those that are being finished right now.
    public func sweep(begunBefore limit: Timestamp) async throws {
        for upload in uploads.begun(before: limit) { try? await remove(upload) }
    }

    private func remove(_ upload: Upload) async throws {
        try await BlockingPool.run { [self] in
            try upload.remove()
            try scans?.drop(upload.about.upload.rawValue)
        }
        uploads.remove(upload.about.upload)
    }

    // MARK: Decoding

    private func finish(_ upload: Upload, _ bytes: Int) async throws {
        let id = upload.about.upload.rawValue
        counts.finishing(id)
        do {
            try await RecordingArchive.mappingErrors {
                do {
                    try await decode(upload, bytes)
                } catch is LostLiveWorker {
                    try await decode(upload, bytes)
                }
            }
        } catch {
            counts.failed(id, error)
            throw error
        }
    }

    /// The worker was lost before all bytes had arrived.
    private struct LostLiveWorker: Error {}

    private func decode(_ upload: Upload, _ bytes: Int) async throws {
        let (ingest, needsWorker) = try await BlockingPool.run {
            try upload.beginFinish(bytes: bytes) { try await self.settle(upload, $0) }
        }
        if needsWorker { pool.submit(ingest, isComplete: true) }
        do { try await ingest.settled() } catch {
            try await BlockingPool.run { upload.drop(ingest) }
            // A disk that was full while the bytes arrived may have room by now.
            let code = (error as? Rejection)?.code
            if ingest.isLive, code == .audioFailed || code == .storageFull { throw LostLiveWorker() }
            throw error
        }
    }

    /// Saves a decoded recording, or refuses it and throws why.
    private func settle(_ upload: Upload, _ end: RecordingIngest.Settlement) async throws {
        switch end.outcome {
        case .result(let result):
            let record = await record(of: upload, result, end)
            guard record.scan != .blocked else { return try await refuse(upload, .audioBlocked) }
            let target = try archive.files(of: record.content.media).folder
            try await BlockingPool.run { try upload.publish(record, to: target) }
            uploads.remove(upload.about.upload)
            scans?.add(record.content.media)
            counts.finished(record.content.media.rawValue, record.scan)
        case .refused(let failure): try await refuse(upload, .audio(failure, limitMs: upload.about.limitMs))
        case .failed(let error as Rejection): throw error
        case .failed(let error as FileFailure): throw error
        case .failed, .crashed, .rendition: throw Rejection.audioFailed
        }
    }

    private func refuse(_ upload: Upload, _ rejection: Rejection) async throws {
        try await BlockingPool.run { [self] in
            defer { try? scans?.drop(upload.about.upload.rawValue) }
            try upload.refuse(rejection)
        }
    }

    private func record(
        of upload: Upload, _ result: WorkerResult, _ end: RecordingIngest.Settlement
    ) async -> RecordedMedia {
        let content = AudioContent(
            media: MediaID(trusted: upload.about.upload.rawValue), durationMs: Int(result.durationMs),
            waveform: result.waveform.map(Int.init), sizeBytes: end.bytes, loudness: result.loudness)
        let container = "\(result.container)"
        return RecordedMedia(
            content: content, conversation: upload.about.conversation, author: upload.about.author, sha256: end.sha256,
            container: container, scan: await scanState(of: upload, end.bytes, container))
    }

    /// The scan state of an upload of `bytes` bytes. It is clean only if a scanner that is verified for this container
    /// saw every byte.
    private func scanState(of upload: Upload, _ bytes: Int, _ container: String) async -> ScanState {
        guard let scanner, let outcome = await upload.scanOutcome() else { return .unscanned }
        if case .infected = outcome.reply { return .blocked }
        let isClean = outcome == RecordingScan.Outcome(bytes: bytes, reply: .clean)
        return isClean && scanner.health.covers(container) ? .clean : .pending
    }

    // MARK: Finished recordings

    /// Makes another recording of the same bytes for another author or conversation. Either can be removed without the
    /// other.
    public func copy(_ media: MediaID, in conversation: ConversationID, as request: UploadRequest) async throws
        -> FinishedUpload
    {
        guard let original = try await archive.record(of: media), original.conversation == conversation else {
            throw Rejection.notFound
        }
        try await checkScannedWhole(media)
        let id = key.upload(of: request)
        if try await record(of: id) == nil {
            guard uploads[id] == nil else { throw Rejection.uploadFinished }
            let copy = RecordedMedia(
                content: original.content.with(media: MediaID(trusted: id.rawValue)),
                conversation: request.conversation, author: request.author, sha256: original.sha256,
                container: original.container, at: request.at, scan: original.scan)
            try await RecordingArchive.mappingErrors {
                try await BlockingPool.run { [archive] in try archive.link(copy, to: media) }
            }
        }
        guard let made = try await record(of: id) else { throw Rejection.notFound }
        guard made.sha256 == original.sha256 else { throw Rejection.uploadFinished }
        return FinishedUpload(made)
    }

    /// A recording in one of our own formats. The MP3 is there already; the others are made when first asked for, and
    /// kept.
    public func rendition(_ rendition: Rendition, of media: MediaID, in conversation: ConversationID) async throws
        -> MediaFile?
    {
        guard let record = try await archive.record(of: media), record.conversation == conversation else { return nil }
        let files = try archive.files(of: media)
        let path = files.rendition(rendition.rawValue)
        return try await RecordingArchive.mappingErrors {
            if let order = try await order(rendition, of: record) {
                try await renditions.make(path, of: files.original, order)
            }
            return try await file(
                path, tag: rendition == .mp3 ? media.rawValue : "\(media.rawValue)-\(rendition.rawValue)")
        }
    }

    /// What the client uploaded, byte for byte.
    public func original(of media: MediaID, in conversation: ConversationID) async throws -> MediaFile? {
        try await checkScannedWhole(media)
        guard let record = try await archive.record(of: media), record.conversation == conversation else { return nil }
        return try await file(try archive.files(of: media).original, tag: media.rawValue + "-original")
    }

    /// Removes a finished recording with all its files.
    public func discard(_ media: MediaID, in conversation: ConversationID) async throws {
        guard let record = try await archive.record(of: media), record.conversation == conversation else {
            throw Rejection.notFound
        }
        await renditions.settle(in: try archive.files(of: media).folder)
        try await RecordingArchive.mappingErrors {
            try await BlockingPool.run { [archive] in try archive.remove(media) }
        }
    }

    /// What the store reports to a monitoring system.
    public var metrics: [any Metric] {
        counts.all + [
            ReadMetric("earshot_uploads_open", "Uploads that were begun and not finished.") { [uploads] in
                Double(uploads.count)
            },
            ReadMetric("earshot_scan_backlog", "Recordings whose whole file is still to be scanned.") { [scans] in
                scans.map { Double($0.count) }
            },
        ]
    }

    /// How many renditions are being made right now.
    var runningRenditions: Int { renditions.count }

    private func file(_ path: String, tag: String) async throws -> MediaFile? {
        guard let size = try await BlockingPool.run({ FileSystem.size(of: path) }) else { return nil }
        return MediaFile(path: path, size: size, etag: tag)
    }

    private func record(of id: UploadID) async throws -> RecordedMedia? {
        try await archive.record(of: MediaID(trusted: id.rawValue))
    }

    private func finishedRecord(of id: UploadID, by author: String) async throws -> RecordedMedia {
        guard let record = try await record(of: id), record.author == author else { throw Rejection.notFound }
        return record
    }

    /// What a worker has to do for a rendition; `nil` for the MP3. The sender's own packets are kept only if a scanner
    /// found the whole file clean: everyone else gets an unscanned recording only as our own re-encoding.
    private func order(_ rendition: Rendition, of record: RecordedMedia) async throws -> WorkerOrder? {
        let limit = UInt32(clamping: record.content.durationMs + Self.remuxSpareMs)
        switch rendition {
        case .mp3: return nil
        case .ogg:
            let keepsPackets = try await isScannedWhole(record)
            return WorkerOrder(
                keepsPackets ? .oggKeepingPackets : .ogg, limitMs: limit, maxBytes: UInt32(Self.maxOggBytes))
        case .m4a: return WorkerOrder(.m4a, limitMs: limit)
        }
    }

    // MARK: Scanning

    /// Throws `audio_pending` until the whole file was scanned: before that, none of its own bytes go out.
    private func checkScannedWhole(_ media: MediaID) async throws {
        guard let scans, try await BlockingPool.run({ scans.contains(media) }) else { return }
        throw Rejection(.audioPending, "This voice message is being checked for viruses. Try again in a moment.")
    }

    private func isScannedWhole(_ record: RecordedMedia) async throws -> Bool {
        guard let scans, record.scan == .clean else { return false }
        return try await BlockingPool.run { !scans.contains(record.content.media) }
    }

    /// Queues the recordings that an earlier run of the server had not scanned, in the order in which they were
    /// finished.
    func queueUnscanned() async throws {
        try await BlockingPool.run { [self] in
            guard let scans else { return }
            var finished: [(media: MediaID, at: Int64)] = []
            for id in scans.savedIDs() {
                let media = MediaID(trusted: id)
                if let at = try archive.finishedAt(media) {
                    finished.append((media, at))
                } else if uploads[UploadID(trusted: id)]?.isRefused ?? true {
                    try archive.remove(media)
                    try scans.drop(id)
                }
            }
            for one in finished.sorted(by: { $0.at < $1.at }) { scans.add(one.media) }
        }
    }
}

extension FinishedUpload {
    fileprivate init(_ record: RecordedMedia) {
        self.init(
            conversation: record.conversation, content: record.content, sha256: record.sha256,
            container: record.container, scan: record.scan)
    }
}
