public import EarshotCore
public import EarshotModel
public import Logging

/// The recordings of a store, for requests: each is answered in time also while the volume of the recordings hangs. The
/// readiness says when the volume fails, from the first request that meets that until one of the same kind succeeds.
///
/// Calls of the clean-up go to the store directly: no request waits for them.
public struct WatchedRecordings: RecordingUploads, RecordingFiles {
    /// What a request needs of the volume.
    private enum Need: Hashable {
        case reading, writing
    }

    private let store: MediaStore
    private let threads: BlockingPool
    private let readiness: Readiness
    private let logger: Logger
    private let failing = Locked<Set<Need>>([])

    /// Watches the volume of a store.
    public init(_ store: MediaStore, readiness: Readiness, logger: Logger) {
        self.init(store, threads: .files, readiness: readiness, logger: logger)
    }

    init(_ store: MediaStore, threads: BlockingPool, readiness: Readiness, logger: Logger) {
        (self.store, self.threads, self.readiness, self.logger) = (store, threads, readiness, logger)
    }

    private func answer<Value: Sendable>(
        _ need: Need, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        do {
            let value = try await threads.answer(body)
            note(need, fails: false)
            return value
        } catch {
            if threads.isHanging || error is AdapterFailure { note(need, fails: true, error) }
            throw error
        }
    }

    /// The failing request says so before it is answered.
    private func note(_ need: Need, fails: Bool, _ error: (any Error)? = nil) {
        let isFailing = failing.update { failing in
            if fails { failing.insert(need) } else { failing.remove(need) }
            return !failing.isEmpty
        }
        guard readiness.set(.mediaFailed, isFailing) else { return }
        guard isFailing else { return logger.notice("The volume of the recordings works again.") }
        let what = (error as? AdapterFailure)?.what
        logger.error(
            what == nil
                ? "The volume of the recordings does not answer. Recordings are refused; texts still work."
                : "The volume of the recordings fails. Recordings are refused; texts still work.",
            metadata: what.map { ["what": "\($0)"] } ?? [:])
    }

    /// Begins an upload, or finds the one that this author's draft has already.
    public func begin(_ request: UploadRequest) async throws -> UploadStatus {
        try await answer(.writing) { try await store.begin(request) }
    }

    /// Takes bytes that begin at `offset`.
    public func append(_ bytes: [UInt8], at offset: Int, to upload: UploadID, by author: String) async throws -> Int {
        try await answer(.writing) { try await store.append(bytes, at: offset, to: upload, by: author) }
    }

    /// Returns the progress of an upload.
    public func status(of upload: UploadID, by author: String) async throws -> UploadStatus {
        try await answer(.reading) { try await store.status(of: upload, by: author) }
    }

    /// Lists the uploads that an author has not finished.
    public func openUploads(of author: String) async throws -> [OpenUpload] {
        try await answer(.reading) { try await store.openUploads(of: author) }
    }

    /// Ends an upload.
    public func finish(_ upload: UploadID, _ whole: WholeRecording, by author: String) async throws -> FinishedUpload {
        try await answer(.writing) { try await store.finish(upload, whole, by: author) }
    }

    /// Removes an unfinished upload.
    public func abort(_ upload: UploadID, by author: String) async throws {
        try await answer(.writing) { try await store.abort(upload, by: author) }
    }

    /// Finds the uploads that an earlier run of the server left unfinished.
    public func recoverUploads() async throws { try await store.recoverUploads() }

    /// Removes uploads that were begun before `limit` and never finished.
    public func sweep(begunBefore limit: Timestamp) async throws { try await store.sweep(begunBefore: limit) }

    /// Finds a recording in one of our own formats.
    public func rendition(_ rendition: Rendition, of media: MediaID, in conversation: ConversationID) async throws
        -> MediaFile?
    {
        try await answer(.reading) { try await store.rendition(rendition, of: media, in: conversation) }
    }

    /// Finds the uploaded file, byte for byte.
    public func original(of media: MediaID, in conversation: ConversationID) async throws -> MediaFile? {
        try await answer(.reading) { try await store.original(of: media, in: conversation) }
    }

    /// Copies a finished recording.
    public func copy(_ media: MediaID, in conversation: ConversationID, as request: UploadRequest) async throws
        -> FinishedUpload
    {
        try await answer(.writing) { try await store.copy(media, in: conversation, as: request) }
    }

    /// Says that the recording's row is stored.
    public func confirm(_ media: MediaID) async throws {
        try await answer(.writing) { try await store.confirm(media) }
    }

    /// Marks a recording before its row is removed.
    public func prepareRemoval(of media: MediaID, by author: String) async throws -> ConversationID? {
        try await answer(.writing) { try await store.prepareRemoval(of: media, by: author) }
    }

    /// Removes all files of a recording whose row is gone.
    public func remove(_ media: MediaID) async throws {
        try await answer(.writing) { try await store.remove(media) }
    }

    /// The recordings that were finished before `limit` and are not confirmed.
    public func unconfirmed(before limit: Timestamp) async throws -> [UnconfirmedRecording] {
        try await store.unconfirmed(before: limit)
    }
}
