import Synchronization

/// The origins that any app allows, cached because a request for a socket and a preflight are judged before they name
/// an app.
final class AllowedOrigins: Sendable {
    private struct State {
        var known: Set<String> = []
        /// Added since the last replacement. A read that was then under way may not have seen them.
        var added: Set<String> = []
    }

    private let state = Mutex(State())

    /// Whether any app allows an origin.
    func contains(_ origin: String) -> Bool { state.withLock { $0.known.contains(origin) } }

    /// Adds an origin that an app was just found to allow. It stays over the next replacement.
    func insert(_ origin: String) {
        state.withLock {
            $0.known.insert(origin)
            $0.added.insert(origin)
        }
    }

    /// Replaces the set by what the store has.
    func replace(with new: Set<String>) {
        state.withLock {
            $0.known = new.union($0.added)
            $0.added = []
        }
    }
}
