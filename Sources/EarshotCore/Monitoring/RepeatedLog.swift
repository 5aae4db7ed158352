public import Logging
import Synchronization

/// Logs one line that may occur very often: at once when it first occurs, then at most once per interval, with how
/// often it occurred since it was last logged.
///
/// Keep one for each line, as a property of what logs it. A fault that repeats a thousand times a second then costs one
/// line every ten seconds, and the log of everything else stays readable.
public final class RepeatedLog: Sendable {
    private struct State {
        var lastLogged: ContinuousClock.Instant?
        var occurrences = 0
    }

    private let interval: Duration
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state = Mutex(State())

    /// Creates the limit of one line.
    /// - Parameter now: the monotonic time. Tests pass their own.
    public init(
        every interval: Duration = .seconds(10),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
    ) {
        self.interval = interval
        self.now = now
    }

    /// Logs the line, or only counts it. The metadata is made only if the line is logged; `occurrences` is added to it
    /// if there was more than one.
    public func log(
        _ level: Logger.Level, _ message: @autoclosure () -> Logger.Message, to logger: Logger,
        metadata: @autoclosure () -> Logger.Metadata = [:]
    ) {
        guard let occurrences = count() else { return }
        var metadata = metadata()
        if occurrences > 1 { metadata["occurrences"] = "\(occurrences)" }
        logger.log(level: level, message(), metadata: metadata)
    }

    /// Counts an occurrence. - Returns: how many there were since the last line; `nil` if it is too early for another.
    private func count() -> Int? {
        let now = now()
        return state.withLock { state in
            state.occurrences += 1
            if let last = state.lastLogged, now < last + interval { return nil }
            defer { state = State(lastLogged: now, occurrences: 0) }
            return state.occurrences
        }
    }
}
