import NIOCore
import NIOPosix
import Synchronization

/// Wakes one waiting loop. A signal that arrives while no task waits is kept; several such signals count as one.
final class AsyncSignal: Sendable {
    private enum State {
        case idle
        case signalled
        case waiting(CheckedContinuation<Void, Never>)
    }

    private let state = Mutex(State.idle)

    /// Wakes the waiting task, or the next one that waits.
    func signal() {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard case .waiting(let waiter) = state else {
                state = .signalled
                return nil
            }
            state = .idle
            return waiter
        }
        waiter?.resume()
    }

    /// Returns after a signal, after `limit`, or when the task is cancelled. Only one task may wait at a time.
    func wait(atMost limit: Duration? = nil) async {
        let timeout = limit.map { limit in
            MultiThreadedEventLoopGroup.singleton.any().scheduleTask(in: TimeAmount(limit)) { self.signal() }
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let isSignalled = state.withLock { state in
                    if case .signalled = state {
                        state = .idle
                        return true
                    }
                    if case .waiting = state { preconditionFailure("only one task may wait for a signal at a time") }
                    state = .waiting(waiter)
                    return false
                }
                if isSignalled { waiter.resume() }
            }
        } onCancel: {
            signal()
        }
        timeout?.cancel()
    }
}
