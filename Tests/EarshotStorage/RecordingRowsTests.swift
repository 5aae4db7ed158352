import EarshotCore
import EarshotModel
import EarshotTestKit
import Foundation
import GRDB
import Testing

@testable import EarshotStorage

@Suite struct `The rows of recordings` {
    private static let brand = AccountID(trusted: "brand")
    private static let later = Timestamp(milliseconds: 1_001)

    private static func recording(
        _ name: String, in conversation: ConversationID = ConversationID(trusted: "conversation"), at: Int64 = 1_000
    ) -> RecordedMedia {
        RecordedMedia(
            content: AudioContent(
                media: MediaID(trusted: name), durationMs: 1, waveform: [], sizeBytes: 10), conversation: conversation,
            author: "consumer", sha256: [1], container: "ogg", account: brand, at: Timestamp(milliseconds: at))
    }

    @Test func `tell which recordings nobody sent, page by page, oldest first`() async throws {
        let database = try TemporaryDatabase()
        let store = try database.open()
        for number in [3, 1, 2] { _ = try await store.accounts.keep(Self.recording("r\(number)", at: Int64(number))) }
        _ = try await store.accounts.keep(Self.recording("young", at: 1_001))
        let first = try await store.accounts.unsentRecordings(finishedBefore: Self.later, after: nil, count: 2)
        #expect(first.map(\.content.media.rawValue) == ["r1", "r2"])
        let rest = try await store.accounts.unsentRecordings(finishedBefore: Self.later, after: first.last, count: 2)
        #expect(rest.map(\.content.media.rawValue) == ["r3"])
        try store.close()
    }

    @Test func `go unless a message carries the recording, and add up the bytes of each brand`() async throws {
        let database = try TemporaryDatabase()
        let store = try database.open()
        let (unsent, sent) = (Self.recording("unsent"), Self.recording("sent"))
        for one in [unsent, sent] { _ = try await store.accounts.keep(one) }
        _ = try await store.accounts.keep(sent)
        #expect(try await store.accounts.recordedBytes(of: Self.brand) == 20)
        try store.close()
        try DatabaseQueue(path: database.path).inDatabase {
            try $0.execute(sql: "UPDATE recording SET sent = 1 WHERE media = 'sent'")
        }
        let again = try database.open()
        #expect(try await again.accounts.removeUnsent(unsent.content.media, in: unsent.conversation))
        #expect(try await !again.accounts.removeUnsent(sent.content.media, in: sent.conversation))
        #expect(try await again.accounts.removeUnsent(unsent.content.media, in: unsent.conversation), "once more")
        #expect(try await again.accounts.recordedBytes(of: Self.brand) == 10)
        #expect(try await again.accounts.recordedBytes(of: AccountID(trusted: "other")) == 0)
        try again.close()
    }

    @Test(arguments: ["in force", "before", "after", "of another brand", "in no reply"])
    func `of a clip stay while the settings or their history name it`(place: String) async throws {
        let database = try TemporaryDatabase()
        let clip = Self.recording("clip", in: .clips(of: Self.brand))
        let store = try database.open()
        try await store.accounts.save(Account.sample)
        _ = try await store.accounts.keep(clip)
        try store.close()
        let (named, empty) = (Data(#"[{"clip":{"media":"clip"}}]"#.utf8), Data("[]".utf8))
        try DatabaseQueue(path: database.path).inDatabase { db in
            try db.execute(sql: "PRAGMA foreign_keys = OFF")
            let account = place == "of another brand" ? "other" : "brand"
            try db.execute(
                sql: "INSERT INTO contact_centre VALUES (?, 'canned', 1, ?)",
                arguments: [account, ["in force", "of another brand"].contains(place) ? named : empty])
            try db.execute(
                sql: "INSERT INTO contact_centre_revision VALUES (?, 1, 1, 'agent', 'canned', NULL, ?, ?)",
                arguments: [account, place == "before" ? named : empty, place == "after" ? named : empty])
        }
        let again = try database.open()
        let isNamed = ["in force", "before", "after"].contains(place)
        let unsent = try await again.accounts.unsentRecordings(finishedBefore: Self.later, after: nil, count: 9)
        #expect(unsent.isEmpty == isNamed)
        #expect(try await again.accounts.removeUnsent(clip.content.media, in: clip.conversation) == !isNamed)
        try again.close()
    }

    @Test func `of the first version of the database get their columns`() async throws {
        let database = try TemporaryDatabase()
        try database.open().close()
        try FileManager.default.removeItem(atPath: database.path)
        var sent = Self.recording("sent")
        sent.sent = 7
        let rows = [Self.recording("unsent"), sent, Self.recording("clip", in: .clips(of: Self.brand))]
        let queue = try DatabaseQueue(path: database.path)
        try await queue.write { db in
            try db.execute(sql: Schema.steps[0])
            try db.execute(sql: "INSERT INTO setting VALUES ('epoch', 'e'); PRAGMA user_version = 1")
            for row in rows {
                try db.execute(
                    sql: "INSERT INTO recording (conversation, media, scan, body) VALUES (?, ?, 'unscanned', ?)",
                    arguments: [
                        row.conversation.rawValue, row.content.media.rawValue, try JSONEncoder().encode(row),
                    ])
            }
        }
        try queue.close()
        let store = try database.open()
        let unsent = try await store.accounts.unsentRecordings(finishedBefore: Self.later, after: nil, count: 9)
        #expect(Set(unsent.map(\.content.media.rawValue)) == ["unsent", "clip"])
        #expect(try await store.accounts.recordedBytes(of: Self.brand) == 30)
        try store.close()
        let clips = try await DatabaseQueue(path: database.path).read {
            try String.fetchAll($0, sql: "SELECT media FROM recording WHERE is_clip")
        }
        #expect(clips == ["clip"])
    }
}
