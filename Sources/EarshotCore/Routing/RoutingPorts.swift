public import EarshotDomain
public import EarshotModel

/// A conversation that routing has to know of when the server starts.
public struct UnfinishedConversation: Sendable {
    /// What routing needs to know of the conversation itself.
    public let state: ConversationState
    /// Milliseconds of voice that nobody of the brand has played.
    public let unplayedMs: Int

    /// Creates it from the stored state and the unplayed voice of a conversation.
    public init(state: ConversationState, unplayedMs: Int) {
        self.state = state
        self.unplayedMs = unplayedMs
    }
}

/// What the routing service reads of the log and the rows.
public protocol RoutingSource: Sendable {
    /// The ids of every waiting or open conversation of every account, and of those closed since then. Its cost does
    /// not depend on how many were closed before.
    func unfinishedConversations(closedSince: Timestamp) async throws(AdapterFailure) -> [ConversationID]
    /// Some of these conversations, as they are now.
    func unfinished(_ conversations: [ConversationID]) async throws(AdapterFailure) -> [UnfinishedConversation]
    /// Every brand of this installation, in the order of their ids.
    func accounts() async throws(AdapterFailure) -> [AccountID]
    /// The presence that each of the people of a brand chose last. Who is not in it chose none yet.
    func presences(of account: AccountID) async throws(AdapterFailure) -> [AgentID: Presence]
    /// Stores what an agent chose to be.
    func save(_ presence: Presence, of agent: AgentID, in account: AccountID) async throws(AdapterFailure)
    /// How right the promised times were on the last day that was stored; `nil`: none was.
    func etaAccuracy(of account: AccountID) async throws(AdapterFailure) -> EtaAccuracy?
    /// Stores how right the promised times of a brand were.
    func save(_ etaAccuracy: EtaAccuracy, of account: AccountID) async throws(AdapterFailure)
}

/// How a brand runs its centre, from memory where it can.
public protocol ContactCentreSource: Sendable {
    /// The contact-centre settings of a brand.
    func centre(of account: AccountID) async throws -> ContactCentreSettings
}

/// Hears that a brand changed its centre. Must not block.
public protocol ContactCentreListener: Sendable {
    /// Called after the contact-centre settings of a brand changed.
    func changed(_ centre: ContactCentreSettings, of account: AccountID)
}

/// Hears what routing changed that is no event: places in queues, due times, loads, who is there. Must not block; asks
/// the service for the figures when it can use them.
public protocol RoutingListener: Sendable {
    /// Called with the conversations and the people of a brand for whom something changed.
    func moved(in account: AccountID, conversations: Set<ConversationID>, people: Set<AgentID>)
}
