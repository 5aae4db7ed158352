public import EarshotModel

/// How much work one conversation is at a moment, and when that next changes without an event.
public struct ConversationLoad: Hashable, Sendable {
    /// In thousandths of a whole conversation.
    public var thousandths: Int
    /// Until when this holds; `nil`: until the next event.
    public var until: Timestamp?

    /// Makes the value.
    public init(thousandths: Int, until: Timestamp? = nil) {
        self.thousandths = thousandths
        self.until = until
    }
}

extension Capacity {
    /// In how many steps the load falls from active to idle.
    static let steps: Int64 = 10

    /// How much work this conversation is for an agent with this listening speed (percent).
    ///
    /// A conversation with a long callback is snoozed: it counts as idle until shortly before the callback ends. One
    /// that waits for the brand counts as active. One that waits for the consumer falls from active to idle in steps,
    /// or at once after an answer to an old message. Voice that nobody has played adds to both.
    public func load(of entry: QueueEntry, listenSpeed: Int?, now: Timestamp) -> ConversationLoad {
        if let until = snoozedUntil(entry), now < until { return ConversationLoad(thousandths: idle, until: until) }
        let listening = listening(toMs: entry.priority.unplayedMs, speed: listenSpeed)
        guard entry.times.unansweredSince == nil, entry.times.callback == nil else {
            return ConversationLoad(thousandths: active + listening)
        }
        let since = entry.times.answeredAt ?? entry.times.assignedAt ?? entry.times.queuedAt
        var load = isBacklog(entry) ? ConversationLoad(thousandths: idle) : decreasing(since: since, now)
        load.thousandths += listening
        return load
    }

    /// The load of listening to so many milliseconds of voice, in thousandths of a conversation.
    public func listening(toMs ms: Int, speed: Int?) -> Int {
        guard let seconds = unplayedSecondsPerSlot, seconds > 0 else { return 0 }
        // A thousandth of a slot is as many milliseconds as the slot has seconds.
        return ms * 100 / max(1, speed ?? 100) / seconds
    }

    /// Until when a callback keeps the conversation out of matching; `nil`: there is no callback, or only a short one.
    public func snoozedUntil(_ entry: QueueEntry) -> Timestamp? {
        guard let callback = entry.times.callback,
            callback.until.milliseconds - callback.madeAt.milliseconds >= Int64(callbackAtLeastSeconds) * 1000
        else {
            return nil
        }
        return callback.until.adding(milliseconds: -Int64(callbackLeadSeconds) * 1000)
    }

    /// Whether the brand's last message answered one that had waited for too long.
    public func isBacklog(_ entry: QueueEntry) -> Bool {
        guard let after = backlogAfterSeconds, entry.times.answeredAt != nil else { return false }
        return entry.times.answeredAgeMs > Int64(after) * 1000
    }

    /// Until when the agent of this conversation gets nothing new, because they have just answered an old message.
    public func pauseUntil(_ entry: QueueEntry) -> Timestamp? {
        isBacklog(entry) ? entry.times.answeredAt?.adding(milliseconds: Int64(backlogPauseSeconds) * 1000) : nil
    }

    private func decreasing(since: Timestamp, _ now: Timestamp) -> ConversationLoad {
        let (whole, elapsed) = (Int64(idleAfterSeconds) * 1000, max(0, now.milliseconds - since.milliseconds))
        guard whole > 0, elapsed < whole else { return ConversationLoad(thousandths: idle) }
        let step = elapsed * Self.steps / whole
        let next = (whole * (step + 1) + Self.steps - 1) / Self.steps
        return ConversationLoad(
            thousandths: active - (active - idle) * Int(step) / Int(Self.steps), until: since.adding(milliseconds: next)
        )
    }
}

extension ContactCentreSettings {
    /// How much work this conversation is for an agent with this listening speed (percent).
    public func load(of entry: QueueEntry, listenSpeed: Int? = nil, now: Timestamp) -> ConversationLoad {
        capacity.load(of: entry, listenSpeed: listenSpeed, now: now)
    }
}
