import EarshotCore
import EarshotModel
import Synchronization

/// The unfinished uploads of this server, by id, and the limit on how many an author may have at a time.
final class UploadRegistry: Sendable {
    private let uploads: Mutex<[UploadID: Upload]>

    init(_ restored: [Upload]) {
        uploads = Mutex(Dictionary(restored.map { ($0.about.upload, $0) }) { first, _ in first })
    }

    /// How many uploads are unfinished.
    var count: Int { uploads.withLock { $0.count } }

    /// The upload with this id, of any author.
    subscript(id: UploadID) -> Upload? { uploads.withLock { $0[id] } }

    /// The upload with this id, if `author` began it.
    func find(_ id: UploadID, by author: String) -> Upload? {
        let found = self[id]
        return found?.about.author == author ? found : nil
    }

    /// The upload with this id, or a new one within the author's limit.
    func findOrAdd(_ id: UploadID, by author: String, _ make: () throws -> Upload) throws -> (Upload, isNew: Bool) {
        try uploads.withLock { uploads in
            if let known = uploads[id] { return (known, false) }
            let open = uploads.values.count { $0.about.author == author && !$0.isRefused }
            guard open < Limits.uploadsPerOwner else {
                throw Rejection(
                    .rateLimited, "You have too many unfinished recordings. Send or discard one first.",
                    limit: Limits.uploadsPerOwner, retryAfter: 1)
            }
            let made = try make()
            uploads[id] = made
            return (made, true)
        }
    }

    /// Forgets an upload that is finished or removed.
    func remove(_ id: UploadID) {
        uploads.withLock { $0[id] = nil }
    }

    /// The uploads that were begun before `limit`.
    func begun(before limit: Timestamp) -> [Upload] {
        uploads.withLock { $0.values.filter { $0.about.begun < limit } }
    }
}
