import EarshotModel
import Synchronization

/// Counts the requests in flight and the open sockets of each client behind a proxy. Connections cannot be counted
/// there: the proxy shares a few of them among all clients.
final class ForwardedLoad: Sendable {
    private let limit: Int
    private let held = Mutex<[String: Int]>([:])

    init(limit: Int) {
        self.limit = limit
    }

    /// Counts a request or a socket of a client behind a proxy.
    /// - Returns: what to call when it ends; `nil` for a client that is connected directly.
    /// - Throws: `rate_limited` where this client has too many.
    func enter(_ peer: Peer) throws(Rejection) -> (@Sendable () -> Void)? {
        guard peer.isForwarded else { return nil }
        let name = peer.throttleName
        let isAllowed = held.withLock { held in
            guard held[name, default: 0] < limit else { return false }
            held[name, default: 0] += 1
            return true
        }
        guard isAllowed else {
            throw Rejection(
                .rateLimited, "Too many connections from your network. Please wait a moment.", limit: limit,
                retryAfter: Self.retrySeconds)
        }
        return { self.leave(name) }
    }

    private func leave(_ name: String) {
        held.withLock { held in
            let left = held[name, default: 1] - 1
            held[name] = left > 0 ? left : nil
        }
    }

    private static let retrySeconds = 5
}
