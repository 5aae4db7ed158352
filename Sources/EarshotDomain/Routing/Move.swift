public import EarshotModel

/// What should happen now to one conversation. A proposal: the writer's transaction checks it against the conversation's own state, and only then does it
/// become an event.
public enum Move: Hashable, Sendable {
    /// Ring these, the first of them first in the line, until then. One of them, but where the skill rings all.
    case offer(ConversationID, to: [AgentID], until: Timestamp, why: Reason)
    case assign(ConversationID, AgentID, why: Reason)
    /// The ring ended unanswered: those asked count as having refused.
    case lapse(ConversationID)
    /// Back to the queue, for its agent does not answer.
    case requeue(ConversationID, why: Reason)
    /// It is no longer meant for one agent only: anybody with the skill may have it.
    case release(ConversationID, why: Reason)
    /// Nobody with its skill is there, but somebody with this one.
    case fallback(ConversationID, to: SkillID)

    public var conversation: ConversationID {
        switch self {
        case .offer(let id, _, _, _), .assign(let id, _, _), .lapse(let id), .requeue(let id, _), .release(let id, _),
            .fallback(let id, _):
            id
        }
    }

    public enum Reason: String, Hashable, Codable, Sendable, CaseIterable {
        /// Meant for this agent: a transfer to a person.
        case reserved
        /// Answered this consumer before.
        case previousAgent
        /// Has the least to do, and among equals has waited longest for a conversation.
        case leastLoaded
        /// Rings everyone who is free.
        case everyone
        /// The agent did not answer in time, while online, away, or gone.
        case silentOnline, silentAway, silentOffline
        /// The agent that it was meant for did not take it in time, or declined.
        case notTaken, declined
    }
}
