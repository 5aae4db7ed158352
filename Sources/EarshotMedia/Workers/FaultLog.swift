import Logging

/// Logs what goes wrong with media workers, a few lines a minute: anyone can upload recordings that crash a decoder.
final class FaultLog: Sendable {
    private struct State {
        var began: ContinuousClock.Instant?
        var written = 0
        var suppressed = 0
    }

    private let logger: Logger
    private let state = Locked(State())
    private static let interval = Duration.seconds(60)
    /// How many lines there are in an interval.
    static let maxLines = 10

    init(_ logger: Logger) {
        self.logger = logger
    }

    /// Logs a line, or counts it; the first line of the next interval says how many were counted.
    func warn(_ message: Logger.Message, reason: String, at now: ContinuousClock.Instant = .now) {
        let suppressed = state.update { state -> Int? in
            var counted = 0
            if state.began.map({ now - $0 >= Self.interval }) ?? true {
                counted = state.suppressed
                state = State(began: now)
            }
            guard state.written < Self.maxLines else {
                state.suppressed += 1
                return nil
            }
            state.written += 1
            return counted
        }
        guard let suppressed else { return }
        var metadata: Logger.Metadata = ["reason": "\(reason)"]
        if suppressed > 0 { metadata["suppressedBefore"] = "\(suppressed)" }
        logger.warning(message, metadata: metadata)
    }
}
