import EarshotCore
import EarshotModel

/// One agent's connection on the inbox feed of its account. Remembers the rows that did not fit, and asks for them once
/// there is room. For an agent who does not see everything it also decides, from memory, which rows to write.
final class InboxSubscriber {
    private unowned let connection: SocketConnection
    private let feed: InboxFeed
    private let scope: ConversationScope
    /// The conversations whose rows the client has. Empty for an agent who sees everything.
    private var shown: Set<ConversationID>
    /// Rows after this position were not written, because the output was full.
    private var missedAfter: Int64?

    /// - Parameter shown: the rows that the client has.
    init(_ connection: SocketConnection, _ feed: InboxFeed, _ scope: ConversationScope, shown: [InboxRow]) {
        self.connection = connection
        self.feed = feed
        self.scope = scope
        self.shown = scope == .everything ? [] : Set(shown.map(\.conversation))
    }

    /// Whether the agent sees every row.
    var seesEverything: Bool { scope == .everything }

    /// The rows that the agent sees, and the conversations that the agent saw before and sees no longer. What
    /// the output has no room for counts as not written.
    func seen(of rows: [InboxRow], people: [ConversationID: ConversationPeople]) -> (
        rows: [InboxRow], gone: [ConversationID]
    ) {
        var (seen, gone) = ([InboxRow](), [ConversationID]())
        for row in rows {
            if scope.sees(ScopeFacts(row, people: people[row.conversation] ?? .init())) {
                seen.append(row)
            } else if shown.contains(row.conversation) {
                gone.append(row.conversation)
            }
        }
        guard connection.canWrite else { return (seen, gone) }
        shown.subtract(gone)
        shown.formUnion(seen.map(\.conversation))
        return (seen, gone)
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
