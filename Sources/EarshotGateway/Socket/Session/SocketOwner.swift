import EarshotCore
import EarshotModel

/// Whose socket it is, and until when. Known from the hello on, so that nothing that ends meanwhile escapes.
struct SocketOwner: Sendable {
    let account: AccountID
    /// `nil`: a consumer.
    var agent: AgentID?
    /// Digest of the session that it ends with.
    var session: [UInt8]?
    /// When its credentials end, by the clock of the wall …
    private var expires: Timestamp
    /// … and by the one that nobody sets back.
    private var ends: Timestamp

    /// - Parameter now: of the socket's own clock.
    init(_ consumer: ConsumerCaller, by identity: IdentityService, at now: Timestamp) {
        account = consumer.account
        (expires, ends) = Self.term(consumer.expires, identity, now)
    }

    init(_ ticket: RedeemedTicket, by identity: IdentityService, at now: Timestamp) {
        (account, agent, session) = (ticket.caller.account, ticket.caller.id, ticket.session)
        (expires, ends) = Self.term(Timestamp(milliseconds: .max), identity, now)
    }

    mutating func isGood(until expires: Timestamp, by identity: IdentityService, at now: Timestamp) {
        (self.expires, ends) = Self.term(expires, identity, now)
    }

    func isOver(by identity: IdentityService, at now: Timestamp) -> Bool {
        now >= ends || identity.timeLeft(until: expires) == 0
    }

    private static func term(_ expires: Timestamp, _ identity: IdentityService, _ now: Timestamp) -> (
        Timestamp, Timestamp
    ) {
        let left = min(identity.timeLeft(until: expires), ConsumerTokens.lifetimeMs)
        return (expires, now.adding(milliseconds: left))
    }
}
