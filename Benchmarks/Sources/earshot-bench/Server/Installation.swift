import Foundation
import Glibc

/// A demo as it is after its first start: made once in a run, because its logins cost seconds of scrypt, and copied for
/// each server.
enum Installation {
    private static let made = Result { try make() }

    /// A data folder of its own.
    static func copy() throws -> String {
        let data = try Folders.fresh("data") + "/data"
        try copy(to: data)
        return data
    }

    static func copy(to folder: String) throws { try FileManager.default.copyItem(atPath: made.get(), toPath: folder) }

    private static func make() throws -> String {
        let data = try Folders.fresh("installation") + "/data"
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
        let server = try ServerProcess(ServerProcess.Options(data: data))
        try server.waitUntilReady()
        server.end(SIGTERM)
        return data
    }
}
