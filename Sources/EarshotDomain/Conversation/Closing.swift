public import EarshotModel

/// What was so when one of the brand's people closed a conversation. With it the close can be taken back, and a
/// consumer's message soon after it is told from one that opens the conversation again.
public struct Closing: Hashable, Codable, Sendable {
    /// Who closed it.
    public let by: ParticipantNumber
    /// Who answered it; `nil`: it waited.
    let assignee: ParticipantNumber?
    let assignedAt: Timestamp?
    let since: Timestamp?
    /// The consumer's messages that had no answer.
    let unanswered: [Int]
    let callback: RoutingState.Callback?
    let here: [ParticipantNumber]
    /// `true` after the consumer answered the survey: then the close stands.
    private(set) var isRated: Bool?

    init(_ state: ConversationState, by: ParticipantNumber) {
        self.by = by
        (assignee, assignedAt, since) = (state.assignee, state.timestamps.assigned, state.since)
        (unanswered, callback, here) = (state.unanswered, state.routing.callback, state.routing.here)
    }

    mutating func rate() { isRated = true }
}

extension ConversationState {
    /// Whether a consumer's message at this time opens nothing: someone of the brand closed the conversation a moment
    /// ago, and no words of the consumer were without an answer.
    func takesAfterword(at now: Timestamp) -> Bool {
        guard status == .closed, let closing = routing.closing, closing.unanswered.isEmpty, routing.isAnswered,
            let closed = timestamps.closed
        else { return false }
        return now < closed.adding(seconds: Limits.afterwordSeconds)
    }

    /// Whether its close can be taken back at this time, by the person who closed it.
    func mayReopen(at now: Timestamp) -> Bool {
        guard status == .closed, let closing = routing.closing, closing.isRated != true, let closed = timestamps.closed
        else { return false }
        return now <= closed.adding(seconds: Limits.reopenSeconds)
    }

    /// Who closed it, where a consumer's afterword waits for someone to look at it.
    var afterword: AgentID? {
        guard status == .closed, !unanswered.isEmpty else { return nil }
        return routing.closing.flatMap { person($0.by)?.id }
    }

    /// Whether it is over: closed, and no afterword waits.
    public var isFinished: Bool { status == .closed && unanswered.isEmpty }

    /// Everything is as it was before the close, and an afterword waits for an answer.
    mutating func reopened() {
        guard let closing = routing.closing else { return }
        (status, assignee) = (closing.assignee == nil ? .waiting : .open, closing.assignee)
        if !closing.unanswered.isEmpty || unanswered.isEmpty { since = closing.since }
        unanswered = Array((closing.unanswered + unanswered).suffix(Limits.unread))
        timestamps.assigned = closing.assignedAt
        (routing.callback, routing.here) = (closing.callback, closing.here)
        (routing.closing, routing.survey, routing.closedWhy, routing.closedQuietly) = (nil, nil, nil, false)
    }

    /// The consumer's last words need no answer.
    mutating func settled(at: Timestamp) {
        unanswered = []
        (since, routing.settledAt) = (status == .closed ? timestamps.closed : at, at)
    }
}
