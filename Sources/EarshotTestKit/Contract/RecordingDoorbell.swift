public import EarshotCore
import Synchronization

/// Hears every commit, and lets a test wait for one.
public final class RecordingDoorbell: Doorbell {
    private struct Heard {
        var rings: [Ring] = []
        var waiting: [(isDone: @Sendable ([Ring]) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let heard = Mutex(Heard())
    private let onRing: @Sendable ([Ring]) -> Void

    public init(onRing: @escaping @Sendable ([Ring]) -> Void = { _ in }) {
        self.onRing = onRing
    }

    public var rings: [Ring] { heard.withLock { $0.rings } }

    public func ring(_ rings: [Ring]) {
        onRing(rings)
        let done = heard.withLock { heard in
            heard.rings += rings
            let all = heard.rings
            defer { heard.waiting.removeAll { $0.isDone(all) } }
            return heard.waiting.filter { $0.isDone(all) }.map(\.continuation)
        }
        done.forEach { $0.resume() }
    }

    /// Returns once what was heard so far satisfies this.
    public func wait(until isDone: @escaping @Sendable ([Ring]) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isAlready = heard.withLock { heard in
                if isDone(heard.rings) { return true }
                heard.waiting.append((isDone, continuation))
                return false
            }
            if isAlready { continuation.resume() }
        }
    }
}
