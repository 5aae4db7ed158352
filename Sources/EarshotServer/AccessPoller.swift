import EarshotCore
import EarshotModel
import Logging
import ServiceLifecycle

/// Checks for what commands changed about who may sign in or write: suspended brands, ended sessions, blocked
/// consumers, new keys; and about the origins whose pages may open sockets. Watches the clock too.
///
/// Those who are shut out must be disconnected within a second, so it checks more often than for settings. A check
/// reads only a few rows of an index.
struct AccessPoller: Service {
    static let interval = Duration.milliseconds(250)

    let identity: IdentityService
    let keys: KeyFile
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var isClockRight = true
            while !Task.isCancelled {
                do { try await refresh() } catch {
                    logger.warning(
                        "Reading who is shut out failed. It will be retried.", metadata: ["error": "\(error)"])
                }
                isClockRight = reportClock(wasRight: isClockRight)
                try? await Task.sleep(for: Self.interval)
            }
        }
    }

    private func refresh() async throws {
        try await identity.clock.refresh()
        try await identity.refreshSuspensions()
        try await identity.refreshAllowedOrigins()
        try await identity.sessions.refresh()
        if let ring = try keys.changed() { identity.replaceKeys(with: ring) }
    }

    /// - Returns: whether the clock is right now.
    private func reportClock(wasRight: Bool) -> Bool {
        let lastRight = identity.clock.lastRightTime
        if let lastRight, wasRight {
            logger.error(
                """
                The clock is wrong, so consumers get no tokens. Set it right; if it is right, run: \
                earshot retention confirm-clock
                """, metadata: ["lastRight": "\(lastRight.milliseconds)"])
        } else if lastRight == nil, !wasRight {
            logger.notice("The clock is right again. Consumers get tokens.")
        }
        return lastRight == nil
    }
}
