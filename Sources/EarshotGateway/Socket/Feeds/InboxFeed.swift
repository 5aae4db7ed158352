import EarshotCore
import EarshotModel
import NIOCore

/// The inbox of one account for all agents' connections of one event loop: each row is read once and written to every
/// connection. Changes are coalesced: sent at once when idle, then at most every `rowsMs`.
final class InboxFeed {
    private struct WrittenRow {
        let position: Int64
        /// When the row said that an answer is due.
        let due: Timestamp?
    }

    let account: AccountID
    private unowned let loop: SocketLoop
    private let store: any ConversationStore
    private let routing: RoutingService
    private(set) var subscribers: [InboxSubscriber] = []
    /// The open rows as they were written last.
    private var written: [ConversationID: WrittenRow] = [:]
    /// All rows are to be written again.
    private var isStale = false
    /// Every subscriber has the rows through this position.
    private var position: Int64 = .max
    private var isBehind = false
    private var isReading = false
    private var readAt: Timestamp?

    init(_ account: AccountID, _ loop: SocketLoop, _ store: any ConversationStore, _ routing: RoutingService) {
        self.routing = routing
        self.account = account
        self.loop = loop
        self.store = store
    }

    /// Adds a connection whose client has the rows through `position`.
    func add(_ subscriber: InboxSubscriber, after position: Int64) {
        subscribers.append(subscriber)
        sendRows(after: position)
    }

    func remove(_ subscriber: InboxSubscriber) {
        subscribers.removeAll { $0 === subscriber }
        if subscribers.isEmpty { loop.remove(self) }
    }

    /// Sends the rows after `position`, because a client lacks them.
    func sendRows(after position: Int64) {
        self.position = min(self.position, position)
        notify(position: .max)
    }

    /// The account's log has reached this position.
    func notify(position: Int64) {
        guard position > self.position else { return }
        isBehind = true
        read()
    }

    /// Sends all rows again, because every due time may have changed.
    func sendAllRows() {
        (isStale, isBehind) = (true, true)
        read()
    }

    /// Sends rows again whose due time has changed. Routing follows the log a moment later than the rows do.
    func routingChanged(_ conversations: Set<ConversationID>, _ routing: RoutingService) {
        let outdated = conversations.compactMap { id in
            written[id].flatMap { $0.due == routing.due(of: id, in: account) ? nil : $0.position }
        }
        if let first = outdated.min() { sendRows(after: first - 1) }
    }

    private func read() {
        guard isBehind, !isReading, !subscribers.isEmpty else { return }
        isReading = true
        let wait = readAt.map { $0.milliseconds + loop.limits.rowsMs - loop.now.milliseconds } ?? 0
        guard wait > 0 else { return readNow() }
        loop.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(wait)) { self.readNow() }
    }

    private func readNow() {
        isBehind = false
        readAt = loop.now
        let (store, account, position) = (store, account, position)
        let isStale = isStale
        self.isStale = false
        loop.load {
            isStale
                ? try await store.inbox(account, after: nil)
                : try await store.changedRows(of: account, after: position, limit: Limits.changedRows)
        } then: { result in
            self.isReading = false
            switch result {
            case .success(let inbox): self.write(inbox, after: position)
            case .failure: (self.isBehind, self.isStale) = (true, isStale)
            }
            self.read()
        }
    }

    /// Writes rows that were read after `start` to every subscriber.
    private func write(_ inbox: Inbox, after start: Int64) {
        // A subscriber that joined during the read may lack rows before these: then nothing counts as sent.
        if inbox.continuesPosition, position == start { position = inbox.position }
        // There may be more rows than one frame has, and the first inbox does not have every row that changed.
        if !inbox.continuesPosition || inbox.rows.count == Limits.changedRows { isBehind = true }
        guard !inbox.rows.isEmpty else { return }
        let rows = inbox.rows.map { routing.complete($0, of: account) }
        for row in rows {
            written[row.conversation] =
                row.status == .closed ? nil : WrittenRow(position: row.position, due: row.routing?.due)
        }
        let (start, position) = (min(start, position), position)
        loop.compose { $0.rows(rows, position: position) }
        for subscriber in subscribers where subscriber.seesEverything { subscriber.writeComposedRows(after: start) }
        for subscriber in subscribers where !subscriber.seesEverything {
            let seen = subscriber.seen(of: rows, people: inbox.people)
            guard !seen.rows.isEmpty || !seen.gone.isEmpty else { continue }
            loop.compose { $0.rows(seen.rows, position: position, gone: seen.gone) }
            subscriber.writeComposedRows(after: start)
        }
    }
}
