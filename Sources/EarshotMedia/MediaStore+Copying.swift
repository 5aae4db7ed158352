public import EarshotCore
public import EarshotModel
import Foundation
import Glibc
import Synchronization

/// One recording under several ids. The bytes are on disk once (hard links), for none of them ever changes.
extension MediaStore {
    public func copy(_ media: MediaID, in conversation: ConversationID, as request: UploadRequest) async throws
        -> FinishedUpload
    {
        guard let original = try await record(of: UploadID(trusted: media.rawValue)),
            original.conversation == conversation
        else { throw Rejection.notFound }
        try await checkScannedWhole(media)
        let id = key.upload(of: request)
        if let made = try await record(of: id) { return try FinishedUpload(made, copyOf: original) }
        guard open.withLock({ $0[id] == nil }) else { throw Rejection.uploadFinished }
        let copy = RecordedMedia(
            content: original.content.with(media: MediaID(trusted: id.rawValue)), conversation: request.conversation,
            author: request.author,
            sha256: original.sha256, container: original.container, at: request.at, scan: original.scan)
        try await Self.guarded { try await BlockingPool.run { try self.link(copy, to: media, request) } }
        guard let made = try await record(of: id) else { throw Rejection.notFound }
        return try FinishedUpload(made, copyOf: original)
    }

    /// Made aside, under a name that nobody else has, and put in its place in one step: of two at once the first one stays. Blocks.
    private func link(_ copy: RecordedMedia, to original: MediaID, _ request: UploadRequest) throws {
        let (from, to) = (folders.media(original.rawValue), folders.media(copy.content.media.rawValue))
        var generator = SystemRandomNumberGenerator()
        let aside = folders.upload(
            UploadID(random: (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }).rawValue)
        do {
            try Folders.make(aside)
            for file in [Upload.original, Upload.mp3] { try Folders.link(file(from), to: file(aside)) }
            try Folders.replace(Upload.record(in: aside), with: Array(JSONEncoder().encode(copy)))
            try Folders.move(aside, to: to)
        } catch {
            try? Folders.remove(aside)
            guard Folders.exists(Upload.record(in: to)) else { throw error }
        }
    }
}

extension FinishedUpload {
    init(_ record: RecordedMedia) {
        self.init(
            conversation: record.conversation, content: record.content, sha256: record.sha256,
            container: record.container, scan: record.scan)
    }

    fileprivate init(_ record: RecordedMedia, copyOf original: RecordedMedia) throws(Rejection) {
        guard record.sha256 == original.sha256 else { throw .uploadFinished }
        self.init(record)
    }
}
