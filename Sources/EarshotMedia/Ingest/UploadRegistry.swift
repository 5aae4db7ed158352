import EarshotCore
import EarshotModel
import Synchronization

/// The uploads of this server that are not finished, by id and by author, and the limit on how many an author may have.
final class UploadRegistry: Sendable {
    private struct State {
        var uploads: [UploadID: Upload] = [:]
        /// The uploads of each author, in the order in which they were begun.
        var byAuthor: [String: [UploadID]] = [:]
        /// Those whose left-overs are being removed.
        var held: Set<UploadID> = []

        mutating func add(_ upload: Upload) {
            uploads[upload.about.upload] = upload
            byAuthor[upload.about.author, default: []].append(upload.about.upload)
        }

        mutating func remove(_ id: UploadID) {
            guard let author = uploads.removeValue(forKey: id)?.about.author else { return }
            byAuthor[author]?.removeAll { $0 == id }
            if byAuthor[author]?.isEmpty ?? false { byAuthor[author] = nil }
        }

        func of(_ author: String) -> [Upload] {
            (byAuthor[author] ?? []).compactMap { uploads[$0] }
        }
    }

    private let state = Mutex(State())

    /// How many uploads are unfinished.
    var count: Int { state.withLock { $0.uploads.count } }

    /// The upload with this id, of any author.
    subscript(id: UploadID) -> Upload? { state.withLock { $0.uploads[id] } }

    /// The uploads of an author, in the order in which they were begun.
    func all(of author: String) -> [Upload] { state.withLock { $0.of(author) } }

    /// The upload with this id, or a new one within the author's limit. A refused upload makes room for a new one.
    func findOrAdd(
        _ id: UploadID, for request: UploadRequest, _ make: () throws -> Upload
    ) throws -> (Upload, isNew: Bool) {
        try state.withLock { state in
            if let known = state.uploads[id] { return (known, false) }
            guard !state.held.contains(id) else { throw Rejection.unavailable }
            let all = state.of(request.author)
            if all.count >= Limits.uploadsPerOwner {
                guard let refused = all.first(where: \.isRefused) else { throw Self.tooMany(all, at: request.at) }
                state.remove(refused.about.upload)
            }
            let made = try make()
            state.add(made)
            return (made, true)
        }
    }

    /// Adds an upload that an earlier run of the server left, unless it is known.
    /// - Returns: the upload that is known from now on.
    func adopt(_ upload: Upload) -> Upload {
        state.withLock { state in
            if let known = state.uploads[upload.about.upload] { return known }
            state.add(upload)
            return upload
        }
    }

    /// Runs `body` if there is no upload with this id, and lets none begin meanwhile. `body` may take long: other
    /// uploads go on.
    func ifUnknown(_ id: UploadID, _ body: () throws -> Void) rethrows {
        let isUnknown = state.withLock { $0.uploads[id] == nil && $0.held.insert(id).inserted }
        guard isUnknown else { return }
        defer { state.withLock { _ = $0.held.remove(id) } }
        try body()
    }

    /// Forgets an upload that is finished or removed.
    func remove(_ id: UploadID) {
        state.withLock { $0.remove(id) }
    }

    /// The uploads that were begun before `limit`.
    func begun(before limit: Timestamp) -> [Upload] {
        state.withLock { $0.uploads.values.filter { $0.about.begun < limit } }
    }

    /// The next place is free when the oldest of the author's uploads is too old, unless they discard one before.
    private static func tooMany(_ open: [Upload], at now: Timestamp) -> Rejection {
        let oldest = open.map(\.about.begun).min() ?? now
        let wait = oldest.adding(milliseconds: Limits.unsentRecordingMs).milliseconds - now.milliseconds
        return Rejection(
            .rateLimited, "You have too many unfinished recordings. Send or discard one first.",
            limit: Limits.uploadsPerOwner, retryAfter: max(1, Int(wait / 1000)))
    }
}
