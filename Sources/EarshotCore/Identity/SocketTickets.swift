import EarshotModel
import Synchronization

/// Issues tickets. A ticket opens one socket, once, within a minute: a page sends it in the first frame, because it
/// cannot read its session cookie.
final class SocketTickets: Sendable {
    static let lifetimeMs: Int64 = 60_000
    static let capacity = 10_000

    private struct Entry {
        let redeemed: RedeemedTicket
        let expires: Timestamp
    }

    private let entries = Mutex<[String: Entry]>([:])

    /// Stores a ticket.
    /// - Throws: `unavailable` if too many tickets are outstanding.
    func issue(_ ticket: String, to caller: AgentCaller, session: [UInt8]?, at now: Timestamp) throws(Rejection) {
        let isKept = entries.withLock { entries -> Bool in
            if entries.count >= Self.capacity { entries = entries.filter { $0.value.expires > now } }
            guard entries.count < Self.capacity else { return false }
            entries[ticket] = Entry(
                redeemed: RedeemedTicket(caller: caller, session: session),
                expires: now.adding(milliseconds: Self.lifetimeMs))
            return true
        }
        if !isKept { throw .unavailable }
    }

    /// Uses up a ticket.
    /// - Throws: `not_signed_in` if it is unknown, used or expired.
    func redeem(_ ticket: String, at now: Timestamp) throws(Rejection) -> RedeemedTicket {
        guard let entry = entries.withLock({ $0.removeValue(forKey: ticket) }), entry.expires > now,
            // Setting the clock back must not extend a ticket.
            entry.expires <= now.adding(milliseconds: Self.lifetimeMs)
        else { throw .notSignedIn }
        return entry.redeemed
    }

    /// Removes the tickets of a session that ended.
    func remove(session: [UInt8]) {
        entries.withLock { $0 = $0.filter { $0.value.redeemed.session != session } }
    }

    /// Removes the tickets of an agent who was changed.
    func remove(agent: AgentID) {
        entries.withLock { $0 = $0.filter { $0.value.redeemed.caller.id != agent } }
    }
}

/// The owner of a redeemed ticket.
public struct RedeemedTicket: Hashable, Sendable {
    /// The agent who asked for the ticket.
    public let caller: AgentCaller
    /// The digest of the session in which the ticket was issued. The socket ends with the session.
    public let session: [UInt8]?
}
