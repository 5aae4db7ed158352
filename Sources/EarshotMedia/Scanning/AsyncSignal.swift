import NIOCore
import NIOPosix
import Synchronization

/// Wakes one waiting loop. A ring while nobody waits is kept, once.
final class AsyncSignal: Sendable {
    private enum State {
        case quiet
        case rung
        case waiting(CheckedContinuation<Void, Never>)
    }

    private let state = Mutex(State.quiet)

    func ring() {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard case .waiting(let waiter) = state else {
                state = .rung
                return nil
            }
            state = .quiet
            return waiter
        }
        waiter?.resume()
    }

    /// Returns when it was rung, when so much time has passed, or when the task is cancelled.
    func wait(atMost limit: Duration? = nil) async {
        let alarm = limit.map { limit in
            MultiThreadedEventLoopGroup.singleton.any().scheduleTask(in: TimeAmount(limit)) { self.ring() }
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let isRung = state.withLock { state in
                    if case .rung = state {
                        state = .quiet
                        return true
                    }
                    if case .waiting = state { preconditionFailure("one loop waits at a time") }
                    state = .waiting(waiter)
                    return false
                }
                if isRung { waiter.resume() }
            }
        } onCancel: {
            ring()
        }
        alarm?.cancel()
    }
}
