public import EarshotModel
import Synchronization

/// Knows whether the server's clock is wrong: it jumped by more than a day while the server ran, or it shows a time
/// that is more than a day before one that the server noted earlier. An operator who confirms the clock ends that, and
/// so does a clock that is right again.
///
/// While the clock is wrong the server issues no tokens to consumers, because they would be valid at the wrong time,
/// and ends none, because their owners would throw them away.
public final class ServerClock: Sendable {
    private let records: any RetentionRecords
    private let environment: SystemEnvironment
    /// The last time at which the clock was right; `nil` before the first look.
    private let right = Mutex<Timestamp?>(nil)

    /// Creates the watch.
    /// - Parameter records: where the time is noted that a restart compares with.
    public init(records: any RetentionRecords, environment: SystemEnvironment) {
        self.records = records
        self.environment = environment
    }

    /// The last time at which the clock was right; `nil` while it is right now. Asking notes a right time, so that a
    /// clock that is set forward step by step is followed by every request.
    public var lastRightTime: Timestamp? {
        let now = environment.now()
        return right.withLock { last in
            guard let known = last else { return nil }
            guard !RetentionService.isJump(from: known, to: now) else { return known }
            last = now
            return nil
        }
    }

    /// Looks at the clock. The server does so several times a second.
    public func refresh() async throws {
        let now = environment.now()
        if let last = right.withLock({ $0 }) {
            guard RetentionService.isJump(from: last, to: now) else { return right.withLock { $0 = now } }
            // A confirmation is a time that was noted.
            guard let known = try await records.lastKnownTime(), !RetentionService.isJump(from: known, to: now) else {
                return
            }
            right.withLock { $0 = now }
        } else {
            // A server that was off for days cannot tell; one that goes back in time can.
            let known = try await records.lastKnownTime() ?? now
            let isBehind = known > now && RetentionService.isJump(from: known, to: now)
            right.withLock { $0 = isBehind ? known : now }
        }
    }
}
