import EarshotCore
import EarshotModel
import Foundation

/// A new ZIP archive in a file that only its owner can read.
struct ZIPFile: ~Copyable {
    private let file: FileHandle
    private var writer: ZipWriter
    private var bytes = 0

    /// Creates the file, which must not exist.
    init(path: String, made: Timestamp) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw AdapterFailure("\(path) cannot be made: \(String(cString: strerror(errno)))", isRetryable: false)
        }
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        writer = ZipWriter(made: ZipTime(made))
    }

    /// Adds a file. Its name is ASCII.
    mutating func add(_ name: String, _ content: [UInt8]) throws {
        bytes += content.count
        guard writer.files < ZipWriter.filesMaximum, bytes <= ZipWriter.bytesMaximum else {
            throw AdapterFailure("an archive has at most \(ZipWriter.filesMaximum) files and 4 GB", isRetryable: false)
        }
        try file.write(contentsOf: Data(writer.begin(name)))
        writer.note(content)
        try file.write(contentsOf: Data(content))
        try file.write(contentsOf: Data(writer.end()))
    }

    /// Writes the list of files and flushes the archive.
    consuming func finish() throws {
        try file.write(contentsOf: Data(writer.finish()))
        try file.synchronize()
        try file.close()
    }
}
