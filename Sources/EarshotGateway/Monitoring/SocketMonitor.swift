import EarshotCore
import EarshotModel
import Logging
import Synchronization

/// Counts and logs for all sockets of a hub.
final class SocketMonitor: Sendable {
    let metrics = GatewayMetrics()
    let logger: Logger
    private let lastSocket = Atomic(0)
    /// A disk that fails, fails for every socket.
    fileprivate let failures = RepeatedLog()

    init(logger: Logger) {
        self.logger = logger
    }

    /// The record of a new socket, with an id of its own.
    func record() -> SocketRecord {
        SocketRecord(self, id: lastSocket.wrappingAdd(1, ordering: .relaxed).newValue)
    }
}

/// What is counted and logged of one socket. Its id is in every log line about it.
struct SocketRecord {
    private let monitor: SocketMonitor
    private let logger: Logger
    private var role: GatewayMetrics.SocketRole?

    fileprivate init(_ monitor: SocketMonitor, id: Int) {
        self.monitor = monitor
        var logger = monitor.logger
        logger[metadataKey: "socket"] = "\(id)"
        self.logger = logger
    }

    mutating func opened() {
        change(to: .signingIn)
        logger.debug("A socket was opened.")
    }

    mutating func signedIn(as caller: Caller) {
        switch caller {
        case .consumer: change(to: .consumer)
        case .agent: change(to: .agent)
        }
    }

    mutating func ended() {
        change(to: nil)
        logger.debug("A socket ended.")
    }

    /// A frame was refused, or the socket was ended for this reason.
    func refused(_ code: Rejection.Code) {
        monitor.metrics.refusals.increment(code)
        logger.debug("A socket was refused something.", metadata: ["code": "\(code.rawValue)"])
    }

    /// A lookup for the socket failed. What the rules refuse is no failure.
    func failed(_ error: any Error) {
        guard !(error is Rejection) else { return }
        let what = (error as? AdapterFailure)?.what ?? "\(type(of: error))"
        monitor.failures.log(.error, "A socket's request failed.", to: logger, metadata: ["what": "\(what)"])
    }

    private mutating func change(to role: GatewayMetrics.SocketRole?) {
        if let old = self.role { monitor.metrics.sockets.add(-1, to: old) }
        if let role { monitor.metrics.sockets.add(1, to: role) }
        self.role = role
    }
}
