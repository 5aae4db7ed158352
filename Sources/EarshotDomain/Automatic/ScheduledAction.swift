public import EarshotModel

/// Something that Earshot itself is to do in a conversation, and when. Follows from the state alone, so that a restart finds the same scheduledActions; what was done is in
/// the state, so that nothing is done twice.
public struct ScheduledAction: Hashable, Sendable {
    public let what: What
    /// Since when it was to be done: what was said after this moment has done it.
    public let armed: Timestamp
    public let due: Timestamp

    public enum What: Hashable, Sendable {
        case say(AutomaticMessage.Occasion)
        /// Nobody wrote for too long.
        case closeIdle
        case survey
    }

    public init(_ what: What, armed: Timestamp, due: Timestamp) {
        self.what = what
        self.armed = armed
        self.due = due
    }

    /// So long after its time a message is still said: a server that was down for a moment says it late, and one that was down for a night does not
    /// greet people in their sleep, nor say what a brand has only now switched on.
    static let graceMs: Int64 = 300_000
    static let timedGraceMs: Int64 = 3_600_000

    /// After this moment it is not done any more; `nil`: always.
    public var lapses: Timestamp? {
        switch what {
        case .say(let occasion): due.adding(milliseconds: occasion.isTimed ? Self.timedGraceMs : Self.graceMs)
        case .survey: due.adding(milliseconds: Self.graceMs)
        case .closeIdle: nil
        }
    }
}
