import EarshotCore
import Foundation
import Logging
import ServiceLifecycle

/// Tells the service manager that started this process (systemd) that the server is ready, alive, or stopping.
///
/// The messages are those of sd_notify(3). Without `NOTIFY_SOCKET` in the environment it does nothing.
struct ServiceManager: Service {
    private static let pollInterval = Duration.milliseconds(100)

    private let socket: NotifySocket?
    private let watchdog: Duration?
    private let readiness: Readiness
    private let logger: Logger

    /// - Parameter environment: the variables of the process: `NOTIFY_SOCKET`, and `WATCHDOG_USEC` in microseconds.
    init(environment: [String: String], readiness: Readiness, logger: Logger) {
        socket = environment["NOTIFY_SOCKET"].flatMap(NotifySocket.init)
        watchdog = environment["WATCHDOG_USEC"].flatMap(Int64.init).map { .microseconds($0) }
        self.readiness = readiness
        self.logger = logger
    }

    func run() async throws {
        guard let socket else { return await waitForShutdown() }
        await cancelWhenGracefulShutdown {
            do {
                while !readiness.isReady { try await Task.sleep(for: Self.pollInterval) }
                send("READY=1", to: socket)
                guard let watchdog else { return }
                while true {
                    send("WATCHDOG=1", to: socket)
                    // Two messages in each interval: one may be late.
                    try await Task.sleep(for: watchdog / 2)
                }
            } catch {
                return  // Cancelled: the server is shutting down.
            }
        }
        await waitForShutdown()
        send("STOPPING=1", to: socket)
    }

    /// Until the server is asked to shut down. A service that returned earlier would end the whole group.
    private func waitForShutdown() async {
        try? await gracefulShutdown()
    }

    private func send(_ message: String, to socket: NotifySocket) {
        guard !socket.send(message) else { return }
        logger.warning("The service manager could not be notified.", metadata: ["message": "\(message)"])
    }
}

/// The datagram socket of a service manager.
struct NotifySocket: Sendable {
    private let path: String

    /// - Parameter path: a path, or a name after `@` (Linux's abstract names).
    /// - Returns: `nil` for a name that no such socket can have: empty, relative or longer than 107 bytes.
    init?(_ path: String) {
        guard path.hasPrefix("/") || path.hasPrefix("@"),
            path.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path)
        else { return nil }
        self.path = path
    }

    /// Sends one message, without waiting.
    /// - Returns: whether the kernel took it.
    func send(_ message: String) -> Bool {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(path.utf8)
        if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let sent = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(
                    descriptor, message, message.utf8.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT), $0,
                    length)
            }
        }
        return sent == message.utf8.count
    }
}
