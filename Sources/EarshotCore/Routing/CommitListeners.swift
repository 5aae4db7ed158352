/// Forwards commits to several listeners, in their order.
public struct CommitListeners: CommitListener {
    private let all: [any CommitListener]

    /// Makes a listener that forwards to all of these.
    public init(_ all: [any CommitListener]) {
        self.all = all
    }

    /// Forwards the notifications.
    public func committed(_ notifications: [CommitNotification]) {
        for listener in all { listener.committed(notifications) }
    }
}
