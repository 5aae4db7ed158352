import Synchronization

/// One result that several tasks may wait for. The first one counts.
final class OneShot<Value: Sendable>: Sendable {
    private enum State {
        case open([CheckedContinuation<Result<Value, any Error>, Never>])
        case kept(Result<Value, any Error>)
    }

    private let state = Mutex(State.open([]))

    func keep(_ result: Result<Value, any Error>) {
        let waiters = state.withLock { state -> [CheckedContinuation<Result<Value, any Error>, Never>] in
            guard case .open(let waiters) = state else { return [] }
            state = .kept(result)
            return waiters
        }
        for waiter in waiters { waiter.resume(returning: result) }
    }

    func value() async throws -> Value {
        try await withCheckedContinuation { waiter in
            let kept = state.withLock { state -> Result<Value, any Error>? in
                switch state {
                case .kept(let result): return result
                case .open(let waiters):
                    state = .open(waiters + [waiter])
                    return nil
                }
            }
            if let kept { waiter.resume(returning: kept) }
        }.get()
    }
}
