public import EarshotDomain

/// A limit on everything a socket may cost. Timestamps on a socket are monotonic milliseconds.
public struct SocketLimits: Sendable {
    /// Until the request's head is complete, from the first moment of the connection.
    public var requestHeadMs: Int64 = 10_000
    public var helloMs: Int64 = 10_000
    public var pingMs: Int64 = 30_000
    /// MessagePlayback nothing for so long means that nobody is there.
    public var silenceMs: Int64 = 60_000
    /// A socket that takes nothing for so long is closed (4410); its owner comes back by the cursor.
    public var slowReaderMs: Int64 = 20_000
    /// How long the other side has to take the last frames and to close.
    public var farewellMs: Int64 = 3_000
    /// … where it was too slow before.
    public var slowFarewellMs: Int64 = 8_000
    /// How long a drain waits for commands whose answers are on their way.
    public var drainMs: Int64 = 2_000
    /// Between the `bye` of a drain and its close.
    public var byeMs: Int64 = 100
    /// After a drain, clients come back spread over so many milliseconds.
    public var returnSpreadMs = 5_000

    /// Unwritten bytes at which nothing more is written to a socket, and nothing read from it …
    public var outboundHighBytes = 256 * 1024
    /// … until so few remain.
    public var outboundLowBytes = 64 * 1024
    /// Bytes of events in one frame (one event may exceed it).
    public var deliveryBytes = 128 * 1024
    /// Commands of one socket whose answer is not there yet; then nothing more is read from it.
    public var commandsInFlight = 256

    /// Messages and other commands of one person, on all their sockets together.
    public var commands = LeakyBucket.Rule(burst: 60, refillMs: 1_000)
    /// Everything else.
    public var signals = LeakyBucket.Rule(burst: 200, refillMs: 20)
    /// Refused frames; over this the socket is closed (4429).
    public var refusals = LeakyBucket.Rule(burst: 50, refillMs: 200)
    /// Inbox rows reach one agent's socket at most this often.
    public var rowsMs: Int64 = 100
    /// What routing moves is gathered for so long before anybody is told.
    public var movesMs: Int64 = 20
    /// A consumer's place and time, an agent's own standing, the team and the wall are told at most this often.
    public var statusMs: Int64 = 1_000
    /// Without news, what consumers who wait may expect is looked at again this often: a time passes, a shift begins.
    public var expectMs: Int64 = 10_000
    /// Ephemeral notices that wait for one event loop; more are dropped.
    public var signalsWaiting = 4096

    public init() {}

    /// Sets the allowance of commands; that of signals goes up with it.
    public mutating func allow(burst: Int, perSecond: Int) {
        let refillMs = max(1, 1000 / Int64(max(1, perSecond)))
        commands = LeakyBucket.Rule(burst: burst, refillMs: refillMs)
        signals = LeakyBucket.Rule(burst: max(signals.burst, burst), refillMs: min(signals.refillMs, refillMs))
    }
}
