import EarshotCore
import EarshotModel

/// Recordings that keep what they are given: the contract of `RecordingUploads` without a decoder.
actor Cassette: RecordingFiles, RecordingUploads {
    private struct Tape {
        let request: UploadRequest
        var bytes: [UInt8] = []
        var finished: FinishedUpload?
    }

    private var tapes: [UploadID: Tape] = [:]
    private var sounds: [SoundFile] = []
    private var files: [MediaID: (ConversationID, MediaFile)] = [:]
    private var made = 0
    /// Sizes of the pieces that arrived.
    private(set) var pieces: [Int] = []
    /// Tells of each piece as it arrives.
    nonisolated let arrivals: AsyncStream<Int>
    private let tell: AsyncStream<Int>.Continuation

    init() {
        (arrivals, tell) = AsyncStream.makeStream()
    }

    func begin(_ request: UploadRequest) async throws -> UploadStatus {
        if let (id, tape) = tapes.first(where: {
            $0.value.request.draft == request.draft && $0.value.request.author == request.author
        }) {
            return UploadStatus(upload: id, received: tape.bytes.count, isFinished: tape.finished != nil, isNew: false)
        }
        made += 1
        let id = UploadID(trusted: "upload\(made)")
        tapes[id] = Tape(request: request)
        return UploadStatus(upload: id, received: 0, isFinished: false, isNew: true)
    }

    func append(_ bytes: [UInt8], at offset: Int, to upload: UploadID, by author: String) async throws -> Int {
        var tape = try tape(upload, author)
        guard offset <= tape.bytes.count else {
            throw Rejection(.uploadGap, "Bytes are missing before these.", limit: tape.bytes.count)
        }
        pieces.append(bytes.count)
        tell.yield(bytes.count)
        tape.bytes += bytes.dropFirst(tape.bytes.count - offset)
        tapes[upload] = tape
        return tape.bytes.count
    }

    func status(of upload: UploadID, by author: String) async throws -> UploadStatus {
        let tape = try tape(upload, author)
        return UploadStatus(upload: upload, received: tape.bytes.count, isFinished: tape.finished != nil, isNew: false)
    }

    func openUploads(of author: String) -> [OpenUpload] {
        tapes.filter { $0.value.request.author == author && $0.value.finished == nil }.map { id, tape in
            OpenUpload(
                status: UploadStatus(upload: id, received: tape.bytes.count, isFinished: false, isNew: false),
                conversation: tape.request.conversation, draft: tape.request.draft, begun: tape.request.at)
        }
    }

    func finish(_ upload: UploadID, _ whole: WholeRecording, by author: String) async throws -> FinishedUpload {
        let bytes = whole.bytes
        var tape = try tape(upload, author)
        if let finished = tape.finished { return finished }
        guard bytes == tape.bytes.count else {
            throw Rejection(.uploadGap, "Bytes are missing.", limit: tape.bytes.count)
        }
        guard bytes > 0 else { throw Rejection(.audioEmpty, "There is nothing in it.") }
        let content = AudioContent(
            media: MediaID(trusted: upload.rawValue), durationMs: 1000, waveform: [1, 2, 3], sizeBytes: bytes)
        let finished = FinishedUpload(
            conversation: tape.request.conversation, content: content, sha256: [], container: "wav")
        tape.finished = finished
        tapes[upload] = tape
        return finished
    }

    func abort(_ upload: UploadID, by author: String) async throws {
        guard try tape(upload, author).finished == nil else {
            throw Rejection(.uploadFinished, "This recording is already finished.")
        }
        tapes[upload] = nil
    }

    /// The same draft gets the same copy; its file is the original's.
    func copy(_ media: MediaID, in conversation: ConversationID, as request: UploadRequest) async throws
        -> FinishedUpload
    {
        guard
            let original = tapes.values.compactMap(\.finished).first(where: {
                $0.content.media == media && $0.conversation == conversation
            })
        else {
            throw Rejection.notFound
        }
        let status = try await begin(request)
        let content = original.content.with(media: MediaID(trusted: "media\(status.upload)"))
        if let file = files[media]?.1 { files[content.media] = (request.conversation, file) }
        return FinishedUpload(
            conversation: request.conversation, content: content, sha256: original.sha256, container: original.container
        )
    }

    /// Every rendition, and the original, is the same file.
    func rendition(_ rendition: Rendition, of media: MediaID, in conversation: ConversationID) async throws
        -> MediaFile?
    {
        try await original(of: media, in: conversation)
    }

    func original(of media: MediaID, in conversation: ConversationID) async throws -> MediaFile? {
        files[media].flatMap { $0.0 == conversation ? $0.1 : nil }
    }

    func recoverUploads() {}

    func sweep(begunBefore limit: Timestamp) async throws {}

    func confirm(_ media: MediaID) {}

    func prepareRemoval(of media: MediaID, by author: String) -> ConversationID? {
        tapes[UploadID(trusted: media.rawValue)].flatMap { tape in
            tape.request.author == author ? tape.request.conversation : nil
        }
    }

    func remove(_ media: MediaID) { tapes[UploadID(trusted: media.rawValue)] = nil }

    func unconfirmed(before limit: Timestamp) -> [UnconfirmedRecording] { [] }

    func keep(_ sound: SoundFile, as media: MediaID, in conversation: ConversationID) {
        sounds.append(sound)
        files[media] = (conversation, sound.file)
    }

    /// Knows of a file that is not there.
    func lose(_ file: MediaFile, as media: MediaID, in conversation: ConversationID) {
        files[media] = (conversation, file)
    }

    func bytes(of upload: UploadID) -> [UInt8]? { tapes[upload]?.bytes }

    private func tape(_ upload: UploadID, _ author: String) throws(Rejection) -> Tape {
        guard let tape = tapes[upload], tape.request.author == author else { throw .notFound }
        return tape
    }
}
