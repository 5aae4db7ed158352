import Synchronization

/// A value that is set once and that several tasks can wait for. The first value wins; later ones are ignored.
final class OneShot<Value: Sendable>: Sendable {
    private enum State {
        case pending([CheckedContinuation<Value, Never>])
        case resolved(Value)
    }

    private let state = Mutex(State.pending([]))

    /// Sets the value and resumes every waiting task.
    /// - Returns: `false` if there was a value already; nothing changes then.
    @discardableResult
    func resolve(_ value: Value) -> Bool {
        let waiters = state.withLock { state -> [CheckedContinuation<Value, Never>]? in
            guard case .pending(let waiters) = state else { return nil }
            state = .resolved(value)
            return waiters
        }
        guard let waiters else { return false }
        for waiter in waiters { waiter.resume(returning: value) }
        return true
    }

    /// Waits for the value.
    func value() async -> Value {
        await withCheckedContinuation { waiter in
            let resolved = state.withLock { state -> Value? in
                switch state {
                case .resolved(let value): return value
                case .pending(let waiters):
                    state = .pending(waiters + [waiter])
                    return nil
                }
            }
            if let resolved { waiter.resume(returning: resolved) }
        }
    }
}
