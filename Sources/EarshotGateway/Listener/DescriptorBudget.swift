/// How the process's file descriptors are shared out between connections, media workers and files.
///
/// A process without free descriptors cannot open its database, start a worker or even a thread. So connections and
/// workers get only what is left after a reserve, and the reserve is never given away.
public struct DescriptorBudget: Hashable, Sendable {
    /// The soft limit of the process.
    public let limit: Int
    /// How many connections may be open at a time.
    public let connections: Int
    /// How many media workers may run at a time.
    public let workers: Int

    /// More connections than this are not accepted, whatever the limit of the process is.
    public static let mostConnections = 16_000
    /// With fewer descriptors than this the server does not start.
    public static let fewestDescriptors = 256
    /// More descriptors than this are not asked for: this many serve `mostConnections` and every worker of a large
    /// machine.
    public static let mostDescriptors = 65_536

    /// Standard streams, event loops with their timers and wake-ups, the listening socket, the thread pools.
    private static let runtime = 64
    /// One writer and the readers, each with the database, its log and its index, and their temporary files.
    private static let database = 32
    /// Two pipes.
    private static let descriptorsPerWorker = 2
    /// Workers get at most this share of all descriptors.
    private static let workersShare = 4
    /// Recordings that are written, scanned or played get at least this share.
    private static let filesShare = 10
    /// The pool needs this many: its reserve for complete recordings, and two that are ready.
    private static let fewestWorkers = 10

    /// Shares out the descriptors of a process.
    /// - Parameters:
    ///   - limit: the soft limit of the process (`RLIMIT_NOFILE`).
    ///   - workers: how many media workers are wanted.
    /// - Throws: `GatewayFault` where there are too few to serve anyone.
    public init(limit: Int, workers: Int) throws(GatewayFault) {
        guard limit >= Self.fewestDescriptors else {
            throw GatewayFault(
                """
                This process may open \(limit) files; Earshot needs at least \(Self.fewestDescriptors). Raise the \
                limit: LimitNOFILE= in the systemd unit, or ulimit -n in the shell.
                """)
        }
        self.limit = limit
        let affordable = limit / Self.workersShare / Self.descriptorsPerWorker
        self.workers = min(workers, max(Self.fewestWorkers, affordable))
        let reserve =
            Self.runtime + Self.database + limit / Self.filesShare + self.workers * Self.descriptorsPerWorker
        connections = min(limit - reserve, Self.mostConnections)
    }
}
