import EarshotCore
import EarshotModel
import NIOCore
import Synchronization

/// Where other threads leave things for one event loop. However many come before it looks, it is woken once.
final class LoopMailbox: Sendable {
    enum Item: Sendable {
        case notifications([CommitNotification])
        case signal(Signal)
        case turn(@Sendable (SocketLoop) -> Void)
    }

    private struct State {
        var items: [Item] = []
        var signals = 0
        var isAwake = false
    }

    let eventLoop: any EventLoop
    private let state = Mutex(State())
    private let loop: NIOLoopBoundBox<SocketLoop>
    private let signalsWaiting: Int

    init(_ eventLoop: any EventLoop, limits: SocketLimits) {
        self.eventLoop = eventLoop
        signalsWaiting = limits.signalsWaiting
        loop = NIOLoopBoundBox.makeBoxSendingValue(SocketLoop(eventLoop, limits), eventLoop: eventLoop)
    }

    /// The sockets of this event loop. Only on its thread.
    var sockets: SocketLoop { loop.value }

    func post(_ item: Item) {
        let mustWake = state.withLock { state in
            if case .signal = item {
                guard state.signals < signalsWaiting else { return false }
                state.signals += 1
            }
            state.items.append(item)
            defer { state.isAwake = true }
            return !state.isAwake
        }
        if mustWake { eventLoop.execute { self.empty() } }
    }

    private func empty() {
        let items = state.withLock { state in
            defer { state = State() }
            return state.items
        }
        sockets.turn { sockets in
            for item in items { sockets.take(item) }
        }
    }
}

/// An ephemeral notice: who types where. Never stored, never numbered, droppable.
struct Signal: Sendable {
    let conversation: ConversationID
    let by: ParticipantNumber
    let isOff: Bool
    /// Not to the devices of whoever types.
    let author: String
}
