import EarshotModel
import NIOCore

/// How many bytes a request may bring, and how long that may take.
struct BodyLimits: Hashable, Sendable {
    let bytes: Int
    /// For the whole body, from the end of the head.
    let deadline: TimeAmount
    /// Bytes a second, on average after `Self.grace`; `nil`: the deadline is enough.
    let minimumRate: Int?

    /// The minimum rate of a body does not apply before this time.
    static let grace = TimeAmount.seconds(10)

    static let nothing = BodyLimits(bytes: 0, deadline: .seconds(20), minimumRate: nil)
    static let json = BodyLimits(bytes: Limits.jsonBodyBytes, deadline: .seconds(20), minimumRate: nil)

    static let document = BodyLimits(bytes: Limits.centreBodyBytes, deadline: .seconds(60), minimumRate: 1024)

    /// The same for a body whose head says how long it is.
    func expecting(_ length: Int?) -> BodyLimits {
        length.map { BodyLimits(bytes: min($0, bytes), deadline: deadline, minimumRate: minimumRate) } ?? self
    }

    /// Allows for a phone with a bad connection, but not for a client that sends a byte a minute.
    static func upload(_ bytes: Int) -> BodyLimits {
        BodyLimits(bytes: bytes, deadline: .seconds(120), minimumRate: 1024)
    }
}

/// The other deadlines of a connection.
struct ConnectionDeadlines: Hashable, Sendable {
    /// From the first byte (or the connection's beginning, TLS handshake included) to the end of a head.
    var head = TimeAmount.seconds(10)
    /// Between two requests.
    var keepAlive = TimeAmount.seconds(30)
    /// Without any progress of what we send.
    var stalled = TimeAmount.seconds(20)
    /// Between a refusal and the end, so that the refusal arrives before the reset.
    var linger = TimeAmount.seconds(1)
    /// From the beginning of a shutdown to the end of a head that is in flight.
    var lastHead = TimeAmount.seconds(1)
}
