import EarshotCore
import EarshotModel
import Glibc
import Logging

/// How much of the volume uploads leave free, for the database and everything else on it.
public struct SpaceReserve: Hashable, Sendable {
    /// A number of bytes.
    public var bytes: Int
    /// A part of the volume, in per cent. The larger of the two counts.
    public var percent: Int

    /// A reserve of at least 1 GiB and 5 % of the volume.
    public init(bytes: Int = 1 << 30, percent: Int = 5) {
        self.bytes = bytes
        self.percent = percent
    }
}

/// Refuses uploads while the volume of the recordings has less free space than the reserve. Recordings are the only
/// thing that a visitor can make large: refusing them early keeps room for texts.
final class FreeSpace: Sendable {
    private struct State {
        var measured: ContinuousClock.Instant?
        /// How many bytes uploads may still take until the next measurement.
        var room = 0
        var isShort = false

        mutating func take(_ bytes: Int, at now: ContinuousClock.Instant) -> Bool {
            guard let measured, now - measured < FreeSpace.freshness, bytes <= room else { return false }
            room -= bytes
            return true
        }
    }

    private let path: String
    private let reserve: SpaceReserve
    private let logger: Logger
    private let state = Locked(State())
    /// How long a measurement counts.
    private static let freshness = Duration.seconds(1)
    private let refusals = RepeatedLog(every: .seconds(60))

    /// Watches the volume that holds `path`.
    init(of path: String, reserve: SpaceReserve, logger: Logger) {
        self.path = path
        self.reserve = reserve
        self.logger = logger
    }

    /// Throws `storage_full` if `bytes` more bytes would leave too little space free. Blocks.
    ///
    /// What was claimed since the last measurement counts as written, so that fast uploads cannot fill the volume
    /// between two measurements.
    func claim(_ bytes: Int) throws {
        let now = ContinuousClock.now
        if try state.update({ $0.take(bytes, at: now) }) || measure(at: now, taking: bytes) { return }
        refusals.log(
            .error, "Recordings are refused: too little space is free on their volume. Texts still work.", to: logger,
            metadata: [
                "folder": "\(path)", "reserveBytes": "\(reserve.bytes)", "reservePercent": "\(reserve.percent)",
            ])
        throw Rejection.storageFull
    }

    /// How many bytes of a folder's volume are free for this program. Blocks.
    static func free(_ path: String) throws -> Int {
        try volume(path).free
    }

    private static func volume(_ path: String) throws -> (size: Int, free: Int) {
        var volume = statvfs()
        try OpenFile.check(statvfs(path, &volume), "measure the free space")
        let block = Int(volume.f_frsize)
        return (Int(volume.f_blocks) * block, Int(volume.f_bavail) * block)
    }

    private func measure(at now: ContinuousClock.Instant, taking bytes: Int) throws -> Bool {
        let volume = try Self.volume(path)
        // Some network file systems do not say how large they are.
        let room = volume.size > 0 ? volume.free - max(reserve.bytes, volume.size / 100 * reserve.percent) : .max
        let (wasShort, isTaken) = state.update { state in
            let wasShort = state.isShort
            (state.measured, state.room) = (now, room)
            let isTaken = state.take(bytes, at: now)
            state.isShort = !isTaken
            return (wasShort, isTaken)
        }
        if wasShort, isTaken { logger.notice("There is room for recordings again.") }
        return isTaken
    }
}
