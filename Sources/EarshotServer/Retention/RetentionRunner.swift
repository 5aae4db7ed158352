import EarshotCore
import EarshotModel
import Logging
import ServiceLifecycle

/// Erases consumers within a second of the request, and removes conversations that are due every ten minutes.
struct RetentionRunner: Service {
    static let interval = Duration.seconds(1)
    /// After an error it waits longer.
    static let pause = Duration.seconds(30)
    static let dueInterval = Duration.seconds(600)

    let retention: RetentionService
    let installation: any InstallationStore
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var nextDue = ContinuousClock.now
            var last = RetentionService.Outcome.done
            while !Task.isCancelled {
                do {
                    try await retention.removeRequested()
                    if ContinuousClock.now >= nextDue {
                        nextDue = ContinuousClock.now + Self.dueInterval
                        let outcome = try await retention.removeDue(of: installation.accounts().map(\.id))
                        if outcome != last { report(outcome) }
                        last = outcome
                    }
                } catch is CancellationError {
                    return
                } catch {
                    logger.warning(
                        "Removing conversations failed. It will be retried.", metadata: ["error": "\(error)"])
                    try? await Task.sleep(for: Self.pause)
                }
                try? await Task.sleep(for: Self.interval)
            }
        }
    }

    private func report(_ outcome: RetentionService.Outcome) {
        switch outcome {
        case .done: logger.info("Retention goes on.")
        case .clockJumped(let known):
            logger.warning(
                "Retention waits because the clock jumped. If it is right, run: earshot retention confirm-clock",
                metadata: ["lastKnown": "\(known.milliseconds)"])
        }
    }
}
