import Dispatch
import Foundation

/// Fails what has waited for the disk too long, four times a second, on a thread of its own: a disk that hangs occupies
/// every other.
final class DeadlineWatch: Sendable {
    static let interval = DispatchTimeInterval.milliseconds(250)

    private let stop = DispatchSemaphore(value: 0)

    /// - Parameter check: called with the time, until `close`.
    init(_ check: @escaping @Sendable (UInt64) -> Void) {
        let thread = Thread { [stop] in
            while stop.wait(timeout: .now() + Self.interval) == .timedOut { check(monotonicNanoseconds()) }
        }
        thread.name = "earshot-deadlines"
        thread.start()
    }

    func close() {
        stop.signal()
    }
}
