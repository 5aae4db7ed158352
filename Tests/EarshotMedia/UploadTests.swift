import Crypto
import EarshotCore
import EarshotModel
import Foundation
import Glibc
import Testing

@testable import EarshotMedia

@Suite struct `An upload that is refused` {
    @Test func `belongs to another author or does not exist: the answer is the same`() async throws {
        try await StoreLab.with { lab in
            let id = try await lab.receive([1, 2, 3])
            for otherConsumer in [
                (id, "other"), (UploadID(trusted: "../../../../etc/passwd"), "consumer"),
                (UploadID(trusted: "x"), "consumer"),
            ] {
                await lab.expect(.notFound) {
                    _ = try await lab.store.append([4], at: 3, to: otherConsumer.0, by: otherConsumer.1)
                }
                await lab.expect(.notFound) { _ = try await lab.store.status(of: otherConsumer.0, by: otherConsumer.1) }
                await lab.expect(.notFound) {
                    _ = try await lab.store.finish(otherConsumer.0, bytes: 3, by: otherConsumer.1)
                }
                await lab.expect(.notFound) { try await lab.store.abort(otherConsumer.0, by: otherConsumer.1) }
            }
        }
    }

    @Test func `skips bytes`() async throws {
        try await StoreLab.with { lab in
            let id = try await lab.receive([1, 2, 3])
            await lab.expect(.uploadGap, limit: 3) {
                _ = try await lab.store.append([5], at: 4, to: id, by: "consumer")
            }
            await lab.expect(.uploadGap) { _ = try await lab.store.append([5], at: -1, to: id, by: "consumer") }
            for ask in [
                { _ = try await lab.store.append([5], at: 4, to: id, by: "consumer") },
                { _ = try await lab.store.finish(id, bytes: 4, by: "consumer") },
            ] as [() async throws -> Void] {
                let refusal = await #expect(throws: Rejection.self) { try await ask() }
                #expect(refusal?.text.contains("`received`") == true, "it names the member that the answer has")
            }
            await lab.expect(.uploadGap, limit: 3) { _ = try await lab.store.finish(id, bytes: 4, by: "consumer") }
            await lab.expect(.badRequest) { _ = try await lab.store.finish(id, bytes: 2, by: "consumer") }
        }
    }

    @Test func `is empty`() async throws {
        try await StoreLab.with { lab in
            let id = try await lab.receive([])
            await lab.expect(.audioEmpty) { _ = try await lab.store.finish(id, bytes: 0, by: "consumer") }
        }
    }

    @Test func `is one byte over 16 MiB, and not at it`() async throws {
        try await StoreLab.with({
            $0.maxWorkers = 1
            $0.reserved = 1
        }) { lab in
            let full = [UInt8](repeating: 0, count: Limits.audioBytes)
            let id = try await lab.receive(full, chunk: Limits.uploadChunkBytes)
            await lab.expect(.audioTooLarge, limit: Limits.audioBytes) {
                _ = try await lab.store.append([0], at: full.count, to: id, by: "consumer")
            }
            #expect(!lab.files.contains("original"))
            await lab.expect(.audioTooLarge) { _ = try await lab.store.finish(id, bytes: full.count, by: "consumer") }
        }
    }

    @Test func `is not audio: nothing of it is kept but the answer, until a restart`() async throws {
        try await StoreLab.with { lab in
            let text = Array(String(repeating: "no audio at all ", count: 100).utf8)
            await lab.expect(.notAudio) { _ = try await lab.upload(text) }
            #expect(lab.files.isEmpty && lab.uploadFolders.isEmpty)
            await lab.expect(.notAudio) { _ = try await lab.store.begin(StoreLab.request()) }
            try await lab.store.recoverUploads()
            let id = try #require(try await lab.store.openUploads(of: "consumer").first?.status.upload)
            let status = UploadStatus(upload: id, received: 0, isFinished: false, isNew: false, refused: .notAudio)
            #expect(try await lab.store.status(of: id, by: "consumer") == status)
            await lab.expect(.notAudio) { _ = try await lab.store.finish(id, bytes: text.count, by: "consumer") }
            await lab.expect(.notAudio) { _ = try await lab.store.append([1], at: 0, to: id, by: "consumer") }
            await lab.expect(.notFound) { _ = try await lab.restarted().status(of: id, by: "consumer") }
            try await lab.store.abort(id, by: "consumer")
            #expect(try await lab.store.begin(StoreLab.request()).isNew)
        }
    }

    @Test func `is a second too long, and says the account's limit`() async throws {
        let fixtures = try await Fixtures.shared()
        try await Tool.run(
            "sox",
            ["-n", "-r", "16000", "-c", "1", fixtures.path("16s.wav"), "synth", "16", "sine", "300", "gain", "-20"])
        try await Tool.run(
            "sox",
            ["-n", "-r", "16000", "-c", "1", fixtures.path("15s.wav"), "synth", "15", "sine", "300", "gain", "-20"])
        try await StoreLab.with { lab in
            await lab.expect(.audioTooLong, limit: 15_000) {
                _ = try await lab.upload(fixtures.bytes("16s.wav"), StoreLab.request(draft: "long", limitMs: 15_000))
            }
            let kept = try await lab.upload(
                fixtures.bytes("15s.wav"), StoreLab.request(draft: "right", limitMs: 15_000))
            #expect(kept.content.durationMs == 15_000)
        }
    }

    @Test func `is one more than its author may have at a time`() async throws {
        try await StoreLab.with { lab in
            for number in 0..<Limits.uploadsPerOwner {
                _ = try await lab.store.begin(StoreLab.request(draft: "d\(number)"))
            }
            await lab.expect(.rateLimited, limit: Limits.uploadsPerOwner) {
                _ = try await lab.store.begin(StoreLab.request(draft: "over"))
            }
            do { _ = try await lab.store.begin(StoreLab.request(draft: "over", at: 4_000)) } catch {
                let wait = Limits.unsentRecordingMs / 1000 - 3
                #expect((error as? Rejection)?.retryAfter.map(Int64.init) == wait, "the oldest is removed then")
            }
            #expect(try await !lab.store.begin(StoreLab.request(draft: "d0")).isNew)
            #expect(try await lab.store.begin(StoreLab.request(draft: "d0", author: "other")).isNew)
            let first = try await lab.store.begin(StoreLab.request(draft: "d0"))
            try await lab.store.abort(first.upload, by: "consumer")
            #expect(try await lab.store.begin(StoreLab.request(draft: "over")).isNew)
        }
    }
}

@Suite struct `An upload` {
    @Test func `becomes a recording with its original bytes, an MP3, a duration and a waveform`() async throws {
        let bytes = try await Fixtures.shared().bytes("speech.webm")
        try await StoreLab.with { lab in
            let finished = try await lab.upload(bytes)
            #expect(finished.container == "webm" && finished.content.sizeBytes == bytes.count)
            #expect(finished.sha256 == Array(SHA256.hash(data: bytes)))
            #expect(finished.content.waveform.count == AudioContent.waveformSpans && finished.content.durationMs > 2000)
            #expect(lab.files == ["about", "original", "record", "voice.mp3"])
            let original = try #require(Scratch.files(below: lab.root).first { $0.hasSuffix("/original") })
            #expect(try Array(Data(contentsOf: URL(fileURLWithPath: "\(lab.root)/\(original)"))) == bytes)
            #expect(original.hasPrefix("media/"))
            let mp3 = try #require(
                try await lab.store.rendition(
                    .mp3, of: finished.content.media, in: ConversationID(trusted: "conversation")))
            #expect(try Data(contentsOf: URL(fileURLWithPath: mp3.path)).count == mp3.size)
        }
    }

    @Test func `plays only in its own conversation`() async throws {
        let bytes = try await Fixtures.shared().bytes("speech.ogg")
        try await StoreLab.with { lab in
            let media = try await lab.upload(bytes).content.media
            #expect(try await lab.store.rendition(.mp3, of: media, in: ConversationID(trusted: "another")) == nil)
            #expect(
                try await lab.store.rendition(
                    .mp3, of: MediaID(trusted: "../../key"), in: ConversationID(trusted: "conversation")) == nil)
            try await lab.store.remove(media)
            #expect(lab.files.isEmpty)
        }
    }

    @Test func `ignores a repeated chunk`() async throws {
        let bytes = try await Fixtures.shared().bytes("speech.ogg")
        try await StoreLab.with { lab in
            let id = try await lab.receive(Array(bytes[..<4000]))
            #expect(try await lab.store.append(Array(bytes[..<4000]), at: 0, to: id, by: "consumer") == 4000)
            #expect(try await lab.store.append(Array(bytes[1000..<5000]), at: 1000, to: id, by: "consumer") == 5000)
            let other = bytes[1000..<5001].map { $0 ^ 1 }
            await lab.expect(.uploadMismatch) {
                _ = try await lab.store.append(other, at: 1000, to: id, by: "consumer")
            }
            #expect(try await lab.store.status(of: id, by: "consumer").received == 5000, "nothing of it is kept")
            #expect(try await lab.store.append(Array(bytes[5000...]), at: 5000, to: id, by: "consumer") == bytes.count)
            #expect(
                try await lab.store.finish(id, bytes: bytes.count, by: "consumer").sha256
                    == Array(SHA256.hash(data: bytes)))
        }
    }

    @Test func `finished twice, even at once, gives the same answer`() async throws {
        let bytes = try await Fixtures.shared().bytes("speech.ogg")
        try await StoreLab.with { lab in
            let id = try await lab.receive(bytes)
            async let first = lab.store.finish(id, bytes: bytes.count, by: "consumer")
            async let second = lab.store.finish(id, bytes: bytes.count, by: "consumer")
            let (one, other) = try await (first, second)
            let again = try await lab.restarted().finish(id, bytes: bytes.count, by: "consumer")
            #expect(one == other && one == again)
            await lab.expect(.uploadFinished) {
                _ = try await lab.store.append([1], at: bytes.count, to: id, by: "consumer")
            }
            await lab.expect(.uploadFinished) { try await lab.store.abort(id, by: "consumer") }
            let begun = try await lab.store.begin(StoreLab.request())
            #expect(begun == UploadStatus(upload: id, received: bytes.count, isFinished: true, isNew: false))
        }
    }

    @Test func `found before it became a recording takes a second finish, and no more bytes`() async throws {
        let bytes = try await Fixtures.shared().bytes("speech.ogg")
        try await StoreLab.with { lab in
            let finished = try await lab.upload(bytes)
            let folder = try Scratch.folder("upload") + "/one"
            let upload = Upload(
                UploadID(trusted: "one"), StoreLab.request(), folder: folder, finishLimit: .seconds(1), scanner: nil)
            try await BlockingPool.run {
                try upload.create()
                _ = try upload.append(bytes, at: 0) { _ in }
                _ = try upload.beginFinish(bytes: bytes.count, sha256: nil) { _ in }
                try OpenFile(writing: folder + "/voice.mp3").write([1], at: 0)
                let record = RecordedMedia(
                    content: finished.content, conversation: finished.conversation, author: "consumer",
                    sha256: finished.sha256, container: finished.container)
                try upload.publish(record, to: folder + "-recording")
                #expect(try upload.beginFinish(bytes: bytes.count, sha256: nil) { _ in }.ingest == nil)
                #expect(throws: Rejection.uploadFinished) { _ = try upload.append([1], at: bytes.count) { _ in } }
                #expect(try !upload.remove(evenIfFinishing: true))
            }
        }
    }

    @Test func `continues after a restart where it stopped`() async throws {
        let bytes = try await Fixtures.shared().bytes("index-last.m4a")
        try await StoreLab.with { lab in
            let id = try await lab.receive(Array(bytes[..<7000]))
            let restarted = try await lab.restarted()
            #expect(
                try await restarted.begin(StoreLab.request())
                    == UploadStatus(upload: id, received: 7000, isFinished: false, isNew: false))
            #expect(try await restarted.append(Array(bytes[7000...]), at: 7000, to: id, by: "consumer") == bytes.count)
            let finished = try await restarted.finish(id, bytes: bytes.count, by: "consumer")
            #expect(finished.sha256 == Array(SHA256.hash(data: bytes)) && finished.container == "mp4")
        }
    }

    @Test func `that is aborted leaves nothing`() async throws {
        let bytes = try await Fixtures.shared().bytes("speech.ogg")
        try await StoreLab.with { lab in
            let id = try await lab.receive(bytes)
            try await lab.store.abort(id, by: "consumer")
            #expect(lab.files.isEmpty)
            await lab.expect(.notFound) { _ = try await lab.store.finish(id, bytes: bytes.count, by: "consumer") }
            #expect(try await lab.restarted().begin(StoreLab.request()).received == 0)
        }
    }

    @Test func `that was abandoned is removed after a while, and a recent one is not`() async throws {
        try await StoreLab.with { lab in
            let old = try await lab.receive([1, 2, 3], StoreLab.request(draft: "old", at: 1000))
            let young = try await lab.receive([1, 2, 3], StoreLab.request(draft: "young", at: 2000))
            try await lab.restarted().sweep(begunBefore: Timestamp(milliseconds: 1000))
            #expect(try await lab.restarted().status(of: old, by: "consumer").received == 3)
            #expect(lab.files.count { $0 == "original" } == 2)
            try await lab.store.sweep(begunBefore: Timestamp(milliseconds: 1001))
            #expect(lab.files.count { $0 == "original" } == 1)
            await lab.expect(.notFound) { _ = try await lab.store.status(of: old, by: "consumer") }
            #expect(try await lab.store.status(of: young, by: "consumer").received == 3)
        }
    }
}

@Suite struct `The loss of a worker` {
    @Test func `while someone records costs nothing: the recording is decoded from its file at the end`() async throws {
        let bytes = try await Fixtures.shared().bytes("speech.webm")
        try await StoreLab.with { lab in
            let worker = try await lab.workers.nextReady()
            let id = try await lab.receive(Array(bytes[..<5000]))
            kill(worker, SIGKILL)
            _ = try await lab.store.append(Array(bytes[5000...]), at: 5000, to: id, by: "consumer")
            #expect(try await lab.store.finish(id, bytes: bytes.count, by: "consumer").content.durationMs > 2000)
        }
    }

    @Test func `by a hang while someone records costs nothing after the deadline`() async throws {
        let bytes = try await Fixtures.shared().bytes("speech.webm")
        try await StoreLab.with({ $0.finishLimit = .seconds(5) }) { lab in
            kill(try await lab.workers.nextReady(), SIGSTOP)
            #expect(try await lab.upload(bytes).content.durationMs > 2000)
        }
    }

    @Test func `twice fails the recording, which is kept and can be tried again`() async throws {
        let bytes = try await Fixtures.shared().bytes("speech.webm")
        try await StoreLab.with({ $0.finishLimit = .milliseconds(300) }) { lab in
            let (first, second) = (try await lab.workers.nextReady(), StoreLab.request(draft: "poison"))
            kill(first, SIGSTOP)
            let id = try await lab.receive(bytes, second)
            kill(try await lab.workers.nextReady(), SIGSTOP)
            await lab.expect(.audioFailed) { _ = try await lab.store.finish(id, bytes: bytes.count, by: "consumer") }
            #expect(lab.files.contains("original"))
            let status = try await lab.store.status(of: id, by: "consumer")
            #expect(status == UploadStatus(upload: id, received: bytes.count, isFinished: false, isNew: false))
        }
    }

    @Test func `before it starts is reported as unavailable, and the bytes are kept`() async throws {
        try await StoreLab.with({ $0.executable = "/nowhere/EarshotMediaWorker" }) { lab in
            let id = try await lab.receive([1, 2, 3])
            await lab.expect(.unavailable) { _ = try await lab.store.finish(id, bytes: 3, by: "consumer") }
            #expect(try await lab.store.status(of: id, by: "consumer").received == 3)
        }
    }

    @Test func `follows if it writes more than an MP3 may have`() async throws {
        let folder = try Scratch.folder("mp3")
        let job = RecordingIngest(
            RecordingPaths(folder: folder), .init(limitMs: 1000, isLive: false, finishLimit: .seconds(1)), available: 0
        ) { _ in }
        let piece = [UInt8](repeating: 0, count: 30_000)
        try await job.write(audio: piece)
        try await job.write(audio: piece)
        await #expect(throws: (any Error).self) { try await job.write(audio: piece) }
        #expect(FileSystem.size(of: folder + "/voice.mp3") == 60_000)
    }
}

@Suite struct `A full disk` {
    @Test func `refuses bytes, keeps the acknowledged ones, and accepts more once there is room`() async throws {
        let bytes = try await Fixtures.shared().bytes("speech.wav")
        let disk = try await SmallDisk.mount(bytes: 256 * 1024)
        defer { disk.unmount() }
        try await StoreLab.with(root: disk.path) { lab in
            let ballast = disk.path + "/ballast"
            let id = try await lab.receive(Array(bytes[..<50_000]))
            try OpenFile(writing: ballast).fill()
            await lab.expect(.storageFull) {
                _ = try await lab.store.append(Array(bytes[50_000..<150_000]), at: 50_000, to: id, by: "consumer")
            }
            #expect(try await lab.store.status(of: id, by: "consumer").received == 50_000)
            #expect(
                Scratch.files(below: lab.root).filter { $0.hasSuffix("original") }.map {
                    FileSystem.size(of: "\(lab.root)/\($0)")
                } == [50_000])
            await lab.expect(.storageFull) { _ = try await lab.store.begin(StoreLab.request(draft: "another")) }
            try FileSystem.removeFile(ballast)
            #expect(
                try await lab.store.append(Array(bytes[50_000..<150_000]), at: 50_000, to: id, by: "consumer")
                    == 150_000)
            #expect(try await lab.store.begin(StoreLab.request(draft: "another")).isNew)
        }
    }
}
