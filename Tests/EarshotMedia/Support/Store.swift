import EarshotCore
import EarshotModel
import Foundation
import Logging
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
            let store = try await open(folder + "/media", lab.pool, scanner)
            try await body(
                StoreLab(root: folder + "/media", store: store, workers: lab.workers, pool: lab.pool, scanner: scanner))
        }
    }

    /// The same folder as a restarted server finds it.
    func restarted() async throws -> MediaStore {
        try await Self.open(root, pool, scanner)
    }

    /// Without a reserve: the tests also run on a machine whose disk is nearly full.
    private static func open(_ root: String, _ pool: WorkerPool, _ scanner: EarshotMedia.Scanner?) async throws
        -> MediaStore
    {
        try await MediaStore.open(
            root, pool: pool, scanner: scanner, reserve: SpaceReserve(bytes: 0, percent: 0),
            logger: Logger(label: "store") { _ in SwiftLogNoOpLogHandler() })
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

    /// What is in the folder of uploads.
    var uploadFolders: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: root + "/uploads")) ?? []
    }

    /// Files of uploads and media, by their last name.
    var files: [String] {
        Scratch.files(below: root).filter { $0 != "key" && !$0.hasPrefix("unconfirmed/") }.map {
            URL(fileURLWithPath: $0).lastPathComponent
        }.sorted()
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

extension MediaStore {
    /// Finishes an upload whose sender says no hash.
    func finish(_ id: UploadID, bytes: Int, by author: String) async throws -> FinishedUpload {
        try await finish(id, WholeRecording(bytes: bytes), by: author)
    }
}
