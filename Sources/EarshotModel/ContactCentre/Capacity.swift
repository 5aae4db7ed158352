/// How much work a conversation is for its agent. Weights are in thousandths of a conversation, so that they add up
/// exactly.
public struct Capacity: Hashable, Codable, Sendable {
    /// How far an agent's load may exceed the capacity after the last assignment, in thousandths.
    public var slack: Int
    /// The weight of a conversation that waits for the agent, in thousandths.
    public var active: Int
    /// The weight, in thousandths, of a conversation that waits for the consumer, `idleAfterSeconds` after the agent's
    /// last message. Until then the weight falls from `active` to `idle` in ten equal steps.
    public var idle: Int
    /// Seconds after the agent's last message until a conversation weighs only `idle`.
    public var idleAfterSeconds: Int
    /// An answer to a message older than this many seconds makes the conversation idle at once. `nil` turns the rule
    /// off.
    public var backlogAfterSeconds: Int?
    /// Seconds until the agent gets the next conversation after such an answer.
    public var backlogPauseSeconds: Int
    /// A callback at least this many seconds away makes its conversation idle at once.
    public var callbackAtLeastSeconds: Int
    /// Seconds before a callback at which its conversation has the weight `active` again.
    public var callbackLeadSeconds: Int
    /// Seconds of unplayed voice messages, at the agent's listening speed, that add the weight of one conversation.
    /// `nil`: unplayed messages add no weight.
    public var unplayedSecondsPerSlot: Int?
    /// Seconds between the first assignments to an agent who comes online, until the agent is at capacity. `nil`: all
    /// are assigned at once.
    public var warmUpSeconds: Int?

    /// Makes the weights of a new brand unless told otherwise; warm-up is off.
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

/// Seconds without an answer after which a conversation returns to the queue, by the presence of its agent. `nil`:
/// never.
public struct Silence: Hashable, Codable, Sendable {
    /// Seconds for an agent who is online or occupied. `nil`: the conversation stays.
    public var onlineSeconds: Int?
    /// Seconds for an agent who is away. `nil`: the conversation stays.
    public var awaySeconds: Int?
    /// Seconds for an agent who is offline. `nil`: the conversation stays, unless the agent's login is disabled.
    public var offlineSeconds: Int?
    /// Seconds after which a transfer to a named agent goes to the skill's queue if the agent has not taken it.
    public var transferSeconds: Int
    /// The reasons that agents can choose from when they are away.
    public var awayReasons: [String]

    /// Makes the limits of a new brand: 15 minutes online, 5 minutes away, 1 minute offline.
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
