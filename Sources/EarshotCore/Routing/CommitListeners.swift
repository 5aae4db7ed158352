/// Forwards commits to live connections, once there are any, and then to routing.
final class CommitListeners: CommitListener {
    private let live = ListenerSlot<any CommitListener>()
    private let routing: any CommitListener

    init(routing: any CommitListener) { self.routing = routing }

    /// Sets the listener of live connections.
    func connect(_ listener: any CommitListener) { live.connect(listener) }

    func committed(_ notifications: [CommitNotification]) {
        live.notify { $0.committed(notifications) }
        routing.committed(notifications)
    }
}
