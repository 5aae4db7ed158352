import EarshotModel
import Foundation

/// The folder of the database and the recordings: made and protected, and used by one server at a time.
struct DataFolder {
    /// Who wants to use it.
    enum Use {
        /// A server, which is alone with it.
        case serving
        /// A command, which may work next to a server of its own version.
        case command
    }

    let path: String

    /// Makes the folder if it does not exist, and makes sure that only its owner can read it.
    /// - Throws: `ServerFailure`.
    func prepare() throws {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw ServerFailure(.diskFailed, "The data folder \(path) cannot be made. Check EARSHOT_DATA and the disk.")
        }
        guard isOpenToOthers() else { return }
        guard isEarshots(), chmod(path, 0o700) == 0 else {
            throw ServerFailure(
                .unprotectedFolder,
                "The data folder \(path) can be read by other users of this machine. Give it to the user that runs "
                    + "Earshot and run: chmod 700 \(path)")
        }
    }

    /// Locks the folder for as long as the result lives.
    /// - Throws: `ServerFailure` if another process uses it.
    func lock(for use: Use) throws -> DataFolderLock {
        switch use {
        case .serving: try DataFolderLock.serving(path, version: EarshotVersion.current)
        case .command: try DataFolderLock.command(path, version: EarshotVersion.current)
        }
    }

    private func isOpenToOthers() -> Bool {
        var information = stat()
        return stat(path, &information) == 0 && information.st_mode & 0o077 != 0
    }

    /// A folder with other content is not ours to close to others: it may be somebody's home.
    private func isEarshots() -> Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? ["?"]
        return names.isEmpty || names.contains("earshot.sqlite")
    }
}
