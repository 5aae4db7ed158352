import EarshotCore
import EarshotModel
import Foundation
import Testing

@testable import EarshotMedia

/// A store in a folder of its own, with a running pool behind it.
struct StoreLab: Sendable {
    let root: String
    let store: MediaStore
    let workers: WorkerLog
    let pool: WorkerPool
    let scanner: EarshotMedia.Scanner?

    static func with(
        root: String? = nil, scanner: EarshotMedia.Scanner? = nil,
        _ change: (inout WorkerPool.Settings) -> Void = { _ in }, _ body: (StoreLab) async throws -> Void
    ) async throws {
        let folder = try root ?? Scratch.folder("store")
        try await PoolLab.with(change) { lab in
            let store = try await MediaStore.open(folder + "/media", pool: lab.pool, scanner: scanner)
            try await body(
                StoreLab(root: folder + "/media", store: store, workers: lab.workers, pool: lab.pool, scanner: scanner))
        }
    }

    /// The same folder as a restarted server finds it.
    func restarted() async throws -> MediaStore {
        try await MediaStore.open(root, pool: pool, scanner: scanner)
    }

    static func request(draft: String = "draft", author: String = "consumer", limitMs: Int = 120_000, at: Int64 = 1000)
        -> UploadRequest
    {
        UploadRequest(
            conversation: ConversationID(trusted: "conversation"), draft: DraftID(trusted: draft), author: author,
            limitMs: limitMs,
            at: Timestamp(milliseconds: at))
    }

    /// Everything at once, in pieces of `chunk` bytes.
    func upload(_ bytes: [UInt8], _ request: UploadRequest = request(), chunk: Int = 10_000) async throws
        -> FinishedUpload
    {
        let id = try await receive(bytes, request, chunk: chunk)
        return try await store.finish(id, bytes: bytes.count, by: request.author)
    }

    func receive(_ bytes: [UInt8], _ request: UploadRequest = request(), chunk: Int = 10_000) async throws -> UploadID {
        let begun = try await store.begin(request)
        for at in stride(from: 0, to: bytes.count, by: chunk) {
            let part = Array(bytes[at..<min(bytes.count, at + chunk)])
            let received = try await store.append(part, at: at, to: begun.upload, by: request.author)
            #expect(received == at + part.count)
        }
        return begun.upload
    }

    /// Files of uploads and media, by their last name.
    var files: [String] {
        Scratch.files(below: root).filter { $0 != "key" }.map { URL(fileURLWithPath: $0).lastPathComponent }.sorted()
    }

    func expect(
        _ code: Rejection.Code, limit: Int? = nil, sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () async throws -> Void
    ) async {
        do {
            try await body()
            Issue.record("was not refused", sourceLocation: sourceLocation)
        } catch let rejection as Rejection {
            #expect(rejection.code == code, sourceLocation: sourceLocation)
            if let limit { #expect(rejection.limit == limit, sourceLocation: sourceLocation) }
        } catch {
            Issue.record("failed otherwise: \(error)", sourceLocation: sourceLocation)
        }
    }
}
