import EarshotCore
import EarshotModel
import EarshotWorkerProtocol

/// The finished recordings: copies, renditions, originals, and their removal.
final class FinishedRecordings: Sendable {
    let archive: RecordingArchive
    private let renditions: Renditions
    private let scans: ScanQueue?

    /// The largest Ogg file that is made. WhatsApp shows a larger voice message as a download, without a play button.
    static let maxOggBytes = 512 * 1024
    /// The sender's own packets may be up to a packet longer than what was decoded.
    private static let remuxSpareMs = 1_000

    init(_ archive: RecordingArchive, pool: WorkerPool, scans: ScanQueue?) {
        self.archive = archive
        self.scans = scans
        renditions = Renditions(pool: pool)
    }

    /// How many renditions are being made right now.
    var runningRenditions: Int { renditions.count }

    /// What is known of a recording; `nil` if there is none.
    func record(of id: UploadID) async throws -> RecordedMedia? {
        try await archive.record(of: MediaID(trusted: id.rawValue))
    }

    /// What is known of a recording of `author`; throws `not_found`.
    func record(of id: UploadID, by author: String) async throws -> RecordedMedia {
        guard let record = try await record(of: id), record.author == author else { throw Rejection.notFound }
        return record
    }

    /// Makes another recording of the same bytes for another author or conversation. Either can be removed without the
    /// other.
    func copy(
        _ media: MediaID, in conversation: ConversationID, as request: UploadRequest, named id: UploadID
    ) async throws -> FinishedUpload {
        guard let original = try await archive.record(of: media), original.conversation == conversation else {
            throw Rejection.notFound
        }
        try await checkScannedWhole(media)
        if try await record(of: id) == nil {
            let copy = RecordedMedia(
                content: original.content.with(media: MediaID(trusted: id.rawValue)),
                conversation: request.conversation, author: request.author, sha256: original.sha256,
                container: original.container, account: original.account, at: request.at, scan: original.scan)
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
    func rendition(_ rendition: Rendition, of media: MediaID, in conversation: ConversationID) async throws
        -> MediaFile?
    {
        guard let record = try await archive.record(of: media), record.conversation == conversation else { return nil }
        let files = try archive.files(of: media)
        let path = files.rendition(rendition.rawValue)
        return try await RecordingArchive.mappingErrors {
            if let order = try await order(rendition, of: record) {
                try await renditions.make(path, of: .init(path: files.original, account: record.account), order)
            }
            return try await file(
                path, tag: rendition == .mp3 ? media.rawValue : "\(media.rawValue)-\(rendition.rawValue)")
        }
    }

    /// What the client uploaded, byte for byte.
    func original(of media: MediaID, in conversation: ConversationID) async throws -> MediaFile? {
        try await checkScannedWhole(media)
        guard let record = try await archive.record(of: media), record.conversation == conversation else { return nil }
        return try await file(try archive.files(of: media).original, tag: media.rawValue + "-original")
    }

    private func file(_ path: String, tag: String) async throws -> MediaFile? {
        guard let size = try await BlockingPool.run({ FileSystem.size(of: path) }) else { return nil }
        return MediaFile(path: path, size: size, etag: tag)
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

    /// Throws `audio_pending` until the whole file was scanned: before that, none of its own bytes go out.
    private func checkScannedWhole(_ media: MediaID) async throws {
        guard let scans, try await BlockingPool.run({ scans.contains(media) }) else { return }
        throw Rejection(.audioPending, "This voice message is being checked for viruses. Try again in a moment.")
    }

    private func isScannedWhole(_ record: RecordedMedia) async throws -> Bool {
        guard let scans, record.scan == .clean else { return false }
        return try await BlockingPool.run { !scans.contains(record.content.media) }
    }

    // MARK: Removing

    /// Says that a recording's row is stored.
    func confirm(_ media: MediaID) async throws {
        try await RecordingArchive.mappingErrors {
            try await BlockingPool.run { [archive] in try archive.confirm(media) }
        }
    }

    /// Marks a recording before its row is removed.
    /// - Returns: its conversation; `nil` unless there is a recording of `author`.
    func prepareRemoval(of media: MediaID, by author: String) async throws -> ConversationID? {
        guard let record = try await archive.record(of: media), record.author == author else { return nil }
        try await RecordingArchive.mappingErrors {
            try await BlockingPool.run { [archive] in try archive.mark(media, isDurable: true) }
        }
        return record.conversation
    }

    /// Removes all files of a recording. Does nothing where there are none.
    func remove(_ media: MediaID) async throws {
        await renditions.settle(in: try archive.files(of: media).folder)
        try await RecordingArchive.mappingErrors {
            try await BlockingPool.run { [archive, scans] in
                try archive.remove(media)
                try scans?.drop(media.rawValue)
            }
        }
    }

    /// The recordings that were marked before `limit` and are still there. A marker without a recording is removed.
    func unconfirmed(before limit: Timestamp) async throws -> [UnconfirmedRecording] {
        try await RecordingArchive.mappingErrors {
            var found: [UnconfirmedRecording] = []
            for media in try await BlockingPool.run({ [archive] in try archive.marked(before: limit) }) {
                if let record = try await archive.record(of: media) {
                    found.append(.init(media: media, conversation: record.conversation))
                } else {
                    try await confirm(media)
                }
            }
            return found
        }
    }
}
