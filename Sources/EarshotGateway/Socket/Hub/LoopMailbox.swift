import EarshotCore
import EarshotModel
import NIOCore
import Synchronization

/// Takes items from other threads for one event loop. However many arrive before the loop handles them, it is woken
/// once.
final class LoopMailbox: Sendable {
    enum Item: Sendable {
        /// What was committed, and when.
        case notifications([CommitNotification], at: NIODeadline)
        case signal(Signal)
        case turn(@Sendable (SocketLoop) -> Void)
    }

    private struct State {
        var items: [Item] = []
        var signalCount = 0
        var isScheduled = false
    }

    let eventLoop: any EventLoop
    private let state = Mutex(State())
    private let loop: NIOLoopBoundBox<SocketLoop>
    private let signalsMaximum: Int
    private let metrics: GatewayMetrics

    init(_ eventLoop: any EventLoop, limits: SocketLimits, metrics: GatewayMetrics) {
        self.eventLoop = eventLoop
        self.metrics = metrics
        signalsMaximum = limits.signalsWaiting
        loop = NIOLoopBoundBox.makeBoxSendingValue(SocketLoop(eventLoop, limits, metrics), eventLoop: eventLoop)
    }

    /// The sockets of this event loop. Call it only on that event loop.
    var sockets: SocketLoop { loop.value }

    /// Hands over an item. Signals beyond the limit are dropped.
    func post(_ item: Item) {
        let mustSchedule = state.withLock { state in
            if case .signal = item {
                guard state.signalCount < signalsMaximum else { return false }
                state.signalCount += 1
            }
            state.items.append(item)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if mustSchedule { eventLoop.execute { self.handleAll() } }
    }

    /// At the end of a turn everything is written.
    private func measureDelivery(of items: [Item]) {
        let now = NIODeadline.now()
        for case .notifications(_, let committed) in items {
            metrics.delivery.observe(nanoseconds: Int((now - committed).nanoseconds))
        }
    }

    private func handleAll() {
        let items = state.withLock { state in
            defer { state = State() }
            return state.items
        }
        sockets.turn { sockets in
            for item in items { sockets.handle(item) }
        }
        measureDelivery(of: items)
    }
}

/// A notice to those who follow a conversation. Never stored, never numbered, and dropped when too many wait.
struct Signal: Sendable {
    let conversation: ConversationID
    let what: What

    enum What: Sendable {
        /// Someone types, or stopped; the devices of the `author` are not notified.
        case typing(by: ParticipantNumber, isOff: Bool, author: String)
        /// An agent asks the consumer's devices whether there could be a call.
        case check(CallCheck)
        /// A device of the consumer answered.
        case readiness(CallReadiness)
    }
}
