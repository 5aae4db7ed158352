/// How much work a conversation is. Weights are in thousandths of a whole one, so that they add up exactly.
public struct Capacity: Hashable, Codable, Sendable {
    /// How far the load may exceed the capacity with the last conversation taken.
    public var slack: Int
    /// A conversation that waits for the agent.
    public var active: Int
    /// One that waits for the consumer, `idleAfterSeconds` after the agent's last word; between the two it falls
    /// evenly in ten steps.
    public var idle: Int
    public var idleAfterSeconds: Int
    /// An answer to a message older than this counts as idle at once. `nil`: switched off.
    public var backlogAfterSeconds: Int?
    /// After such an answer, seconds until the agent gets the next conversation.
    public var backlogPauseSeconds: Int
    /// A promise at least this long makes its conversation idle at once.
    public var callbackAtLeastSeconds: Int
    /// So long before a promise ends, its conversation is work again.
    public var callbackLeadSeconds: Int
    /// Seconds of unplayed voice, at the agent's own listening speed, that weigh as much as one whole conversation
    /// more. `nil`: they weigh nothing.
    public var unplayedSecondsPerSlot: Int?
    /// Who comes online for their shift gets the first conversations, as many as their capacity, so many seconds
    /// apart. `nil`: all at once.
    public var warmUpSeconds: Int?

    public init(
        slack: Int = 500, active: Int = 1000, idle: Int = 100, idleAfterSeconds: Int = 600,
        backlogAfterSeconds: Int? = 7200, backlogPauseSeconds: Int = 10,
        callbackAtLeastSeconds: Int = 1800, callbackLeadSeconds: Int = 600, unplayedSecondsPerSlot: Int? = 300,
        warmUpSeconds: Int? = nil
    ) {
        self.slack = slack
        self.active = active
        self.idle = idle
        self.idleAfterSeconds = idleAfterSeconds
        self.backlogAfterSeconds = backlogAfterSeconds
        self.backlogPauseSeconds = backlogPauseSeconds
        self.callbackAtLeastSeconds = callbackAtLeastSeconds
        self.callbackLeadSeconds = callbackLeadSeconds
        self.unplayedSecondsPerSlot = unplayedSecondsPerSlot
        self.warmUpSeconds = warmUpSeconds
    }
}

/// After how many seconds without an answer a conversation goes back to the queue, by what its agent is; `nil`: never.
public struct Silence: Hashable, Codable, Sendable {
    public var onlineSeconds: Int?
    public var awaySeconds: Int?
    public var offlineSeconds: Int?
    /// A transfer to a named agent that is not taken goes to the skill's queue.
    public var transferSeconds: Int
    /// Why somebody may be away.
    public var awayReasons: [String]

    public init(
        onlineSeconds: Int? = 900, awaySeconds: Int? = 300, offlineSeconds: Int? = 60, transferSeconds: Int = 7200,
        awayReasons: [String] = ["Break", "Lunch", "Meeting", "Training"]
    ) {
        self.onlineSeconds = onlineSeconds
        self.awaySeconds = awaySeconds
        self.offlineSeconds = offlineSeconds
        self.transferSeconds = transferSeconds
        self.awayReasons = awayReasons
    }
}
