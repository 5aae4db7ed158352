import EarshotModel

/// One agent's connection on the inbox feed of its account. Remembers the rows that did not fit, and asks for them once
/// there is room.
final class InboxSubscriber {
    private unowned let connection: SocketConnection
    private let feed: InboxFeed
    /// Rows after this position were not written, because the output was full.
    private var missedAfter: Int64?

    init(_ connection: SocketConnection, _ feed: InboxFeed) {
        self.connection = connection
        self.feed = feed
    }

    /// The status feed of the agent.
    var agentStatus: AgentStatusFeed? { connection.agentStatus }

    /// Joins the feed. The client has the rows through `position`.
    func join(position: Int64) { feed.add(self, after: position) }

    func leave() { feed.remove(self) }

    /// Writes the frame of rows that the event loop composed last.
    /// - Parameter position: where the rows of that frame begin.
    func writeComposedRows(after position: Int64) {
        if connection.canWrite {
            connection.writeComposed()
        } else {
            missedAfter = min(missedAfter ?? position, position)
        }
    }

    /// Asks the feed for the rows that were not written. Call it once there is room.
    func requestMissedRows() {
        guard let missed = missedAfter else { return }
        missedAfter = nil
        feed.sendRows(after: missed)
    }

    /// Writes the frame that the event loop composed last, unless the output is full.
    func writeComposedIfRoom() {
        if connection.canWrite { connection.writeComposed() }
    }
}
