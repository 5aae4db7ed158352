/// Several who want to hear of commits, as one.
public struct CommitListeners: CommitListener {
    private let all: [any CommitListener]

    public init(_ all: [any CommitListener]) {
        self.all = all
    }

    public func committed(_ notifications: [CommitNotification]) {
        for listener in all { listener.committed(notifications) }
    }
}
