import EarshotCore
import EarshotStorage
import Foundation
import Logging
import ServiceLifecycle

/// Watches the database's disk: reports to the readiness what stands in the way of storing, reserves disk space again,
/// and ends the server when the disk failed. The write that meets a failure reports it, so that a client
/// that is refused finds the server not ready; what no write meets (a disk that hangs) is looked for.
///
/// After a failed flush nothing that this process wrote can be trusted to be on disk, so it ends and the supervisor
/// starts it again, which reads the log back from the disk. Reads go on until then.
struct StorageWatch: Service {
    static let interval = Duration.milliseconds(200)
    /// How long the server goes on after a failure, so that clients, proxies and the monitoring learn of it.
    static let notice = Duration.seconds(2)
    /// A request that has waited so long for the disk means that the disk is slow.
    static let slowness = Duration.seconds(2)
    /// How often it tries to reserve space again, in checks.
    private static let checksPerRestore = 5

    let store: SQLiteStore
    let readiness: Readiness
    let path: String
    let logger: Logger

    func run() async throws {
        store.health.connect { report(store.health.condition) }
        try await cancelWhenGracefulShutdown {
            var checks = 0
            var known = 0
            while !Task.isCancelled {
                let condition = store.health.condition
                report(condition)
                for row in condition.damaged.dropFirst(known) { logger.error("\(Self.damage)", metadata: row.metadata) }
                known = condition.damaged.count
                if let failure = condition.failure { throw try await ended(by: failure) }
                checks += 1
                if checks.isMultiple(of: Self.checksPerRestore), condition.isLow || condition.isFull { restore() }
                try? await Task.sleep(for: Self.interval)
            }
        }
    }

    private func report(_ condition: StorageCondition) {
        if condition.failure != nil { readiness.report(.storageFailed) }
        change(.diskFull, condition.isFull, "The disk is full. Changes are refused until there is space.")
        change(.diskLow, condition.isLow, "The disk has little space. The space reserved for texts is in use.")
        readiness.set(.damagedRows, !condition.damaged.isEmpty)
        change(.storageSlow, condition.waiting > Self.slowness, "The disk does not answer. Requests fail at 5 s.")
    }

    private static let damage =
        "A row of the database cannot be read. What needs it is refused; everything else works. Restore a backup."

    private func change(_ reason: Readiness.Reason, _ holds: Bool, _ meaning: Logger.Message) {
        guard readiness.set(reason, holds) else { return }
        if holds {
            logger.error(meaning, metadata: ["database": "\(path)"])
        } else {
            logger.notice("The problem is over.", metadata: ["problem": "\(reason.rawValue)"])
        }
    }

    private func ended(by failure: AdapterFailure) async throws -> ServerFailure {
        logger.critical(
            "Storing failed. The server ends and has to be started again.",
            metadata: ["database": "\(path)", "what": "\(failure.what)"])
        try? await Task.sleep(for: Self.notice)
        return ServerFailure(
            .diskFailed,
            "The disk of \(path) failed (\(failure.what)). What was acknowledged is stored. Check the disk, then start "
                + "Earshot again.")
    }

    /// On a thread of its own, because the disk may hang.
    private func restore() {
        let store = store
        DispatchQueue.global(qos: .utility).async { store.health.restoreReserve() }
    }
}

extension DamagedRow {
    fileprivate var metadata: Logger.Metadata { ["table": "\(table)", "row": "\(id)"] }
}
