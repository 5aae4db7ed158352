import EarshotCore
import EarshotModel
import NIOCore

/// The inbox of one account, for all agents' sockets of one event loop: read once, written to each. Coalesced: at once when idle, then at most every
/// `rowsMs`.
final class InboxFeed {
    let account: AccountID
    private unowned let loop: SocketLoop
    private let store: any ConversationStore
    private let routing: RoutingService
    private(set) var sockets: [SocketHandler] = []
    /// Open rows as they were written: their positions, and by when they said that an answer is due.
    private var written: [ConversationID: (position: Int64, due: Timestamp?)] = [:]
    /// All rows are to be written anew.
    private var isStale = false
    /// Everyone here has the rows through this position.
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

    /// A socket whose snapshot was true at `position`.
    func join(_ socket: SocketHandler, position: Int64) {
        sockets.append(socket)
        join(after: position)
    }

    /// One of them lacks the rows after `position`.
    func join(after position: Int64) {
        self.position = min(self.position, position)
        rang(position: .max)
    }

    func leave(_ socket: SocketHandler) {
        sockets.removeAll { $0 === socket }
        if sockets.isEmpty { loop.remove(self) }
    }

    func rang(position: Int64) {
        guard position > self.position else { return }
        isBehind = true
        read()
    }

    /// Due times may all be others now.
    func readAnew() {
        (isStale, isBehind) = (true, true)
        read()
    }

    /// Routing follows the log a moment later than the rows do: where it found another time than the row was written with, the row is written again.
    func moved(_ conversations: Set<ConversationID>, _ routing: RoutingService) {
        let late = conversations.compactMap { id in
            written[id].flatMap { $0.due == routing.due(of: id, in: account) ? nil : $0.position }
        }
        if let first = late.min() { join(after: first - 1) }
    }

    private func read() {
        guard isBehind, !isReading, !sockets.isEmpty else { return }
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
            try await store.inbox(account, after: isStale ? nil : position)
        } then: { result in
            self.isReading = false
            switch result {
            case .success(let inbox): self.write(inbox)
            case .failure: (self.isBehind, self.isStale) = (true, isStale)
            }
            self.read()
        }
    }

    private func write(_ inbox: Inbox) {
        let before = position
        position = inbox.position
        guard !inbox.rows.isEmpty else { return }
        let rows = inbox.rows.map { routing.complete($0, of: account) }
        for row in rows { written[row.conversation] = row.status == .closed ? nil : (row.position, row.routing?.due) }
        loop.writer.clear()
        loop.writer.rows(rows, position: inbox.position)
        for socket in sockets {
            if socket.canWrite {
                socket.writeFrame()
            } else {
                socket.rowsMissedAfter = min(socket.rowsMissedAfter ?? before, before)
            }
        }
    }
}

extension SocketLoop {
    /// Does something that waits, and goes on with it in a turn of this event loop.
    func load<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value, then: @escaping (Result<Value, any Error>) -> Void
    ) {
        eventLoop.makeFutureWithTask(work).assumeIsolated().whenComplete { result in
            self.turn { _ in then(result) }
        }
    }
}
