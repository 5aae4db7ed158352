public import EarshotModel
import Synchronization

/// A listener for what ends sockets. Its methods must not block.
public protocol SessionListener: Sendable {
    /// Called when a session ended.
    func ended(_ session: [UInt8])
    /// Called when an agent was changed, so that the agent's sockets have to close.
    /// - Parameter mayComeBack: whether the agent's sessions are still valid.
    func ended(_ agent: AgentID, mayComeBack: Bool)
    /// Called when sessions of an agent may have ended.
    /// - Parameter sessions: those that go on.
    func ended(_ agent: AgentID, except sessions: [[UInt8]])
    /// Called when a consumer was blocked.
    func blocked(_ consumer: ConsumerID)
    /// Called when a consumer was signed out everywhere.
    func signedOut(_ consumer: ConsumerID)
    /// Called when a brand was suspended.
    func suspended(_ account: AccountID)
}

/// A listener for changes of the brand's people. Must not block.
public protocol PeopleListener: Sendable {
    /// Called after a person was changed, with the new row.
    func changed(_ agent: Agent)
    /// Called after the brand changed what its profiles let people do.
    func changedProfiles(of account: AccountID)
}

/// Holds one listener that is set later.
final class ListenerSlot<Listener: Sendable>: Sendable {
    private let listener = Mutex<Listener?>(nil)

    /// Sets the listener.
    func connect(_ new: Listener) { listener.withLock { $0 = new } }
    /// Calls the listener, if there is one.
    func notify(_ tell: (Listener) -> Void) { listener.withLock { $0 }.map(tell) }
}
