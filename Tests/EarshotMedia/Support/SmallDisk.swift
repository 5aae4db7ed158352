import Foundation

@testable import EarshotMedia

/// A file system of a few bytes, in a mount namespace of a helper process: needs no right but to make namespaces, and
/// is gone with the helper.
final class SmallDisk: Sendable {
    /// As this process sees it.
    let path: String
    private let holder: Holder

    /// Keeps the namespace alive until its input is closed.
    private struct Holder: Sendable {
        let input: FileHandle
    }

    static func mount(bytes: Int) async throws -> SmallDisk {
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = try Tool.locate("unshare")
        let script = "mount -t tmpfs -o size=\(bytes) none /mnt && chmod 777 /mnt && echo mounted && cat"
        process.arguments = ["--user", "--map-root-user", "--mount", "sh", "-c", script]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let said = try await BlockingPool.run {
            String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        }
        guard said.hasPrefix("mounted") else {
            throw Tool.Failure(description: "unshare could not mount a small disk: \(said)")
        }
        return SmallDisk("/proc/\(process.processIdentifier)/root/mnt", Holder(input: input.fileHandleForWriting))
    }

    private init(_ path: String, _ holder: Holder) {
        self.path = path
        self.holder = holder
    }

    func unmount() {
        try? holder.input.close()
    }
}

extension OpenFile {
    /// Writes until the disk is full.
    func fill() throws {
        var at = 0
        for size in [4096, 1] {
            while (try? write([UInt8](repeating: 1, count: size)[...], at: at)) != nil { at += size }
        }
    }
}
