import Synchronization

/// A value behind a lock, for values that several tasks read and change.
final class Locked<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    init(_ value: Value) {
        mutex = Mutex(value)
    }

    /// A copy of the current value.
    var value: Value { mutex.withLock { $0 } }

    /// Changes the value while holding the lock.
    @discardableResult
    func update<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        mutex.withLock { body(&$0) }
    }
}
