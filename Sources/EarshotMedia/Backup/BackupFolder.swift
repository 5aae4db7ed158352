public import EarshotCore
import EarshotModel
import Glibc

/// The files of a backup: reads them back, and copies them into a data folder. Every call blocks.
public struct BackupFolder {
    private let path: String
    private static let chunkBytes = 1 << 20

    /// Names a backup's folder.
    public init(_ path: String) {
        self.path = path
    }

    /// The digest of the list of files; `nil` without a list.
    public func listSum() throws(AdapterFailure) -> String? {
        let list = "\(path)/\(MediaBackup.listName)"
        guard FileSystem.exists(list) else { return nil }
        do { return try OpenFile.sum(of: list) } catch { throw Self.failure(error) }
    }

    /// Reads every file of the list.
    /// - Parameter report: called with the number of files that were read.
    /// - Returns: the names of the files that are missing or damaged, at most `limit`.
    public func damagedFiles(limit: Int, report: (Int) -> Void) throws(AdapterFailure) -> [String] {
        guard let list = FileSumsReader("\(path)/\(MediaBackup.listName)") else { return [MediaBackup.listName] }
        var (damaged, count) = ([String](), 0)
        while damaged.count < limit, let line = list.next() {
            if (try? OpenFile.sum(of: "\(path)/\(line.path)")) != line.sum { damaged.append(line.path) }
            count += 1
            report(count)
        }
        return damaged
    }

    /// Whether the files of a recording are there, with the length that the database says.
    public func hasFiles(of recording: RecordedMedia) -> Bool {
        let archive = RecordingArchive(MediaFolders(root: path + "/media"))
        guard let files = try? archive.files(of: recording.content.media) else { return false }
        return FileSystem.size(of: files.original) == recording.content.sizeBytes && FileSystem.exists(files.mp3)
            && FileSystem.exists(files.record)
    }

    /// Copies all files into a data folder, and flushes them and their folders to disk.
    /// - Parameter report: called with the number of files that were copied.
    public func copy(to data: String, report: (Int) -> Void) throws(AdapterFailure) {
        do {
            guard let list = FileSumsReader("\(path)/\(MediaBackup.listName)") else {
                throw AdapterFailure("the backup has no list of files", isRetryable: false)
            }
            var count = 0
            while let line = list.next() {
                try Self.copy("\(path)/\(line.path)", to: "\(data)/\(line.path)")
                guard try OpenFile.sum(of: "\(data)/\(line.path)") == line.sum else {
                    throw AdapterFailure("\(line.path) was not copied correctly", isRetryable: true)
                }
                count += 1
                report(count)
            }
            for name in FileSystem.names(in: "\(path)/media/scans") {
                try Self.copy(nil, to: "\(data)/media/scans/\(name)")
            }
            sync()
        } catch {
            throw Self.failure(error)
        }
    }

    /// Copies a file and flushes its bytes, or makes an empty one. Makes missing folders, which are not flushed.
    static func copy(_ from: String?, to target: String) throws {
        try make(FileSystem.parent(of: target))
        let output = try OpenFile(writing: target, isFresh: true)
        guard let from else { return }
        let input = try OpenFile(reading: from)
        var offset = 0
        while true {
            let bytes = try input.read(chunkBytes, at: offset)
            if bytes.isEmpty { return try output.sync() }
            try output.write(bytes[...], at: offset)
            offset += bytes.count
        }
    }

    /// Makes a folder and its missing parents, without flushing them.
    static func make(_ folder: String) throws {
        if mkdir(folder, 0o700) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, !FileSystem.parent(of: folder).isEmpty else {
            try OpenFile.check(-1, "make a folder")
            return
        }
        try make(FileSystem.parent(of: folder))
        try make(folder)
    }

    static func failure(_ error: any Error) -> AdapterFailure {
        switch error {
        case let failure as AdapterFailure: failure
        case let failure as FileFailure: failure.asAdapterFailure
        case let rejection as Rejection where rejection.code == .storageFull:
            AdapterFailure("the disk is full", isRetryable: true)
        default: AdapterFailure("a file cannot be read: \(error)", isRetryable: false)
        }
    }
}
