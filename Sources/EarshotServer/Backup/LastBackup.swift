import EarshotModel
import Foundation

/// When the last backup of a data folder was complete: a file that `earshot backup` leaves in the folder, so that the
/// running server can report it.
struct LastBackup: Sendable {
    private let path: String

    init(of data: String) { path = data + "/last-backup" }

    /// `nil` if there was none.
    var at: Timestamp? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        return Int64(text).map(Timestamp.init(milliseconds:))
    }

    /// Notes that a backup is complete.
    func note(_ at: Timestamp) throws {
        try Data("\(at.milliseconds)".utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    }
}
