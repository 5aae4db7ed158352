import Foundation

/// The files of an open database.
struct DatabaseFiles: Sendable {
    let path: String

    /// The size of the database file in bytes; `nil` if it cannot be read.
    var databaseBytes: Double? { Self.size(path) }
    /// The size of the write-ahead log in bytes; `nil` if it cannot be read.
    var logBytes: Double? { Self.size(path + "-wal") }

    private static func size(_ path: String) -> Double? {
        var information = stat()
        return stat(path, &information) == 0 ? Double(information.st_size) : nil
    }
}
