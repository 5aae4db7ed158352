import EarshotCore
import EarshotModel
import Foundation
import Testing

@testable import EarshotMedia

@Suite struct `A copy of a recording` {
    private static let from = ConversationID(trusted: "conversation")

    private static func request(
        _ draft: String = "copy", in conversation: String = "elsewhere", author: String = "dana"
    ) -> UploadRequest {
        UploadRequest(
            conversation: ConversationID(trusted: conversation), draft: DraftID(trusted: draft), author: author,
            limitMs: 1, at: Timestamp(milliseconds: 9))
    }

    @Test func `is refused for a missing recording, for another conversation, and for a draft that is being recorded`()
        async throws
    {
        let bytes = try await Fixtures.shared().bytes("speech.ogg")
        try await StoreLab.with { lab in
            let original = try await lab.upload(bytes).content.media
            let unknown = ["AAAAAAAAAAAAAAAAAAAAAA", "../conversation", ""].map(MediaID.init(trusted:))
            for media in unknown {
                await lab.expect(.notFound) {
                    _ = try await lab.store.copy(media, in: Self.from, as: Self.request())
                }
            }
            await lab.expect(.notFound) {
                _ = try await lab.store.copy(original, in: ConversationID(trusted: "elsewhere"), as: Self.request())
            }
            _ = try await lab.receive(bytes, Self.request())
            await lab.expect(.uploadFinished) {
                _ = try await lab.store.copy(original, in: Self.from, as: Self.request())
            }
        }
    }

    @Test func `is a separate recording that shares the bytes on disk`() async throws {
        let bytes = try await Fixtures.shared().bytes("speech.ogg")
        try await StoreLab.with { lab in
            let original = try await lab.upload(bytes)
            let copy = try await lab.store.copy(original.content.media, in: Self.from, as: Self.request())
            #expect(copy.content.media != original.content.media && copy.conversation.rawValue == "elsewhere")
            #expect(copy.content == original.content.with(media: copy.content.media))
            #expect(
                copy.sha256 == original.sha256 && copy.container == original.container && copy.scan == original.scan)
            let (folder, other) = (
                try lab.store.archive.files(of: original.content.media).folder,
                try lab.store.archive.files(of: copy.content.media).folder
            )
            for file in ["original", "voice.mp3"] {
                #expect(try Self.inode("\(folder)/\(file)") == Self.inode("\(other)/\(file)"), "on disk once: \(file)")
            }
            await #expect(throws: Never.self) { try await lab.play(copy, bytes) }
            #expect(
                try await lab.store.original(of: copy.content.media, in: Self.from) == nil,
                "it is none of the first conversation's")
        }
    }

    @Test func `is the same for the same draft, also after a restart; a draft of another recording is refused`()
        async throws
    {
        let (bytes, others) = (
            try await Fixtures.shared().bytes("speech.ogg"), try await Fixtures.shared().bytes("speech.wav")
        )
        try await StoreLab.with { lab in
            let original = try await lab.upload(bytes).content.media
            let other = try await lab.upload(others, StoreLab.request(draft: "other")).content.media
            async let one = lab.store.copy(original, in: Self.from, as: Self.request())
            async let two = lab.store.copy(original, in: Self.from, as: Self.request())
            let (first, second) = try await (one, two)
            let third = try await lab.restarted().copy(original, in: Self.from, as: Self.request())
            #expect(first == second && second == third)
            await lab.expect(.uploadFinished) { _ = try await lab.store.copy(other, in: Self.from, as: Self.request()) }
            #expect(
                try await lab.store.copy(other, in: Self.from, as: Self.request("another")).content.media
                    != first.content.media)
            #expect(lab.uploadFolders.isEmpty, "no draft of a copy is left")
        }
    }

    @Test(arguments: [true, false])
    func `stays when the other recording is removed`(originalGoes: Bool) async throws {
        let bytes = try await Fixtures.shared().bytes("speech.ogg")
        try await StoreLab.with { lab in
            let original = try await lab.upload(bytes)
            let copy = try await lab.store.copy(original.content.media, in: Self.from, as: Self.request())
            let (gone, left) = originalGoes ? (original, copy) : (copy, original)
            try await lab.store.remove(gone.content.media)
            #expect(try await lab.store.original(of: gone.content.media, in: gone.conversation) == nil)
            await #expect(throws: Never.self) { try await lab.play(left, bytes) }
        }
    }

    @Test func `is not made before the whole file was scanned`() async throws {
        let bytes = try await Fixtures.shared().bytes("speech.ogg")
        let clamd = try Clamd()
        try clamd.start()
        // Without a backlog the whole file is never scanned.
        try await ScannerLab.with(clamd, hasBacklog: false) { lab in
            let finished = try await lab.store.upload(bytes)
            #expect(finished.scan == .clean)
            await lab.store.expect(.audioPending) {
                _ = try await lab.store.store.copy(
                    finished.content.media, in: finished.conversation, as: Self.request())
            }
        }
    }

    private static func inode(_ path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int)
    }
}

extension StoreLab {
    /// It is there byte for byte, and as MP3.
    fileprivate func play(_ finished: FinishedUpload, _ bytes: [UInt8]) async throws {
        let original = try #require(try await store.original(of: finished.content.media, in: finished.conversation))
        #expect(try Array(Data(contentsOf: URL(fileURLWithPath: original.path))) == bytes)
        for rendition in [Rendition.mp3, .m4a] {
            #expect(try await store.rendition(rendition, of: finished.content.media, in: finished.conversation) != nil)
        }
    }
}
