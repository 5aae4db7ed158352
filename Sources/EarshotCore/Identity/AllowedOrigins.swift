import Synchronization

/// The origins that any app allows, cached because a request for a socket and a preflight are judged before they name
/// an app.
final class AllowedOrigins: Sendable {
    private let origins = Mutex<Set<String>>([])

    /// Whether any app allows an origin.
    func contains(_ origin: String) -> Bool { origins.withLock { $0.contains(origin) } }

    /// Adds an origin that an app was just found to allow.
    func insert(_ origin: String) { _ = origins.withLock { $0.insert(origin) } }

    /// Replaces the set.
    func replace(with new: Set<String>) { origins.withLock { $0 = new } }
}
