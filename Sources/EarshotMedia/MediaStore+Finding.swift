import EarshotCore
import EarshotModel
import Foundation
import Synchronization

extension MediaStore {
    /// The unfinished upload, for its author alone.
    func find(_ id: UploadID, _ author: String) -> Upload? {
        let found = open.withLock { $0[id] }
        return found?.about.author == author ? found : nil
    }

    func forget(_ upload: Upload) {
        open.withLock { $0[upload.about.upload] = nil }
    }

    /// The upload that this draft has, or a new one within the author's limit.
    func claim(_ id: UploadID, _ request: UploadRequest) throws -> (upload: Upload, isNew: Bool) {
        try open.withLock { open in
            if let known = open[id] { return (known, false) }
            guard
                open.values.count(where: { $0.about.author == request.author && !$0.isRefused.load(ordering: .relaxed) }
                ) < Limits.uploadsPerOwner
            else {
                throw Rejection(
                    .rateLimited, "Too many recordings are open at a time.", limit: Limits.uploadsPerOwner,
                    retryAfter: 1)
            }
            let about = Upload.About(
                upload: id, conversation: request.conversation, draft: request.draft, author: request.author,
                limitMs: request.limitMs,
                begun: request.at)
            let made = Upload(about, folder: folders.upload(id.rawValue), scanner: scanner)
            open[id] = made
            return (made, true)
        }
    }

    /// What is known of a finished recording; `nil` where there is none.
    func record(of id: UploadID) async throws -> RecordedMedia? {
        guard DraftKey.couldHaveMade(id.rawValue) else { return nil }
        let path = Upload.record(in: folders.media(id.rawValue))
        return try await Self.guarded {
            try await BlockingPool.run {
                guard Folders.exists(path) else { return nil }
                return try JSONDecoder().decode(RecordedMedia.self, from: Data(Folders.contents(of: path)))
            }
        }
    }

    /// Lets rejections through and turns everything else into an adapter's failure.
    static func guarded<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let failure as FileFailure {
            throw failure.asAdapterFailure
        } catch let error as DecodingError {
            throw AdapterFailure("media files: a record cannot be read: \(error)", isRetryable: false)
        }
    }
}
