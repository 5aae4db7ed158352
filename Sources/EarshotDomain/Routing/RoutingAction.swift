public import EarshotModel

/// What should happen to one conversation. It is a proposal: the writer's transaction decides it again against the
/// conversation's own state (`ConversationState.decide(_:in:)`), and only then does it become events.
public enum RoutingAction: Hashable, Sendable {
    /// Choose a skill by the brand's routing rules.
    case route
    /// Offer it to these agents until then, the least loaded first. One agent, unless the skill offers to all.
    case offer(to: [AgentID], until: Timestamp, reason: Reason)
    /// Assign it to this agent without asking.
    case assign(AgentID, reason: Reason)
    /// End the open offer: these agents did not answer in time and count as having refused.
    case expireOffer(to: [AgentID])
    /// Put it back in the queue, because its agent does not answer.
    case requeue(reason: Reason)
    /// Put it back in the queue, because these agents, who have it or are asked to take it, may not answer.
    case withdraw(from: [AgentID])
    /// End the reservation for one agent: any agent with the skill may get it.
    case releaseReservation(reason: Reason)
    /// Move it to the skill's fallback: no agent with its skill is online, but one with this skill is.
    case moveToFallback(SkillID)
    /// Send the automatic message for this occasion. `armedAt` is when its cause occurred: it is sent once for each
    /// cause.
    case sendMessage(AutomaticMessage.Occasion, armedAt: Timestamp)
    /// Close it, because the consumer has not answered the brand's message of that moment.
    case closeIdle(answeredAt: Timestamp)
    /// Close it, because it waits for an answer and nobody has done anything in it since that day.
    case closeUnanswered(activeOn: Timestamp)
    /// Resume it after its close, because no one looked at the consumer's afterword of that moment.
    case resumeClosed(since: Timestamp)
    /// End the call with this number, for this reason, if it still goes on.
    case endCall(Int, CallEnding.Why)
    /// Ask the consumer for a rating of the conversation that was closed at that moment.
    case sendSurvey(closedAt: Timestamp)

    /// Why an action is proposed.
    public enum Reason: String, Hashable, Codable, Sendable, CaseIterable {
        /// It is reserved for this agent: a transfer to a person.
        case reserved
        /// This agent answered the consumer before.
        case previousAgent
        /// This agent has the lowest load, and among equals has waited longest for a conversation.
        case leastLoaded
        /// It is offered to every agent who has room.
        case everyone
        /// The agent did not answer in time while online.
        case silentOnline
        /// The agent did not answer in time after going away.
        case silentAway
        /// The agent did not answer in time after going offline.
        case silentOffline
        /// The agent it was reserved for did not take it in time.
        case notTaken
        /// The agent it was reserved for declined it.
        case declined
    }
}

/// An action and the conversation it is about.
public struct ProposedAction: Hashable, Sendable {
    /// The conversation.
    public let conversation: ConversationID
    /// What should happen to it.
    public let action: RoutingAction

    /// Makes the value.
    public init(_ conversation: ConversationID, _ action: RoutingAction) {
        self.conversation = conversation
        self.action = action
    }
}

/// An action that is due at a later moment. It follows from the conversation's state alone, so that a restarted server
/// schedules the same actions; what was done is part of the state, so that nothing is done twice.
public struct ScheduledAction: Hashable, Sendable {
    /// When it is due.
    public let at: Timestamp
    /// What should happen.
    public let action: RoutingAction

    /// Makes the value.
    public init(at: Timestamp, _ action: RoutingAction) {
        self.at = at
        self.action = action
    }

    /// How late a message or a survey may be sent. A server that was down for a moment sends it late; one that was down
    /// for a night sends no greeting in the middle of the night, and no message that the brand has only now switched
    /// on.
    static let graceMs: Int64 = 300_000
    /// The same for messages that are sent after a delay.
    static let delayedGraceMs: Int64 = 3_600_000

    /// From this moment on it is skipped; `nil`: it is never too late.
    public var expiresAt: Timestamp? {
        switch action {
        case .sendMessage(let occasion, _):
            at.adding(milliseconds: occasion.isTimed ? Self.delayedGraceMs : Self.graceMs)
        case .sendSurvey: at.adding(milliseconds: Self.graceMs)
        default: nil
        }
    }
}
