import EarshotModel
import Synchronization

/// Issues tickets. A ticket opens one socket, once, within a minute: a page sends it in the first frame, because it
/// cannot read its session cookie. A session that asks for more tickets than it needs loses its oldest ones.
final class SocketTickets: Sendable {
    static let lifetimeMs: Int64 = 60_000
    static let capacity = 10_000
    static let perSession = 5

    private struct Entry {
        let redeemed: RedeemedTicket
        let expires: Timestamp
    }

    /// Whose tickets count together.
    private enum Holder: Hashable {
        case session([UInt8])
        case agent(AgentID)

        init(_ redeemed: RedeemedTicket) {
            self = redeemed.session.map { .session($0) } ?? .agent(redeemed.caller.id)
        }
    }

    private struct State {
        var entries: [String: Entry] = [:]
        /// The tickets of each session, oldest first.
        var held: [Holder: [String]] = [:]
        var purged: Timestamp?

        mutating func remove(_ ticket: String) -> Entry? {
            guard let entry = entries.removeValue(forKey: ticket) else { return nil }
            let holder = Holder(entry.redeemed)
            held[holder]?.removeAll { $0 == ticket }
            if held[holder]?.isEmpty == true { held[holder] = nil }
            return entry
        }

        mutating func remove(where isRemoved: (Entry) -> Bool) {
            for (ticket, entry) in entries where isRemoved(entry) { _ = remove(ticket) }
        }

        /// Removes expired tickets, at most once a second: nobody can make us look through all of them for each one.
        mutating func purge(at now: Timestamp) {
            if let purged, purged <= now, now < purged.adding(milliseconds: 1_000) { return }
            purged = now
            remove { $0.expires <= now }
        }
    }

    private let state = Mutex(State())

    /// Stores a ticket. It replaces the oldest of a session that has as many as it may have.
    /// - Throws: `unavailable` if too many tickets are outstanding.
    func issue(_ ticket: String, to caller: AgentCaller, session: [UInt8]?, at now: Timestamp) throws(Rejection) {
        let redeemed = RedeemedTicket(caller: caller, session: session)
        let isKept = state.withLock { state -> Bool in
            let held = state.held[Holder(redeemed)] ?? []
            if held.count >= Self.perSession, let oldest = held.first { _ = state.remove(oldest) }
            if state.entries.count >= Self.capacity { state.purge(at: now) }
            guard state.entries.count < Self.capacity else { return false }
            state.entries[ticket] = Entry(redeemed: redeemed, expires: now.adding(milliseconds: Self.lifetimeMs))
            state.held[Holder(redeemed), default: []].append(ticket)
            return true
        }
        if !isKept { throw .unavailable }
    }

    /// Uses up a ticket.
    /// - Throws: `not_signed_in` if it is unknown, used or expired.
    func redeem(_ ticket: String, at now: Timestamp) throws(Rejection) -> RedeemedTicket {
        guard let entry = state.withLock({ $0.remove(ticket) }), entry.expires > now,
            // Setting the clock back must not extend a ticket.
            entry.expires <= now.adding(milliseconds: Self.lifetimeMs)
        else { throw .notSignedIn }
        return entry.redeemed
    }

    /// Removes the tickets of a session that ended.
    func remove(session: [UInt8]) {
        state.withLock { state in
            for ticket in state.held[.session(session)] ?? [] { _ = state.remove(ticket) }
        }
    }

    /// Removes the tickets of an agent who was changed.
    func remove(agent: AgentID) {
        state.withLock { state in state.remove { $0.redeemed.caller.id == agent } }
    }
}

/// The owner of a redeemed ticket.
public struct RedeemedTicket: Hashable, Sendable {
    /// The agent who asked for the ticket.
    public let caller: AgentCaller
    /// The digest of the session in which the ticket was issued. The socket ends with the session.
    public let session: [UInt8]?
}
