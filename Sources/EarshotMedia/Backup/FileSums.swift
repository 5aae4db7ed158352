import Crypto
import Glibc

/// Writes a list of files with their SHA-256 digests, as `sha256sum` does: `sha256sum -c` can check it, too.
final class FileSumsWriter {
    private let file: UnsafeMutablePointer<FILE>

    init(_ path: String) throws {
        guard let file = fopen(path, "wxe") else { throw FileFailure(code: errno, operation: "make the list of files") }
        self.file = file
    }

    deinit { fclose(file) }

    func append(_ line: FileSum) throws {
        try OpenFile.check(fputs("\(line.sum)  \(line.path)\n", file), "write the list of files")
    }

    func flush() throws {
        try OpenFile.check(fflush(file), "write the list of files")
        try OpenFile.check(fsync(fileno(file)), "sync the list of files")
    }
}

/// A file and its SHA-256 digest in hexadecimal.
struct FileSum: Hashable, Sendable {
    let path: String
    let sum: String

    init(path: String, sum: String) {
        self.path = path
        self.sum = sum
    }

    /// Reads a line of the list.
    init?(line: String) {
        let parts = line.split(separator: "  ", maxSplits: 1)
        guard parts.count == 2, parts[0].utf8.count == 64 else { return nil }
        self.init(path: String(parts[1]), sum: String(parts[0]))
    }
}

/// Reads the list from its beginning to its end.
final class FileSumsReader {
    private let file: UnsafeMutablePointer<FILE>
    private var current: FileSum?

    init?(_ path: String) {
        guard let file = fopen(path, "re") else { return nil }
        self.file = file
    }

    deinit { fclose(file) }

    /// The next line; `nil` at the end of the list and at a line that is none.
    func next() -> FileSum? {
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(line) }
        let length = getline(&line, &capacity, file)
        guard length > 1, let line else { return nil }
        return FileSum(line: String(decoding: UnsafeRawBufferPointer(start: line, count: length - 1), as: UTF8.self))
    }

    /// The digest of a file. The list is sorted by path, and so must be the questions.
    func sum(of path: String) -> String? {
        while current.map({ $0.path < path }) ?? true {
            guard let next = next() else { return nil }
            current = next
        }
        return current?.path == path ? current?.sum : nil
    }
}

extension OpenFile {
    /// The SHA-256 digest of a file in hexadecimal.
    static func sum(of path: String) throws -> String {
        let file = try OpenFile(reading: path)
        var (hash, offset) = (SHA256(), 0)
        while true {
            let bytes = try file.read(1 << 20, at: offset)
            if bytes.isEmpty { break }
            hash.update(data: bytes)
            offset += bytes.count
        }
        return FileSum.hexadecimal(hash.finalize())
    }
}

extension FileSum {
    /// Writes bytes as hexadecimal digits.
    static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
