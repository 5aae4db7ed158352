import Synchronization

/// Limits how many scan sessions there are at a time, first come, first served: clamd has other clients too.
final class ScanSlots: Sendable {
    private struct State {
        var free: Int
        var last = 0
        var waiting: [(ticket: Int, waiter: CheckedContinuation<Bool, Never>)] = []
    }

    private let state: Mutex<State>

    init(_ count: Int) {
        state = Mutex(State(free: count))
    }

    /// Runs `body` when a slot is free. Returns `nil` if the task was cancelled before that.
    func within<Value>(_ body: () async -> Value) async -> Value? {
        guard await acquire() else { return nil }
        defer { release() }
        return await body()
    }

    private func acquire() async -> Bool {
        let ticket = state.withLock { state in
            state.last += 1
            return state.last
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let answer = state.withLock { state -> Bool? in
                    if Task.isCancelled { return false }
                    guard state.free == 0 else {
                        state.free -= 1
                        return true
                    }
                    state.waiting.append((ticket, waiter))
                    return nil
                }
                if let answer { waiter.resume(returning: answer) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiting.firstIndex { $0.ticket == ticket }.map { state.waiting.remove(at: $0).waiter }
            }
            waiter?.resume(returning: false)
        }
    }

    private func release() {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard !state.waiting.isEmpty else {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst().waiter
        }
        next?.resume(returning: true)
    }
}
