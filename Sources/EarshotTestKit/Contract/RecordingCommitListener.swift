public import EarshotCore
import Synchronization

/// Hears every commit, and lets a test wait for one.
public final class RecordingCommitListener: CommitListener {
    private struct PlaybackProgress {
        var notifications: [CommitNotification] = []
        var waiting:
            [(isDone: @Sendable ([CommitNotification]) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let played = Mutex(PlaybackProgress())
    private let onCommit: @Sendable ([CommitNotification]) -> Void

    /// Creates a listener that also calls `onCommit` for every commit.
    public init(onCommit: @escaping @Sendable ([CommitNotification]) -> Void = { _ in }) {
        self.onCommit = onCommit
    }

    /// All notifications so far.
    public var notifications: [CommitNotification] { played.withLock { $0.notifications } }

    /// Records the notifications of a commit.
    public func committed(_ notifications: [CommitNotification]) {
        onCommit(notifications)
        let done = played.withLock { played in
            played.notifications += notifications
            let all = played.notifications
            defer { played.waiting.removeAll { $0.isDone(all) } }
            return played.waiting.filter { $0.isDone(all) }.map(\.continuation)
        }
        done.forEach { $0.resume() }
    }

    /// Returns once what was played so far satisfies this.
    public func wait(until isDone: @escaping @Sendable ([CommitNotification]) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isAlready = played.withLock { played in
                if isDone(played.notifications) { return true }
                played.waiting.append((isDone, continuation))
                return false
            }
            if isAlready { continuation.resume() }
        }
    }
}
