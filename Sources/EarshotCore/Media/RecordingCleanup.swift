public import EarshotModel

/// Removes recordings that nobody sent: uploads that were never finished, finished recordings that no message carries
/// and no canned reply names, and files whose row a crash prevented or removed.
///
/// A clip stays as long as the settings or any version in their history name it, because an older version can be
/// restored.
public struct RecordingCleanup: Sendable {
    private let files: any RecordingUploads & RecordingFiles
    private let recordings: any RecordingStore
    private let now: @Sendable () -> Timestamp
    private static let pageSize = 100

    /// Creates the clean-up of these recordings.
    public init(
        files: any RecordingUploads & RecordingFiles, recordings: any RecordingStore,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.files = files
        self.recordings = recordings
        self.now = now
    }

    /// Removes everything that is older than `Limits.unsentRecordingMs`. A recording that cannot be removed stops no
    /// other; the first such error is thrown at the end.
    public func run() async throws {
        let limit = now().adding(milliseconds: -Limits.unsentRecordingMs)
        var failure: (any Error)?
        func attempt(_ body: () async throws -> Void) async {
            do { try await body() } catch { failure = failure ?? error }
        }
        await attempt { try await files.sweep(begunBefore: limit) }
        await attempt {
            var last: RecordedMedia?
            repeat {
                let page = try await recordings.unsentRecordings(
                    finishedBefore: limit, after: last, count: Self.pageSize)
                for recording in page { await attempt { try await remove(recording) } }
                last = page.count == Self.pageSize ? page.last : nil
            } while last != nil
        }
        await attempt {
            for recording in try await files.unconfirmed(before: limit) {
                await attempt { try await settle(recording) }
            }
        }
        if let failure { throw failure }
    }

    /// Removes a finished recording, unless a message carries it or a canned reply names it.
    /// - Throws: `upload_sent`; `not_found` if there is no such recording of `author`.
    public func remove(_ media: MediaID, by author: String) async throws {
        guard let conversation = try await files.prepareRemoval(of: media, by: author) else { throw Rejection.notFound }
        guard try await removeRowAndFiles(media, in: conversation) else {
            throw Rejection(.uploadSent, "This recording was already sent.")
        }
    }

    private func remove(_ recording: RecordedMedia) async throws {
        let media = recording.content.media
        _ = try await files.prepareRemoval(of: media, by: recording.author)
        _ = try await removeRowAndFiles(media, in: recording.conversation)
    }

    /// - Returns: `false` if the recording is in use, and stays.
    private func removeRowAndFiles(_ media: MediaID, in conversation: ConversationID) async throws -> Bool {
        guard try await recordings.removeUnsent(media, in: conversation) else {
            try await files.confirm(media)
            return false
        }
        try await files.remove(media)
        return true
    }

    private func settle(_ recording: UnconfirmedRecording) async throws {
        if try await recordings.recording(recording.media, in: recording.conversation) != nil {
            try await files.confirm(recording.media)
        } else {
            try await files.remove(recording.media)
        }
    }
}
