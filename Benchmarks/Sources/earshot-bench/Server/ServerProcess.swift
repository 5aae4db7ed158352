import CLoad
import Foundation
import Glibc

/// The real server, `earshot demo`, in a process of its own, on loopback.
final class ServerProcess {
    struct Options {
        var data: String?
        var core: Int32?
        var tls: Certificate?
        var environment: [String: String] = [:]
    }

    let port: UInt16
    let data: String
    let process: pid_t
    let log: String
    let spawnedAt: Int64
    private let ownsData: Bool
    private var hasEnded = false

    /// Starts it and returns at once; `waitUntilReady` waits. Without a data folder it gets a copy of the installation.
    init(_ options: Options = Options()) throws {
        port = try Self.freePort()
        ownsData = options.data == nil
        data = try options.data ?? Installation.copy()
        log = data + "/../server-\(port).log"
        var environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("EARSHOT_") }
        environment["EARSHOT_PORT"] = "\(port)"
        environment["EARSHOT_DATA"] = data
        environment["EARSHOT_WORKER"] = Program.products + "/EarshotMediaWorker"
        environment["EARSHOT_WEB"] = try Program.pages()
        // Nothing is logged per request at this level.
        environment["EARSHOT_LOG_LEVEL"] = "notice"
        environment["EARSHOT_SEND_BURST"] = "1000000"
        environment["EARSHOT_SENDS_PER_SECOND"] = "1000000"
        environment["EARSHOT_MEDIA_RESERVE"] = "0"
        environment["EARSHOT_UPLOAD_LIMIT_ADDRESS"] = "1000000"
        environment["EARSHOT_UPLOAD_LIMIT_APP"] = "1000000"
        environment["EARSHOT_UPLOAD_LIMIT_BRAND"] = "1000000"
        environment["EARSHOT_CONNECTIONS_PER_ADDRESS"] = "1000000"
        environment["EARSHOT_SOCKETS_PER_PERSON"] = "1000000"
        environment["EARSHOT_REQUESTS_PER_SECOND"] = "1000"
        if let tls = options.tls {
            environment["EARSHOT_TLS_CERTIFICATE"] = tls.certificate
            environment["EARSHOT_TLS_KEY"] = tls.key
        }
        environment.merge(options.environment) { $1 }
        if let core = options.core { cload_pin(core) }
        spawnedAt = now()
        process = Program.start([Program.products + "/earshot", "demo", "--bare"], environment, output: log)
        // The load takes the other core, so that neither steals from the other.
        if let core = options.core { cload_pin((core + 1) % cload_cores()) } else { cload_pin(-1) }
        guard process > 0 else { throw Failure("the server does not start: \(String(cString: strerror(-process)))") }
    }

    deinit {
        end(SIGKILL)
        if ownsData { try? FileManager.default.removeItem(atPath: data) }
    }

    /// Waits for the first answered request. Returns when the first connection was accepted, and when it was answered.
    @discardableResult
    func waitUntilReady(tls: TLS? = nil) throws -> (accepted: Int64, answered: Int64) {
        var accepted: Int64 = 0
        try wait(for: "accept a connection", microseconds: 200) {
            let descriptor = cload_connect(port, 0, 1, 0)
            guard descriptor >= 0 else { return false }
            accepted = now()
            Glibc.close(descriptor)
            return true
        }
        // Until routing is rebuilt from the log it answers 503.
        try wait(for: "become ready", microseconds: 1_000) {
            let answer = try WebClient(port: port, tls: tls).request("GET", "/v1/ready")
            guard [200, 503].contains(answer.status) else { throw Failure("/v1/ready says \(answer.status)") }
            return answer.status == 200
        }
        return (accepted, now())
    }

    /// Waits until its scanner is verified. The log says so, at the level `notice`.
    func waitUntilScanning() throws {
        try wait(for: "verify its scanner", microseconds: 20_000) {
            try String(contentsOfFile: log, encoding: .utf8).contains("The scanner is verified")
        }
    }

    /// Waits for as long as it runs; `patience` is the end of a server that hangs.
    private func wait(for what: String, microseconds: Int, until condition: () throws -> Bool) throws {
        let deadline = now() + Int64(patience * Double(nanosecondsPerSecond))
        func told() -> String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }
        while try !condition() {
            var status: Int32 = 0
            if waitpid(process, &status, WNOHANG) == process {
                hasEnded = true
                throw Failure("the server ended by itself (wait status \(status)):\n\(told())")
            }
            guard now() < deadline else {
                throw Failure("the server did not \(what) within \(Int(patience)) s:\n\(told())")
            }
            var short = timespec(tv_sec: 0, tv_nsec: microseconds * 1_000)
            nanosleep(&short, nil)
        }
    }

    /// Sends it a signal and waits until it has ended.
    func end(_ signal: Int32) {
        guard !hasEnded else { return }
        kill(process, signal)
        var status: Int32 = 0
        waitpid(process, &status, 0)
        hasEnded = true
    }

    /// A port that was free a moment ago.
    private static func freePort() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { Glibc.close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isFound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard isFound else { throw Failure("no free port") }
        return UInt16(bigEndian: address.sin_port)
    }
}
