public import EarshotModel
import Synchronization

/// Tickets: each opens one socket, once, within a minute. They let a page authenticate in the first frame though its cookie is out of its reach.
final class Tickets: Sendable {
    static let lifetimeMs: Int64 = 60_000
    static let capacity = 10_000

    private struct Entry {
        let redeemed: RedeemedTicket
        let expires: Timestamp
    }

    private let entries = Mutex<[String: Entry]>([:])

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

    func redeem(_ ticket: String, at now: Timestamp) throws(Rejection) -> RedeemedTicket {
        guard let entry = entries.withLock({ $0.removeValue(forKey: ticket) }), entry.expires > now,
            // A clock that was set back lets no ticket live longer.
            entry.expires <= now.adding(milliseconds: Self.lifetimeMs)
        else { throw .notSignedIn }
        return entry.redeemed
    }

    /// Whoever signed out has none.
    func remove(session: [UInt8]) {
        entries.withLock { $0 = $0.filter { $0.value.redeemed.session != session } }
    }

    /// Nor has whoever is not what they were.
    func remove(agent: AgentID) {
        entries.withLock { $0 = $0.filter { $0.value.redeemed.caller.id != agent } }
    }
}

/// Whose socket a ticket opened.
public struct RedeemedTicket: Hashable, Sendable {
    public let caller: AgentCaller
    /// Digest of the session it was given in: the socket ends with it.
    public let session: [UInt8]?
}

/// Hears of what ends sockets. Must not block.
public protocol SessionListener: Sendable {
    func ended(_ session: [UInt8])
    /// This person is not what they were.
    /// - Parameter mayComeBack: their sessions are still good.
    func ended(_ agent: AgentID, mayComeBack: Bool)
    func suspended(_ account: AccountID)
}

/// Hears of one of the brand's people who is not what they were, and what they are now. Must not block.
public protocol PeopleListener: Sendable {
    func changed(_ agent: Agent)
}

/// Where a listener is kept.
final class ListenerSlot<Listener: Sendable>: Sendable {
    private let listener = Mutex<Listener?>(nil)

    func connect(_ new: Listener) { listener.withLock { $0 = new } }
    func notify(_ tell: (Listener) -> Void) { listener.withLock { $0 }.map(tell) }
}
