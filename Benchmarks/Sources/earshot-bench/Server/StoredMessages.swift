import Foundation
import Glibc

/// Stores with many messages, written by the server itself through its sockets, and kept between runs for as long as
/// the storage's code stays the same.
enum StoredMessages {
    private static let messagesEach = 500

    static func folder(_ messages: Int) throws -> String {
        let kept = (ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp") + "/earshot-bench-store"
        let all = Scale.of(kept, quick: Folders.all + "/store")
        let ofTheseSources = "\(all)/\(try storageDigest())"
        let folder = "\(ofTheseSources)/\(messages)"
        if !FileManager.default.fileExists(atPath: ofTheseSources) { try? FileManager.default.removeItem(atPath: all) }
        if !FileManager.default.fileExists(atPath: folder) {
            try FileManager.default.createDirectory(
                atPath: ofTheseSources, withIntermediateDirectories: true)
            try? FileManager.default.removeItem(atPath: folder + ".new")
            try fill(folder + ".new", messages)
            try FileManager.default.moveItem(atPath: folder + ".new", toPath: folder)
        }
        return folder
    }

    /// A copy of a store, so that a run does not change the one that is kept for the next run.
    static func copy(of folder: String) throws -> String {
        let data = try Folders.fresh("store") + "/data"
        try FileManager.default.copyItem(atPath: folder, toPath: data)
        sync()
        return data
    }

    /// Written without waiting for the disk (`NORMAL`): this is the one place where that does not matter.
    private static func fill(_ folder: String, _ messages: Int) throws {
        print("writing \(messages) messages once, into \(folder)")
        try Installation.copy(to: folder)
        let server = try ServerProcess(
            ServerProcess.Options(data: folder, environment: ["EARSHOT_TEST_SYNCHRONOUS": "NORMAL"]))
        try server.waitUntilReady()
        let conversations = Scale.of(max(20, min(2_000, messages / messagesEach)), quick: 5)
        let load = try MessageLoad(conversations: conversations, port: server.port, poller: Poller())
        let start = now()
        try load.write(messages)
        print("that took \((now() - start) / nanosecondsPerSecond) s")
        server.end(SIGTERM)
    }

    /// Names the code that decides what the files look like.
    private static func storageDigest() throws -> String {
        let folder = Program.root + "/Sources/EarshotStorage"
        let names = (FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []).filter {
            $0.hasSuffix(".swift")
        }.sorted()
        var digest: UInt64 = 0xcbf2_9ce4_8422_2325
        for name in names {
            for byte in FileManager.default.contents(atPath: folder + "/" + name) ?? Data() {
                digest = (digest ^ UInt64(byte)) &* 0x100_0000_01b3
            }
        }
        return String(digest, radix: 16)
    }
}
