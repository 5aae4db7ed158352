import EarshotCore
import EarshotModel
import Foundation
import GRDB

/// The copy of a database before its schema is changed, for the operator who has to return to the earlier version. One
/// copy is kept: that of the last change.
struct SchemaBackup {
    private let path: String

    /// - Parameter path: the file of the database.
    init(of path: String) {
        self.path = path
    }

    /// Copies the database, flushes the copy, and removes the copy of an earlier change.
    /// - Throws: an `AdapterFailure` where there is no room; the database is then as it was.
    func make(from db: Database, version: Int) throws {
        let copy = "\(path).before-\(version + 1)"
        let draft = copy + ".new"
        unlink(draft)
        do {
            try db.execute(sql: "VACUUM INTO ?", arguments: [draft])
            try flush(draft)
            guard rename(draft, copy) == 0 else {
                throw AdapterFailure("the copy cannot be renamed", isRetryable: true)
            }
        } catch {
            unlink(draft)
            let failure = AdapterFailure.of(error)
            throw AdapterFailure(
                "the copy \(copy), which is made before its schema is changed, failed (\(failure.what)). Free some "
                    + "disk space", isRetryable: true, kind: failure.kind)
        }
        try removeOthers(than: copy)
    }

    private func flush(_ file: String) throws {
        guard chmod(file, 0o600) == 0 else { throw AdapterFailure("chmod of the copy", isRetryable: true) }
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw AdapterFailure("the copy cannot be opened", isRetryable: true) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw AdapterFailure("the copy cannot be flushed", isRetryable: true) }
    }

    /// Removes the copies that were made before `limit`: they contain what was deleted since.
    func removeOlder(than limit: Timestamp) {
        let folder = (path as NSString).deletingLastPathComponent
        let prefix = (path as NSString).lastPathComponent + ".before-"
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where name.hasPrefix(prefix) {
            let file = folder + "/" + name
            var information = stat()
            guard stat(file, &information) == 0 else { continue }
            if Int64(information.st_mtim.tv_sec) * 1000 < limit.milliseconds { unlink(file) }
        }
    }

    private func removeOthers(than copy: String) throws {
        let folder = (path as NSString).deletingLastPathComponent
        let kept = (copy as NSString).lastPathComponent
        let prefix = (path as NSString).lastPathComponent + ".before-"
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            if name.hasPrefix(prefix), name != kept { unlink(folder + "/" + name) }
        }
    }
}
