import Crypto
import EarshotCore
import EarshotModel
import Foundation
import Synchronization
import Testing

@testable import EarshotMedia

@Suite struct `A recording that nobody sends` {
    private static let dayMs = Limits.unsentRecordingMs

    @Test func `is removed a day after it was finished, with its row and all its files`() async throws {
        let bytes = try await Fixtures.shared().bytes("speech.ogg")
        try await StoreLab.with { lab in
            let rows = RecordingRows()
            let unsent = try await rows.keep(try await lab.upload(bytes, StoreLab.request(draft: "unsent")))
            let sent = try await rows.keep(try await lab.upload(bytes, StoreLab.request(draft: "sent")))
            await rows.send(sent)
            try await lab.store.confirm(unsent.content.media)
            try await lab.store.confirm(sent.content.media)
            try await rows.cleanup(lab.store, afterMs: Self.dayMs).run()
            #expect(lab.files.count { $0 == "original" } == 2, "a day old is not older than a day")
            try await rows.cleanup(lab.store, afterMs: Self.dayMs + 1).run()
            #expect(lab.files.count { $0 == "original" } == 1)
            #expect(await rows.all == [sent.content.media])
            #expect(try await lab.store.original(of: sent.content.media, in: sent.conversation) != nil)
        }
    }

    @Test func `is removed too if the server stopped before its row was stored`() async throws {
        let bytes = try await Fixtures.shared().bytes("speech.ogg")
        try await StoreLab.with { lab in
            let rows = RecordingRows()
            let orphan = try await lab.upload(bytes, StoreLab.request(draft: "orphan"))
            let kept = try await rows.keep(try await lab.upload(bytes, StoreLab.request(draft: "kept")))
            await rows.send(kept)
            let restarted = try await lab.restarted()
            try await rows.cleanup(restarted, afterMs: Self.dayMs).run()
            #expect(lab.files.count { $0 == "original" } == 2, "the markers are younger than a day")
            let later = RecordingCleanup(files: restarted, recordings: rows) {
                Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000) + 2 * Self.dayMs)
            }
            try await later.run()
            #expect(try await restarted.original(of: orphan.content.media, in: orphan.conversation) == nil)
            #expect(try await restarted.original(of: kept.content.media, in: kept.conversation) != nil)
            #expect(try await restarted.unconfirmed(before: Timestamp(milliseconds: .max)).isEmpty)
        }
    }

    @Test func `is removed when its author discards it, unless it was sent`() async throws {
        let bytes = try await Fixtures.shared().bytes("speech.ogg")
        try await StoreLab.with { lab in
            let rows = RecordingRows()
            let cleanup = rows.cleanup(lab.store, afterMs: 0)
            let unsent = try await rows.keep(try await lab.upload(bytes, StoreLab.request(draft: "unsent")))
            let sent = try await rows.keep(try await lab.upload(bytes, StoreLab.request(draft: "sent")))
            await rows.send(sent)
            await lab.expect(.notFound) { try await cleanup.remove(unsent.content.media, by: "other") }
            await lab.expect(.uploadSent) { try await cleanup.remove(sent.content.media, by: "consumer") }
            try await cleanup.remove(unsent.content.media, by: "consumer")
            await lab.expect(.notFound) { try await cleanup.remove(unsent.content.media, by: "consumer") }
            #expect(lab.files.count { $0 == "original" } == 1)
            #expect(await rows.all == [sent.content.media])
            let again = try await lab.upload(bytes, StoreLab.request(draft: "unsent"))
            #expect(again.content.media == unsent.content.media, "the draft may be recorded again")
        }
    }

    @Test func `leaves no empty folders, and its folder of two levels goes with the last recording`() async throws {
        let bytes = try await Fixtures.shared().bytes("speech.ogg")
        try await StoreLab.with { lab in
            for number in 0..<500 {
                let author = "consumer\(number)"
                let upload = try await lab.store.begin(StoreLab.request(author: author)).upload
                try await lab.store.abort(upload, by: author)
            }
            #expect(lab.uploadFolders.isEmpty)
            let media = try await lab.upload(bytes).content.media
            let top = lab.root + "/media"
            #expect(try FileManager.default.contentsOfDirectory(atPath: top).count == 1)
            try await lab.store.remove(media)
            #expect(!FileManager.default.fileExists(atPath: top), "its folders were the last ones")
        }
    }
}

@Suite struct `An upload of an earlier run` {
    @Test func `is not looked for at the start, and is found when it is asked for`() async throws {
        try await StoreLab.with { lab in
            let id = try await lab.receive([1, 2, 3])
            try FileManager.default.createDirectory(
                atPath: lab.root + "/uploads/\(DraftKey.randomID())", withIntermediateDirectories: false)
            let restarted = try await lab.restarted()
            #expect(lab.uploadFolders.count == 2, "the start removed nothing, so it looked at nothing")
            await lab.expect(.unavailable) { _ = try await restarted.openUploads(of: "consumer") }
            #expect(try await restarted.status(of: id, by: "consumer").received == 3)
            try await restarted.recoverUploads()
            #expect(lab.uploadFolders == [id.rawValue], "what was half made is gone")
            let open = try await restarted.openUploads(of: "consumer")
            #expect(open.map(\.status.upload) == [id] && open.first?.begun == Timestamp(milliseconds: 1000))
        }
    }

    @Test func `of a version that spread uploads over two levels moves to its place; empty folders go`() async throws {
        try await StoreLab.with { lab in
            let id = try await lab.receive([1, 2, 3])
            let (uploads, files) = (lab.root + "/uploads", FileManager.default)
            for number in 0..<600 {
                try files.createDirectory(
                    atPath: "\(uploads)/z\(number % 10)/\(number)", withIntermediateDirectories: true)
            }
            try files.createDirectory(atPath: uploads + "/ab/cd", withIntermediateDirectories: true)
            try files.moveItem(atPath: "\(uploads)/\(id)", toPath: "\(uploads)/ab/cd/\(id)")
            let restarted = try await lab.restarted()
            try await restarted.recoverUploads()
            #expect(lab.uploadFolders == [id.rawValue])
            #expect(try await restarted.status(of: id, by: "consumer").received == 3)
        }
    }
}

@Suite struct `The digest of a whole recording` {
    @Test func `is compared at the end, and a damaged recording is not kept`() async throws {
        let bytes = try await Fixtures.shared().bytes("speech.ogg")
        let right = Array(SHA256.hash(data: bytes))
        try await StoreLab.with { lab in
            let id = try await lab.receive(bytes)
            await lab.expect(.digestMismatch) {
                _ = try await lab.store.finish(
                    id, WholeRecording(bytes: bytes.count, sha256: right.reversed()), by: "consumer")
            }
            #expect(try await lab.store.status(of: id, by: "consumer").isFinished == false)
            let whole = WholeRecording(bytes: bytes.count, sha256: right)
            #expect(try await lab.store.finish(id, whole, by: "consumer").sha256 == right)
            #expect(try await lab.store.finish(id, whole, by: "consumer").sha256 == right)
            await lab.expect(.digestMismatch) {
                _ = try await lab.store.finish(
                    id, WholeRecording(bytes: bytes.count, sha256: right.reversed()), by: "consumer")
            }
        }
    }
}

/// The rows of recordings, in memory.
private actor RecordingRows: RecordingStore {
    private var rows: [MediaID: RecordedMedia] = [:]
    private static let finished = Timestamp(milliseconds: 1000)

    var all: [MediaID] { Array(rows.keys) }

    func keep(_ finished: FinishedUpload) throws -> RecordedMedia {
        let row = RecordedMedia(
            content: finished.content, conversation: finished.conversation, author: "consumer",
            sha256: finished.sha256, container: finished.container, at: Self.finished)
        rows[row.content.media] = row
        return row
    }

    func send(_ recording: RecordedMedia) {
        rows[recording.content.media]?.sent = 1
    }

    /// A clean-up that runs so long after the recordings were finished.
    nonisolated func cleanup(_ store: MediaStore, afterMs: Int64) -> RecordingCleanup {
        RecordingCleanup(files: store, recordings: self) { Self.finished.adding(milliseconds: afterMs) }
    }

    func keep(_ recording: RecordedMedia) -> RecordedMedia { recording }

    func conversation(of media: MediaID) -> ConversationID? { rows[media]?.conversation }

    func recording(_ media: MediaID, in conversation: ConversationID) -> RecordedMedia? {
        rows[media].flatMap { $0.conversation == conversation ? $0 : nil }
    }

    func recordings(waitingForScanAfter media: MediaID?, limit: Int) -> [RecordedMedia] { [] }

    func unsentRecordings(finishedBefore limit: Timestamp, after last: RecordedMedia?, count: Int) -> [RecordedMedia] {
        rows.values.filter { $0.sent == nil && ($0.at ?? limit) < limit }
    }

    func removeUnsent(_ media: MediaID, in conversation: ConversationID) -> Bool {
        guard rows[media]?.sent == nil else { return false }
        rows[media] = nil
        return true
    }

    func recordedBytes(of account: AccountID) -> Int { 0 }
}
