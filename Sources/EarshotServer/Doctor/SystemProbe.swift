import Foundation
import NIOCore
import NIOPosix

#if canImport(Glibc)
    import Glibc
#endif

/// Queries the operating system for the doctor's checks.
enum SystemProbe {
    enum Listening: Equatable {
        case free
        case taken
        case refused(String)
    }

    static func canListen(host: String, port: Int) -> Listening {
        do {
            let channel = try ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .bind(host: host, port: port).wait()
            try channel.close().wait()
            return .free
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            return .taken
        } catch let error as IOError {
            return .refused(String(cString: strerror(error.errnoCode)))
        } catch {
            return .refused("this machine does not have that address")
        }
    }

    /// The file system that a folder is on; `nil` if there is no such folder.
    static func device(of folder: String) -> UInt64? {
        var information = stat()
        return stat(folder, &information) == 0 ? UInt64(information.st_dev) : nil
    }

    static func writeAndSync(in folder: String) throws {
        let path = folder + "/.doctor-\(getpid())"
        defer { unlink(path) }
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard file >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        defer { close(file) }
        guard write(file, "ok", 2) == 2, fsync(file) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }

    /// Whether a time synchronisation service runs, judged by the files that the usual ones create.
    static func isClockKept() -> Bool {
        [
            "/run/systemd/timesync/synchronized", "/run/chrony/chronyd.pid", "/run/ntpd.pid", "/run/ntpsec/ntpd.pid",
            "/var/run/openntpd.pid",
        ]
        .contains { FileManager.default.fileExists(atPath: $0) }
    }

    /// When the newest file of a folder was written; `nil` if the folder is empty.
    static func newestWrite(in folder: String) -> Date? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.compactMap {
            try? FileManager.default.attributesOfItem(atPath: folder + "/" + $0)[.modificationDate] as? Date
        }.max()
    }
}
