public import EarshotDomain

/// The limits of what one socket may cost. Times are monotonic milliseconds.
public struct SocketLimits: Sendable {
    /// From the start of the connection until the request's head is complete.
    public var requestHeadMs: Int64 = 10_000
    /// From the start of the connection until its hello.
    public var helloMs: Int64 = 10_000
    /// Between two pings.
    public var pingMs: Int64 = 30_000
    /// A client that sends nothing for so long is considered gone.
    public var silenceMs: Int64 = 60_000
    /// A socket that reads nothing for so long is closed (4410); its client continues from its cursor.
    public var slowReaderMs: Int64 = 20_000
    /// How long the client has to read the last frames and to close.
    public var farewellMs: Int64 = 3_000
    /// The same where the client was too slow before.
    public var slowFarewellMs: Int64 = 8_000
    /// How long a drain waits for commands in flight.
    public var drainMs: Int64 = 2_000
    /// Between the `bye` of a drain and its close.
    public var byeMs: Int64 = 100
    /// After a drain, clients reconnect spread over so many milliseconds.
    public var returnSpreadMs = 5_000

    /// Unwritten bytes at which nothing more is written to a socket, and nothing is read from it.
    public var outboundHighBytes = 256 * 1024
    /// Unwritten bytes at which writing and reading continue.
    public var outboundLowBytes = 64 * 1024
    /// Bytes of events in one frame (one event may exceed it).
    public var deliveryBytes = 128 * 1024
    /// Commands of one socket in flight at which nothing more is read from it.
    public var commandsInFlight = 256

    /// Messages and other commands of one person, on all their sockets together.
    public var commands = LeakyBucket.Rule(burst: 60, refillMs: 1_000)
    /// All other frames of one person, on all their sockets together; and the pings of one socket.
    public var signals = LeakyBucket.Rule(burst: 200, refillMs: 20)
    /// Sockets that one person may have open. One more is refused (4429) and may come back later.
    public var socketsPerPerson = 20
    /// When a person with too many sockets may try again.
    public var socketRetrySeconds = 30
    /// Messages and other commands of all consumers of one network address.
    public var addressCommands = LeakyBucket.Rule(burst: 600, refillMs: 100)
    /// Refused frames; over this the socket is closed (4429).
    public var refusals = LeakyBucket.Rule(burst: 50, refillMs: 200)
    /// Inbox rows reach one agent's socket at most this often.
    public var rowsMs: Int64 = 100
    /// Changes of routing are gathered for so long before they are sent.
    public var movesMs: Int64 = 20
    /// A consumer's expectation, an agent's own status, the team and the wall are sent at most this often.
    public var statusMs: Int64 = 1_000
    /// What waiting consumers may expect is computed again this often without a change of routing: a time passes, a
    /// shift begins.
    public var expectMs: Int64 = 10_000
    /// Typing notices that wait for one event loop; more are dropped.
    public var signalsWaiting = 4096

    /// The limits of a production server.
    public init() {}

    /// The same limits with another rate of commands; the rate of other frames rises with it.
    public func allowing(burst: Int, perSecond: Int) -> SocketLimits {
        let refillMs = max(1, 1000 / Int64(max(1, perSecond)))
        var limits = self
        limits.commands = LeakyBucket.Rule(burst: burst, refillMs: refillMs)
        limits.addressCommands = LeakyBucket.Rule(
            burst: max(addressCommands.burst, burst), refillMs: min(addressCommands.refillMs, refillMs))
        limits.signals = LeakyBucket.Rule(
            burst: max(signals.burst, burst), refillMs: min(signals.refillMs, refillMs))
        return limits
    }
}
