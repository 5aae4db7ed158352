import Foundation
import GRDB
import GRDBSQLite
import Synchronization

/// Checkpoints the write-ahead log, mostly on another connection, so that it stays short without delaying the writer.
///
/// A checkpoint copies pages and flushes the database: tens of milliseconds that nobody who waits for a commit should
/// pay. So another connection does it once the log has `backgroundBytes`; what came in the meantime is little, and the
/// writer copies that itself (`finish`), after which SQLite starts the log again. When the log nevertheless reaches
/// `urgentBytes` the writer does not wait for the other.
struct Checkpoints {
    /// 16 MiB of log: hot pages are copied once for many changes, and after a crash the log is read in a few tens of
    /// milliseconds.
    static let backgroundBytes = 16 * 1024 * 1024
    static let urgentBytes = 4 * backgroundBytes
    /// The file keeps its size when the log starts again: growing it again would cost a second flush at every commit.
    static let keptLogBytes = 64 * 1024 * 1024

    private enum Stage: Int {
        case idle, running, ran
    }

    private let other: DatabaseQueue
    private let log: LogLength
    private let backgroundFrames: Int
    private let urgentFrames: Int
    private let stage: Shared
    private let failed: @Sendable (CheckpointFailure) -> Void

    /// Counts the log's frames through SQLite's hook. - Precondition: on the writer's connection, after automatic
    /// checkpoints were turned off.
    /// - Parameter failed: called when a checkpoint fails, on either connection.
    init(other: DatabaseQueue, writer db: Database, failed: @escaping @Sendable (CheckpointFailure) -> Void) throws {
        self.other = other
        self.failed = failed
        let pageBytes = try Int.fetchOne(db, sql: "PRAGMA page_size") ?? Schema.pageBytes
        (backgroundFrames, urgentFrames) = (Self.backgroundBytes / pageBytes, Self.urgentBytes / pageBytes)
        log = LogLength()
        stage = Shared()
        sqlite3_wal_hook(
            db.sqliteConnection,
            { counter, _, _, frames in
                counter!.assumingMemoryBound(to: CInt.self).pointee = frames
                return SQLITE_OK
            }, log.frames)
    }

    /// Whether the log is long enough for something to be done. Costs a look at a number.
    var isDue: Bool { log.frames.pointee >= backgroundFrames }

    /// Called by the writer when it is due, after a commit was answered, outside of a transaction.
    func advance(_ db: Database) {
        let frames = Int(log.frames.pointee)
        switch stage.value {
        case .idle where frames < urgentFrames: start()
        case .running where frames < urgentFrames: break
        default: finish(db)
        }
    }

    /// The writer's part. SQLite says afterwards how long the log is; when all of it was copied the next commit starts
    /// it again from the beginning.
    private func finish(_ db: Database) {
        do { _ = try db.checkpoint(.passive) } catch { return failed(CheckpointFailure(error, of: db)) }
        if stage.value == .ran { stage.set(.idle) }
        log.frames.pointee = 0
    }

    /// Copies the log now, so that the next commit reuses its space instead of new space.
    /// - Returns: whether all of it was copied.
    func shorten(_ db: Database) -> Bool {
        do {
            let result = try db.checkpoint(.passive)
            return result.walFrameCount == result.checkpointedFrameCount
        } catch {
            failed(CheckpointFailure(error, of: db))
            return false
        }
    }

    /// Copies the whole log and empties its file, so that nothing of what was deleted is in it. Tries for some seconds.
    /// - Returns: `false` if readers or another process prevented it.
    static func truncate(_ db: Database) -> Result<Bool, CheckpointFailure> {
        for _ in 1..<truncateTries {
            let result = tryToTruncate(db)
            guard case .success(false) = result else { return result }
            usleep(retryMicroseconds)
        }
        return tryToTruncate(db)
    }

    private static func tryToTruncate(_ db: Database) -> Result<Bool, CheckpointFailure> {
        do {
            // First the pages that no reader blocks, so that the blocking part is short.
            _ = try db.checkpoint(.passive)
            sqlite3_busy_timeout(db.sqliteConnection, truncateWaitMs)
            defer { sqlite3_busy_timeout(db.sqliteConnection, ordinaryWaitMs) }
            let result = try db.checkpoint(.truncate)
            return .success(result.walFrameCount <= 0)
        } catch let error as DatabaseError where error.resultCode.primaryResultCode == .SQLITE_BUSY {
            return .success(false)
        } catch {
            return .failure(CheckpointFailure(error, of: db))
        }
    }

    /// How long the writer may be kept from writing while readers end.
    private static let truncateWaitMs: CInt = 250
    private static let ordinaryWaitMs: CInt = 5_000
    private static let truncateTries = 40
    static let retryMicroseconds: UInt32 = 50_000

    private func start() {
        stage.set(.running)
        other.asyncWriteWithoutTransaction { [stage, failed] db in
            do { _ = try db.checkpoint(.passive) } catch { failed(CheckpointFailure(error, of: db)) }
            stage.set(.ran)
        }
    }

    private final class Shared: Sendable {
        private let stage = Atomic(Stage.idle.rawValue)
        var value: Stage { Stage(rawValue: stage.load(ordering: .acquiring)) ?? .idle }
        func set(_ new: Stage) { stage.store(new.rawValue, ordering: .releasing) }
    }

    /// Where SQLite's hook writes. Lives as long as the writer.
    private final class LogLength {
        let frames = UnsafeMutablePointer<CInt>.allocate(capacity: 1)
        init() { frames.initialize(to: 0) }
        deinit { frames.deallocate() }
    }
}

/// Why a checkpoint failed, and what that affects.
struct CheckpointFailure: Error {
    let error: any Error
    let grade: FailureGrade

    init(_ error: any Error, of db: Database) {
        (self.error, grade) = (error, FailureGrade(error, of: db))
    }
}
