public import EarshotModel

/// The rows of finished recordings.
public protocol RecordingStore: Sendable {
    /// Stores a finished recording, unless it is stored already.
    /// - Returns: the stored row. It may have been sent or scanned in the meantime.
    func keep(_ recording: RecordedMedia) async throws(AdapterFailure) -> RecordedMedia

    /// Finds a recording of a conversation.
    func recording(_ media: MediaID, in conversation: ConversationID) async throws(AdapterFailure) -> RecordedMedia?

    /// Finds the conversation of a recording.
    func conversation(of media: MediaID) async throws(AdapterFailure) -> ConversationID?

    /// Reads recordings that wait for the scanner, ordered by id: those after `media`, at most `limit`.
    func recordings(waitingForScanAfter media: MediaID?, limit: Int) async throws(AdapterFailure) -> [RecordedMedia]

    /// Reads recordings that were finished before `limit` and that no message carries, oldest first: those after
    /// `last`, at most `count`. Clips that a canned reply names, now or in the settings' history, are not among them.
    func unsentRecordings(finishedBefore limit: Timestamp, after last: RecordedMedia?, count: Int)
        async throws(AdapterFailure) -> [RecordedMedia]

    /// Removes the row of a recording, unless a message carries it or a canned reply names it, now or in the settings'
    /// history.
    /// - Returns: whether there is no row now.
    func removeUnsent(_ media: MediaID, in conversation: ConversationID) async throws(AdapterFailure) -> Bool

    /// How many bytes an account's recordings have.
    func recordedBytes(of account: AccountID) async throws(AdapterFailure) -> Int
}

/// Uploads of recordings. The server measures length and waveform itself and trusts nothing that the client says.
///
/// Every method throws a `Rejection` (the sender's fault, or a limit) or an `AdapterFailure`. An upload belongs to its
/// author and its conversation from the first byte; for everyone else it does not exist.
public protocol RecordingUploads: Sendable {
    /// Opens an upload, or finds the one that this author's draft already has.
    func begin(_ request: UploadRequest) async throws -> UploadStatus

    /// Takes bytes that begin at `offset`. Bytes already received must be the same (`upload_mismatch`) and are skipped;
    /// a gap is refused as `upload_gap`.
    /// - Returns: how many bytes the server has now.
    func append(_ bytes: [UInt8], at offset: Int, to upload: UploadID, by author: String) async throws -> Int

    /// Returns the progress of an upload.
    func status(of upload: UploadID, by author: String) async throws -> UploadStatus

    /// Lists the uploads that an author has not finished, in the order in which they were begun. Those that were
    /// refused are among them.
    func openUploads(of author: String) async throws -> [OpenUpload]

    /// Ends an upload: waits for the media worker and keeps original and MP3. Repeating the call gives the same
    /// answer.
    func finish(_ upload: UploadID, _ whole: WholeRecording, by author: String) async throws -> FinishedUpload

    /// Removes an unfinished upload and all of its files.
    /// - Throws: `upload_finished` if it is a finished recording.
    func abort(_ upload: UploadID, by author: String) async throws

    /// Finds the uploads that an earlier run of the server left unfinished. Until then each is found when it is asked
    /// for.
    func recoverUploads() async throws

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

    /// Says that the recording's row is stored.
    func confirm(_ media: MediaID) async throws

    /// Marks a recording before its row is removed, so that `unconfirmed` finds its files after a crash.
    /// - Returns: its conversation; `nil` unless there is a recording of `author`.
    func prepareRemoval(of media: MediaID, by author: String) async throws -> ConversationID?

    /// Removes all files of a recording whose row is gone. Does nothing where there are none.
    func remove(_ media: MediaID) async throws

    /// The recordings that were finished before `limit` and are not confirmed: their row may be missing.
    func unconfirmed(before limit: Timestamp) async throws -> [UnconfirmedRecording]
}
