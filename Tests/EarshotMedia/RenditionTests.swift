import EarshotCore
import EarshotModel
import EarshotWorkerProtocol
import Foundation
import Glibc
import Testing

@testable import EarshotMedia

@Suite struct `A recording's other formats` {
    private static let conversation = ConversationID(trusted: "conversation")

    @Test func `do not exist for another conversation or for a missing recording`() async throws {
        let bytes = try await Fixtures.shared().bytes("speech.ogg")
        try await StoreLab.with { lab in
            let media = try await lab.upload(bytes).content.media
            for format in Rendition.allCases {
                #expect(try await lab.store.rendition(format, of: media, in: ConversationID(trusted: "another")) == nil)
                #expect(
                    try await lab.store.rendition(format, of: MediaID(trusted: "../../key"), in: Self.conversation)
                        == nil)
                #expect(
                    try await lab.store.rendition(
                        format, of: MediaID(trusted: "AAAAAAAAAAAAAAAAAAAAAA"), in: Self.conversation) == nil)
            }
            #expect(lab.files == ["about", "original", "record", "voice.mp3"])
        }
    }

    @Test func `are made when first asked for, once for all requests, and kept after a restart`() async throws {
        let bytes = try await Fixtures.shared().bytes("speech.webm")
        try await StoreLab.with({ $0.ready = 2 }) { lab in
            let media = try await lab.upload(bytes).content.media
            for format in Rendition.allCases {
                let files = try await withThrowingTaskGroup(of: MediaFile?.self) { group in
                    for _ in 0..<20 {
                        group.addTask { try await lab.store.rendition(format, of: media, in: Self.conversation) }
                    }
                    return try await group.reduce(into: Set<MediaFile>()) { if let file = $1 { $0.insert(file) } }
                }
                let file = try #require(files.first)
                #expect(files.count == 1 && file.size == FileSystem.size(of: file.path) && file.size > 1000)
                #expect(try await lab.restarted().rendition(format, of: media, in: Self.conversation) == file)
            }
            #expect(
                lab.workers.started.count < 10,
                "one for the upload, one a format, those kept ready; forty would mean that nothing is shared")
            #expect(lab.files == ["about", "original", "record", "voice.m4a", "voice.mp3", "voice.ogg"])
        }
    }

    @Test func `contain none of the sender's packets without a scanner, whatever the record says`() async throws {
        let bytes = try await Fixtures.shared().bytes("speech.ogg")
        try await StoreLab.with { lab in
            let packet = try #require(Ogg.packets(bytes).dropFirst(20).first { $0.count > 20 })
            for scan in ScanState.allCases {
                let media = try await lab.upload(bytes, StoreLab.request(draft: scan.rawValue)).content.media
                let path = try lab.store.archive.files(of: media).record
                var record = try JSONDecoder().decode(RecordedMedia.self, from: Data(FileSystem.contents(of: path)))
                record.scan = scan
                try FileSystem.replace(path, with: Array(JSONEncoder().encode(record)))
                let file = try #require(try await lab.store.rendition(.ogg, of: media, in: Self.conversation))
                let made = Array(try Data(contentsOf: URL(fileURLWithPath: file.path)))
                #expect(made.firstRange(of: packet) == nil && made.count > 1000, "\(scan)")
            }
        }
    }

    @Test func `that cannot be made leave no files, fail only for their requests, and are tried again`() async throws {
        let bytes = try await Fixtures.shared().bytes("speech.webm")
        try await StoreLab.with { lab in
            let media = try await lab.upload(bytes).content.media
            let original = try #require(
                Scratch.files(below: lab.root).first { $0.hasSuffix("/original") }.map { "\(lab.root)/\($0)" })
            try Data(bytes[..<1000]).write(to: URL(fileURLWithPath: original))
            await lab.expect(.audioFailed) { _ = try await lab.store.rendition(.ogg, of: media, in: Self.conversation) }
            #expect(lab.files == ["about", "original", "record", "voice.mp3"])
            try Data(bytes).write(to: URL(fileURLWithPath: original))
            #expect(try await lab.store.rendition(.ogg, of: media, in: Self.conversation) != nil)
            try await lab.store.remove(media)
            #expect(lab.files.isEmpty)
        }
    }

    @Test func `are refused if a worker sends more bytes or another size than it was told`() async throws {
        let folder = try Scratch.folder("rendition")
        let job = RenditionJob(
            WorkerOrder(.ogg, limitMs: 1000, maxBytes: 50_000), of: .init(path: "/dev/null", account: nil),
            to: folder + "/voice.ogg",
            finishLimit: .seconds(1)
        ) {}
        try await job.write(audio: [UInt8](repeating: 1, count: 50_000))
        await #expect(throws: (any Error).self) { try await job.write(audio: [1]) }
        #expect(throws: (any Error).self) { try job.write(header: [1]) }
        await job.finish(.rendition(RenditionResult(durationMs: 1, sizeBytes: 49_999, method: .encoded)))
        await #expect(throws: Rejection.audioFailed) { try await job.settled() }
        #expect(Scratch.files(below: folder).isEmpty)
    }

    @Test func `are made eight at a time; one more request is told to come back later`() async throws {
        let bytes = try await Fixtures.shared().bytes("speech.webm")
        try await StoreLab.with({
            $0.maxWorkers = 1
            $0.reserved = 0
        }) { lab in
            var media: [MediaID] = []
            for number in 0...Renditions.maxJobs {
                media.append(try await lab.upload(bytes, StoreLab.request(draft: "d\(number)")).content.media)
            }
            let holder = TestJob()
            while !lab.pool.submit(holder, isComplete: false) { _ = try await lab.workers.nextReady() }
            try await withThrowingTaskGroup(of: MediaFile?.self) { group in
                for one in media.dropLast() {
                    group.addTask { try await lab.store.rendition(.m4a, of: one, in: Self.conversation) }
                }
                while lab.store.finished.runningRenditions < Renditions.maxJobs { await Task.yield() }
                await lab.expect(.unavailable) {
                    _ = try await lab.store.rendition(.m4a, of: media[Renditions.maxJobs], in: Self.conversation)
                }
                holder.complete()
                for try await file in group { #expect(file != nil) }
            }
            #expect(
                try await lab.store.rendition(.m4a, of: media[Renditions.maxJobs], in: Self.conversation) != nil)
        }
    }
}
