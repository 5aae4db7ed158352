public import EarshotModel

/// How much work one conversation is at a moment, and when that next changes by itself.
public struct Weight: Hashable, Sendable {
    /// Of a whole conversation.
    public var thousandths: Int
    /// Until when it weighs this; `nil`: until something happens.
    public var until: Timestamp?

    public init(thousandths: Int, until: Timestamp? = nil) {
        self.thousandths = thousandths
        self.until = until
    }
}

extension Capacity {
    /// In how many steps the weight falls from active to idle.
    static let steps: Int64 = 10

    /// What this conversation weighs for an agent who listens so fast (percent). With a long promise it is put off, and weighs as idle until shortly before the promise
    /// ends. What waits for an answer is active. What waits for the consumer falls from active to idle, at once after an answer to an old message. Voice that
    /// nobody has played adds to both.
    public func weight(of ticket: QueueEntry, listenSpeed: Int?, now: Timestamp) -> Weight {
        if let until = putOffUntil(ticket), now < until { return Weight(thousandths: idle, until: until) }
        let listening = listening(toMs: ticket.unplayedMs, speed: listenSpeed)
        guard ticket.unansweredSince == nil, ticket.callback == nil else {
            return Weight(thousandths: active + listening)
        }
        var weight =
            isBacklog(ticket)
            ? Weight(thousandths: idle) : waning(since: ticket.answeredAt ?? ticket.assignedAt ?? ticket.queuedAt, now)
        weight.thousandths += listening
        return weight
    }

    /// What voice that is still to be played weighs, in thousandths.
    public func listening(toMs ms: Int, speed: Int?) -> Int {
        guard let seconds = unplayedSecondsPerSlot, seconds > 0 else { return 0 }
        // A thousandth of a slot is as many milliseconds as the slot has seconds.
        return ms * 100 / max(1, speed ?? 100) / seconds
    }

    /// Until when a promise lets nobody do anything about the conversation; `nil`: no promise, or a short one.
    public func putOffUntil(_ ticket: QueueEntry) -> Timestamp? {
        guard let callback = ticket.callback,
            callback.until.milliseconds - callback.madeAt.milliseconds >= Int64(callbackAtLeastSeconds) * 1000
        else {
            return nil
        }
        return callback.until.adding(milliseconds: -Int64(callbackLeadSeconds) * 1000)
    }

    /// Whether the brand's last word answered a message that had waited for too long.
    public func isBacklog(_ ticket: QueueEntry) -> Bool {
        guard let after = backlogAfterSeconds, ticket.answeredAt != nil else { return false }
        return ticket.answeredAgeMs > Int64(after) * 1000
    }

    /// Until when the agent of this conversation gets nothing new, for they have just answered an old message.
    public func pauseUntil(_ ticket: QueueEntry) -> Timestamp? {
        isBacklog(ticket) ? ticket.answeredAt?.adding(milliseconds: Int64(backlogPauseSeconds) * 1000) : nil
    }

    private func waning(since: Timestamp, _ now: Timestamp) -> Weight {
        let (whole, elapsed) = (Int64(idleAfterSeconds) * 1000, max(0, now.milliseconds - since.milliseconds))
        guard whole > 0, elapsed < whole else { return Weight(thousandths: idle) }
        let step = elapsed * Self.steps / whole
        let next = (whole * (step + 1) + Self.steps - 1) / Self.steps
        return Weight(
            thousandths: active - (active - idle) * Int(step) / Int(Self.steps), until: since.adding(milliseconds: next)
        )
    }
}

extension ContactCentreSettings {
    public func weight(of ticket: QueueEntry, listenSpeed: Int? = nil, now: Timestamp) -> Weight {
        capacity.weight(of: ticket, listenSpeed: listenSpeed, now: now)
    }
}
