public import EarshotModel

/// The rows of finished recordings.
public protocol RecordingStore: Sendable {
    /// Stores a finished recording, unless it is stored already.
    /// - Returns: the stored row. It may have been sent or scanned in the meantime.
    func keep(_ recording: RecordedMedia) async throws(AdapterFailure) -> RecordedMedia

    /// Finds a recording of a conversation.
    func recording(_ media: MediaID, in conversation: ConversationID) async throws(AdapterFailure) -> RecordedMedia?

    /// Reads recordings that wait for the scanner, ordered by id: those after `media`, at most `limit`.
    func recordings(waitingForScanAfter media: MediaID?, limit: Int) async throws(AdapterFailure) -> [RecordedMedia]
}

/// Uploads of recordings. The server measures length and waveform itself and trusts nothing that the client says.
///
/// Every method throws a `Rejection` (the sender's fault, or a limit) or an `AdapterFailure`. An upload belongs to its
/// author and its conversation from the first byte; for everyone else it does not exist.
public protocol RecordingUploads: Sendable {
    /// Opens an upload, or finds the one that this author's draft already has.
    func begin(_ request: UploadRequest) async throws -> UploadStatus

    /// Takes bytes that begin at `offset`. Bytes already received are skipped; a gap is refused as `upload_gap`.
    /// - Returns: how many bytes the server has now.
    func append(_ bytes: [UInt8], at offset: Int, to upload: UploadID, by author: String) async throws -> Int

    /// Returns the progress of an upload.
    func status(of upload: UploadID, by author: String) async throws -> UploadStatus

    /// Ends an upload of `bytes` bytes: waits for the media worker and keeps original and MP3. Repeating the call
    /// gives the same answer.
    func finish(_ upload: UploadID, bytes: Int, by author: String) async throws -> FinishedUpload

    /// Removes an unfinished upload and all of its files.
    func abort(_ upload: UploadID, by author: String) async throws

    /// Removes uploads that were begun before `limit` and never finished.
    func sweep(begunBefore limit: Timestamp) async throws
}

/// The files of finished recordings.
public protocol RecordingFiles: Sendable {
    /// Finds a recording in one of the formats that the server encodes; `nil` if the recording or the rendition does
    /// not exist.
    func rendition(_ rendition: Rendition, of media: MediaID, in conversation: ConversationID) async throws
        -> MediaFile?

    /// Finds the uploaded file, byte for byte; `nil` if the recording does not exist.
    func original(of media: MediaID, in conversation: ConversationID) async throws -> MediaFile?

    /// Copies a finished recording to `request.conversation` and `request.author`. Both share the bytes, and either
    /// can be removed without the other. The same draft gets the same copy again.
    /// - Throws: `not_found` if there is no such recording, `audio_pending` until its whole file was scanned,
    ///   `upload_finished` if the draft belongs to another recording.
    func copy(_ media: MediaID, in conversation: ConversationID, as request: UploadRequest) async throws
        -> FinishedUpload
}
