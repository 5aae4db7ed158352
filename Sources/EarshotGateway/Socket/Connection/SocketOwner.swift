import EarshotCore
import EarshotModel

/// Whose connection it is, and until when. Known from the hello on, so that anything that ends the owner meanwhile ends
/// the connection too.
struct SocketOwner: Sendable {
    let account: AccountID
    /// `nil` for a consumer.
    private(set) var agent: AgentID?
    /// `nil` for an agent.
    private(set) var consumer: ConsumerID?
    /// Digest of the session that the connection ends with.
    private(set) var session: [UInt8]?
    /// When the credentials end, by the wall clock.
    private var expires: Timestamp
    /// When they end by the monotonic clock, which no one sets back.
    private var ends: Timestamp

    /// - Parameter now: the monotonic time.
    init(_ consumer: ConsumerCaller, by identity: IdentityService, at now: Timestamp) {
        (account, self.consumer) = (consumer.account, consumer.id)
        (expires, ends) = Self.term(consumer.expires, identity, now)
    }

    init(_ ticket: RedeemedTicket, by identity: IdentityService, at now: Timestamp) {
        (account, agent, session) = (ticket.caller.account, ticket.caller.id, ticket.session)
        (expires, ends) = Self.term(Timestamp(milliseconds: .max), identity, now)
    }

    /// Sets the time at which the credentials end.
    mutating func confirm(until expires: Timestamp, by identity: IdentityService, at now: Timestamp) {
        (self.expires, ends) = Self.term(expires, identity, now)
    }

    /// Why the connection ends, where the credentials have ended by either clock. A consumer whose token only a wrong
    /// clock ends is told to keep it.
    func ending(by identity: IdentityService, at now: Timestamp) -> Rejection? {
        guard now < ends else { return .notSignedIn }
        guard identity.timeLeft(until: expires) == 0 else { return nil }
        return consumer != nil && identity.clock.lastRightTime != nil ? .notYetValid : .notSignedIn
    }

    private static func term(_ expires: Timestamp, _ identity: IdentityService, _ now: Timestamp) -> (
        Timestamp, Timestamp
    ) {
        let left = min(identity.timeLeft(until: expires), ConsumerTokens.lifetimeMs)
        return (expires, now.adding(milliseconds: left))
    }
}
