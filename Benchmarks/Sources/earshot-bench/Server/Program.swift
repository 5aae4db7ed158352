import CLoad
import Foundation
import Glibc

/// The path of the server under test.
enum Program {
    /// The repository; `bin/bench` says it.
    static let root =
        ProcessInfo.processInfo.environment["EARSHOT_BENCH_ROOT"] ?? FileManager.default.currentDirectoryPath
    /// `release`, or `debug` for gates that count and do not time.
    static let mode = ProcessInfo.processInfo.environment["EARSHOT_BENCH_MODE"] ?? "release"
    static let products = root + "/.build/" + mode

    /// The built pages; an empty folder where nobody built them and nobody measures them.
    static func pages() throws -> String {
        let dist = root + "/Web/dist"
        return FileManager.default.fileExists(atPath: dist) ? dist : try Folders.fresh("pages")
    }

    /// Runs another program to its end.
    static func run(_ path: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure("\(path) ended with \(process.terminationStatus)") }
    }

    /// Starts a program that ends with us at the latest; what it says goes to a file. Returns its id, or -errno.
    static func start(
        _ arguments: [String], _ environment: [String: String] = ProcessInfo.processInfo.environment, output: String
    ) -> pid_t {
        let file = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        defer { close(file) }
        let arguments = arguments.map { strdup($0) } + [nil]
        let environment = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + environment { free(text) } }
        return arguments.withUnsafeBufferPointer { arguments in
            environment.withUnsafeBufferPointer { environment in
                guard let program = arguments[0], let first = arguments.baseAddress,
                    let second = environment.baseAddress
                else { return -EINVAL }
                return cload_spawn(program, first, second, file)
            }
        }
    }

    /// Waits for its end, to the moment.
    static func wait(for process: pid_t, _ what: String) throws {
        var status: Int32 = 0
        guard process > 0, waitpid(process, &status, 0) == process, status == 0 else {
            throw Failure("\(what) ended with wait status \(status)")
        }
    }
}

/// Scratch folders, all in one, removed at the end.
enum Folders {
    static let all = (ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp") + "/earshot-bench.\(getpid())"

    static func fresh(_ name: String) throws -> String {
        let folder = "\(all)/\(name).\(now())"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }

    static func removeAll() { try? FileManager.default.removeItem(atPath: all) }
}

/// A self-made certificate: ECDSA P-256, a chain of one.
struct Certificate {
    let certificate: String
    let key: String

    init() throws {
        let folder = try Folders.fresh("tls")
        (certificate, key) = (folder + "/certificate.pem", folder + "/key.pem")
        let openssl = Process()
        openssl.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        openssl.arguments =
            ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30"]
            + [
                "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out",
                certificate,
            ]
        openssl.standardError = FileHandle.nullDevice
        try openssl.run()
        openssl.waitUntilExit()
        guard openssl.terminationStatus == 0 else { throw Failure("openssl makes no certificate") }
    }
}
