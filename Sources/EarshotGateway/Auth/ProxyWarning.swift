import Logging
import Synchronization

/// Warns, once, that a declared proxy does not say for whom it asks: then all its visitors share one rate limit.
final class ProxyWarning: Sendable {
    private let logger: Logger
    private let wasGiven = Atomic(false)

    init(_ logger: Logger) {
        self.logger = logger
    }

    /// Looks at the peer of a request.
    func check(_ peer: Peer) {
        guard peer.isUnnamed, !wasGiven.exchange(true, ordering: .relaxed) else { return }
        logger.warning(
            """
            A request came from a trusted proxy without a usable X-Forwarded-For. All visitors of that proxy share the \
            rate limits of one address. Configure the proxy to set the header.
            """)
    }
}
