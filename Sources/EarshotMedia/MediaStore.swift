public import EarshotCore
public import EarshotModel
import EarshotWorkerProtocol
public import Logging

/// Recordings in a folder on disk: uploads in progress, finished recordings, and their renditions.
///
/// An upload's id is derived from author, conversation and draft with a secret key (`DraftKey`): a draft finds its
/// upload again after a restart, and no client can guess another's.
///
/// The path of a recording: `append` writes each chunk to the upload's file and gives the upload a media worker;
/// `finish` waits for the worker's result and for the scanner, saves the record and moves the files to the archive.
public final class MediaStore: RecordingUploads {
    private let folders: MediaFolders
    private let uploads = UploadRegistry()
    private let pool: WorkerPool
    private let scanner: Scanner?
    private let key: DraftKey
    private let space: FreeSpace
    private let isRecovered = Locked(false)
    /// The finished recordings.
    let finished: FinishedRecordings
    /// Their files.
    var archive: RecordingArchive { finished.archive }
    /// The recordings whose whole file is still to be scanned; `nil` without a scanner.
    let scans: ScanQueue?
    let counts = MediaMetrics()

    /// How many folders of an earlier version are cleaned up between two pauses.
    private static let oldFoldersAtOnce = 50

    /// Opens the folder `root` and creates it if needed. Looks at nothing in it: an unfinished upload of an earlier run
    /// is found when it is asked for, or by `recoverUploads`.
    /// - Parameters:
    ///   - scanner: scans recordings before anyone else gets them. Without one they are `unscanned`.
    ///   - reserve: how much of the volume uploads leave free.
    public static func open(
        _ root: String, pool: WorkerPool, scanner: Scanner? = nil, reserve: SpaceReserve = SpaceReserve(),
        logger: Logger
    ) async throws -> MediaStore {
        try await RecordingArchive.mappingErrors {
            try await BlockingPool.run {
                try FileSystem.makeFolder(root)
                // An operator may link the folder to another volume. Below it no link is ever followed.
                let root = try FileSystem.resolvingLink(root)
                return try MediaStore(root, pool, scanner, FreeSpace(of: root, reserve: reserve, logger: logger))
            }
        }
    }

    private init(_ root: String, _ pool: WorkerPool, _ scanner: Scanner?, _ space: FreeSpace) throws {
        folders = MediaFolders(root: root)
        self.pool = pool
        self.scanner = scanner
        self.space = space
        scans = scanner.map { ScanQueue(root: root, signal: $0.work) }
        key = try DraftKey(in: root)
        finished = FinishedRecordings(RecordingArchive(folders), pool: pool, scans: scans)
    }

    // MARK: Uploads

    /// Begins an upload, or finds the one that this author's draft has already.
    public func begin(_ request: UploadRequest) async throws -> UploadStatus {
        let id = key.upload(of: request)
        if let record = try await finished.record(of: id) {
            return UploadStatus(upload: id, received: record.content.sizeBytes, isFinished: true, isNew: false)
        }
        return try await RecordingArchive.mappingErrors {
            if let known = try await find(id) { return try await status(of: known) }
            try await BlockingPool.run { [space] in try space.claim(0) }
            let (upload, isNew) = try uploads.findOrAdd(id, for: request) {
                Upload(
                    id, request, folder: try folders.upload(id), finishLimit: pool.finishLimit, scanner: scanner)
            }
            guard isNew else { return try await status(of: upload) }
            do {
                // That the recording needs a scan is on disk before its first byte.
                try await BlockingPool.run { [self] in
                    try scans?.expect(id)
                    try upload.create()
                }
            } catch {
                uploads.remove(id)
                throw error
            }
            return UploadStatus(upload: id, received: 0, isFinished: false, isNew: true)
        }
    }

    private func status(of upload: Upload) async throws -> UploadStatus {
        let progress = try await BlockingPool.run { upload.progress }
        if let refused = progress.refused { throw refused }
        return UploadStatus(upload: upload.about.upload, received: progress.received, isFinished: false, isNew: false)
    }

    /// Writes a chunk to the upload's file and, if a worker is free, starts to decode while the rest arrives.
    public func append(_ bytes: [UInt8], at offset: Int, to id: UploadID, by author: String) async throws -> Int {
        try await RecordingArchive.mappingErrors {
            guard let upload = try await find(id, by: author) else {
                throw try await finished.record(of: id)?.author == author
                    ? Rejection.uploadFinished : Rejection.notFound
            }
            let (received, begun) = try await BlockingPool.run { [space] in
                try space.claim(bytes.count)
                return try upload.append(bytes, at: offset) { try await self.settle(upload, $0) }
            }
            if let begun, !pool.submit(begun, isComplete: false) {
                let isPostponed = try await BlockingPool.run { upload.postpone(begun) }
                if !isPostponed { pool.submit(begun, isComplete: true) }
            }
            return received
        }
    }

    /// How many bytes of an upload have arrived, and whether it is finished or refused.
    public func status(of id: UploadID, by author: String) async throws -> UploadStatus {
        if let upload = try await find(id, by: author) { return try await openUpload(upload).status }
        let record = try await finished.record(of: id, by: author)
        return UploadStatus(upload: id, received: record.content.sizeBytes, isFinished: true, isNew: false)
    }

    /// The author's uploads that are not finished, in the order in which they were begun.
    public func openUploads(of author: String) async throws -> [OpenUpload] {
        guard isRecovered.value else { throw Rejection.unavailable }
        var open: [OpenUpload] = []
        for upload in uploads.all(of: author) { try await open.append(openUpload(upload)) }
        return open
    }

    private func openUpload(_ upload: Upload) async throws -> OpenUpload {
        let (about, progress) = (upload.about, try await BlockingPool.run { upload.progress })
        return OpenUpload(
            status: UploadStatus(
                upload: about.upload, received: progress.received, isFinished: false, isNew: false,
                refused: progress.refused?.code),
            conversation: about.conversation, draft: about.draft, begun: about.begun)
    }

    /// Finishes an upload: waits until it is decoded, scanned and saved.
    ///
    /// A worker that is lost while the bytes arrive costs only time: the file gets another one. If that is lost too,
    /// the recording is refused.
    public func finish(_ id: UploadID, _ whole: WholeRecording, by author: String) async throws -> FinishedUpload {
        if let upload = try await find(id, by: author) { try await finish(upload, whole) }
        let record = try await finished.record(of: id, by: author)
        guard record.content.sizeBytes == whole.bytes else { throw Rejection.uploadFinished }
        guard whole.sha256 == nil || whole.sha256 == record.sha256 else { throw Rejection.digestMismatch }
        return FinishedUpload(record)
    }

    /// Removes an unfinished upload with everything that has arrived, also while it is being decoded.
    public func abort(_ id: UploadID, by author: String) async throws {
        try await RecordingArchive.mappingErrors {
            if let upload = try await find(id, by: author), try await remove(upload, evenIfFinishing: true) { return }
            _ = try await finished.record(of: id, by: author)
            throw Rejection.uploadFinished
        }
    }

    /// Removes the unfinished uploads that were begun before `limit`, except those that are being finished right now.
    public func sweep(begunBefore limit: Timestamp) async throws {
        // First, so that what an earlier run left is removed by the first sweep already.
        try await recoverUploads()
        for upload in uploads.begun(before: limit) { _ = try? await remove(upload, evenIfFinishing: false) }
    }

    private func remove(_ upload: Upload, evenIfFinishing: Bool) async throws -> Bool {
        let isRemoved = try await BlockingPool.run { [self] in
            guard try upload.remove(evenIfFinishing: evenIfFinishing) else { return false }
            try scans?.drop(upload.about.upload.rawValue)
            return true
        }
        if isRemoved { uploads.remove(upload.about.upload) }
        return isRemoved
    }

    // MARK: Uploads of an earlier run

    /// Finds every upload that an earlier run of the server left, and removes what it left half made. Only one task may
    /// do so at a time.
    public func recoverUploads() async throws {
        if isRecovered.value { return }
        try await RecordingArchive.mappingErrors {
            while try await BlockingPool.run({ [folders] in
                try folders.flattenUploads(atMost: Self.oldFoldersAtOnce)
            }) {}
            for id in try await BlockingPool.run({ [folders] in folders.uploadIDs() }) {
                guard try await find(id) == nil, !archive.isDraft(id) else { continue }
                try await BlockingPool.run { [folders, uploads] in
                    try uploads.ifUnknown(id) { try FileSystem.removeFolder(folders.upload(id)) }
                }
            }
        }
        isRecovered.update { $0 = true }
    }

    private func find(_ id: UploadID, by author: String) async throws -> Upload? {
        let found = try await find(id)
        return found?.about.author == author ? found : nil
    }

    /// The upload with this id, also if an earlier run of the server left it.
    private func find(_ id: UploadID) async throws -> Upload? {
        if let known = uploads[id] { return known }
        guard !isRecovered.value, DraftKey.isWellFormed(id.rawValue) else { return nil }
        return try await BlockingPool.run { [self] in
            guard
                let left = Upload(
                    restoredFrom: try folders.upload(id), finishLimit: pool.finishLimit, scanner: scanner),
                left.about.upload == id
            else { return nil }
            try scans?.expect(id)
            return uploads.adopt(left)
        }
    }

    // MARK: Decoding

    private func finish(_ upload: Upload, _ whole: WholeRecording) async throws {
        let id = upload.about.upload.rawValue
        counts.finishing(id)
        do {
            try await RecordingArchive.mappingErrors {
                do {
                    try await decode(upload, whole)
                } catch is LostLiveWorker {
                    try await decode(upload, whole)
                }
            }
        } catch {
            counts.failed(id, error)
            throw error
        }
    }

    /// The worker was lost before all bytes had arrived.
    private struct LostLiveWorker: Error {}

    private func decode(_ upload: Upload, _ whole: WholeRecording) async throws {
        let (ingest, needsWorker) = try await BlockingPool.run {
            try upload.beginFinish(bytes: whole.bytes, sha256: whole.sha256) { try await self.settle(upload, $0) }
        }
        guard let ingest else { return }
        if needsWorker { pool.submit(ingest, isComplete: true) }
        do { try await ingest.settled() } catch {
            try await BlockingPool.run { upload.drop(ingest) }
            // A disk that was full or failed while the bytes arrived may work by now.
            let code = (error as? Rejection)?.code
            let mayPass = error is FileFailure || code == .audioFailed || code == .storageFull
            if ingest.isLive, mayPass { throw LostLiveWorker() }
            throw error
        }
    }

    /// Saves a decoded recording, or refuses it and throws why.
    private func settle(_ upload: Upload, _ end: RecordingIngest.Settlement) async throws {
        switch end.outcome {
        case .result(let result):
            guard upload.matches(end.sha256) else { throw Rejection.digestMismatch }
            let record = await record(of: upload, result, end)
            guard record.scan != .blocked else { return try await refuse(upload, .audioBlocked) }
            let target = try archive.files(of: record.content.media).folder
            try await BlockingPool.run { [archive] in
                try archive.mark(record.content.media, isDurable: false)
                try upload.publish(record, to: target)
            }
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
            container: container, account: upload.about.account,
            scan: await scanState(of: upload, end.bytes, container),
            containerMs: result.differingContainerMs
        )
    }

    /// The scan state of an upload of `bytes` bytes. It is clean only if a scanner that is verified for this container
    /// saw every byte.
    private func scanState(of upload: Upload, _ bytes: Int, _ container: String) async -> ScanState {
        guard let scanner, let outcome = await upload.scanOutcome() else { return .unscanned }
        if case .infected = outcome.reply { return .blocked }
        let isClean = outcome == RecordingScan.Outcome(bytes: bytes, reply: .clean)
        return isClean && scanner.health.covers(container) ? .clean : .pending
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

    // MARK: Scanning

    /// Queues the recordings that an earlier run of the server had not scanned, in the order in which they were
    /// finished.
    func queueUnscanned() async throws {
        try await BlockingPool.run { [folders, scans, archive = finished.archive] in
            guard let scans else { return }
            var finished: [(media: MediaID, at: Int64)] = []
            for id in scans.savedIDs() {
                let media = MediaID(trusted: id)
                if let at = try archive.finishedAt(media) {
                    finished.append((media, at))
                } else if try !FileSystem.exists(folders.upload(UploadID(trusted: id))) {
                    try archive.remove(media)
                    try scans.drop(id)
                }
            }
            for one in finished.sorted(by: { $0.at < $1.at }) { scans.add(one.media) }
        }
    }
}

extension MediaStore: RecordingFiles {
    /// Makes another recording of the same bytes for another author or conversation. Either can be removed without the
    /// other.
    public func copy(_ media: MediaID, in conversation: ConversationID, as request: UploadRequest) async throws
        -> FinishedUpload
    {
        let id = key.upload(of: request)
        guard try await find(id) == nil else { throw Rejection.uploadFinished }
        return try await finished.copy(media, in: conversation, as: request, named: id)
    }

    /// A recording in one of our own formats.
    public func rendition(_ rendition: Rendition, of media: MediaID, in conversation: ConversationID) async throws
        -> MediaFile?
    {
        try await finished.rendition(rendition, of: media, in: conversation)
    }

    /// What the client uploaded, byte for byte.
    public func original(of media: MediaID, in conversation: ConversationID) async throws -> MediaFile? {
        try await finished.original(of: media, in: conversation)
    }

    /// Says that the recording's row is stored.
    public func confirm(_ media: MediaID) async throws { try await finished.confirm(media) }

    /// Marks a recording before its row is removed.
    public func prepareRemoval(of media: MediaID, by author: String) async throws -> ConversationID? {
        try await finished.prepareRemoval(of: media, by: author)
    }

    /// Removes all files of a recording whose row is gone.
    public func remove(_ media: MediaID) async throws {
        try await finished.remove(media)
        counts.settled(media.rawValue, .refused)
    }

    /// The recordings that were finished before `limit` and whose row may be missing.
    public func unconfirmed(before limit: Timestamp) async throws -> [UnconfirmedRecording] {
        try await finished.unconfirmed(before: limit)
    }
}

extension FinishedUpload {
    init(_ record: RecordedMedia) {
        self.init(
            conversation: record.conversation, content: record.content, sha256: record.sha256,
            container: record.container, scan: record.scan, containerMs: record.containerMs)
    }
}

extension WorkerResult {
    fileprivate var differingContainerMs: Int? {
        let difference = (Int(containerMs) - Int(durationMs)).magnitude
        return difference > Limits.containerDifferenceMs ? Int(containerMs) : nil
    }
}
