import Synchronization

/// Whether the server can take work, and why not. Services report and withdraw reasons; the health and readiness routes
/// and the metrics read them.
public final class Readiness: Sendable {
    /// The reasons why the server cannot do all of its work.
    public enum Reason: String, Sendable, CaseIterable, Comparable {
        /// Routing has not been rebuilt from the log yet.
        case starting
        /// The server is shutting down.
        case draining
        /// The database's disk failed. The server ends and has to be started again.
        case storageFailed = "storage_failed"
        /// The disk does not answer. Requests end at their deadline.
        case storageSlow = "storage_slow"
        /// The disk has no space left: texts are refused.
        case diskFull = "disk_full"
        /// The disk has little space left: recordings are refused, texts are stored.
        case diskLow = "disk_low"
        /// The volume of the recordings fails or does not answer: recordings are refused, texts are stored.
        case mediaFailed = "media_failed"
        /// Rows in the database cannot be read. Their conversations are closed to everyone; all others work.
        case damagedRows = "damaged_rows"

        /// Whether clients should go to another server, if there is one. Otherwise it only is something to repair.
        public var isBlocking: Bool {
            switch self {
            case .starting, .draining, .storageFailed, .storageSlow, .diskFull: true
            case .diskLow, .mediaFailed, .damagedRows: false
            }
        }

        /// In the order of their names.
        public static func < (left: Reason, right: Reason) -> Bool { left.rawValue < right.rawValue }
    }

    private let current: Mutex<Set<Reason>>

    /// Creates it with the reasons that hold at first.
    public init(_ reasons: Set<Reason> = []) {
        current = Mutex(reasons)
    }

    /// Every reason that holds now, in the order of their names.
    public var reasons: [Reason] { current.withLock { $0.sorted() } }

    /// Whether the server takes work: no reason that holds is blocking.
    public var isReady: Bool { current.withLock { !$0.contains(where: \.isBlocking) } }

    /// Whether this reason holds now.
    public func holds(_ reason: Reason) -> Bool { current.withLock { $0.contains(reason) } }

    /// A reason holds from now on.
    public func report(_ reason: Reason) {
        current.withLock { _ = $0.insert(reason) }
    }

    /// A reason does not hold anymore.
    public func withdraw(_ reason: Reason) {
        current.withLock { _ = $0.remove(reason) }
    }

    /// Reports or withdraws a reason.
    /// - Returns: whether that changed anything, so that a change is logged once.
    @discardableResult
    public func set(_ reason: Reason, _ holds: Bool) -> Bool {
        current.withLock { holds ? $0.insert(reason).inserted : $0.remove(reason) != nil }
    }
}
