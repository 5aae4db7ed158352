public import EarshotModel
import Synchronization

/// How many bytes of recordings a server takes and keeps. An operator may change each.
public struct UploadLimits: Hashable, Sendable {
    /// Bytes per day from one network address (IPv4), or from one network (IPv6 /64).
    public var addressBytesPerDay = 2 << 30
    /// Bytes per day from one app's consumers.
    public var appBytesPerDay = 20 << 30
    /// Bytes per day for one brand.
    public var accountBytesPerDay = 50 << 30
    /// Bytes of finished recordings that one brand may have.
    public var accountBytes = 1 << 40

    /// The default limits.
    public init() {}
}

/// Counts the bytes of recordings that arrive, by network address, app and brand, and refuses those over a daily limit.
///
/// Each count drains evenly, so that a full one is empty after a day. The counts are in memory: a restart forgets them.
public final class UploadQuota: Sendable {
    private enum Name: Hashable {
        case address(String)
        case app(AccountID, AppID)
        case account(AccountID)
    }

    private struct Memory {
        var counts: [Name: DailyBytes] = [:]
        var purged: Timestamp?
    }

    private let limits: UploadLimits
    private let capacity: Int
    private let memory = Mutex(Memory())
    private static let purgeIntervalMs: Int64 = 60_000

    /// Creates a quota.
    /// - Parameter capacity: how many names are remembered. While that many have sent something that has not drained,
    ///   new addresses are refused.
    public init(_ limits: UploadLimits, capacity: Int = 100_000) {
        self.limits = limits
        self.capacity = capacity
    }

    /// Counts `bytes`, or counts nothing and throws `rate_limited` with the seconds to wait.
    public func take(_ bytes: Int, from source: UploadSource, at now: Timestamp) throws(Rejection) {
        let names = names(of: source)
        let refusal = memory.withLock { memory -> Rejection? in
            purge(&memory, at: now)
            for (name, limit) in names {
                if memory.counts[name] == nil, memory.counts.count >= capacity, case .address = name {
                    return Self.refusal(limit, waitMs: Self.purgeIntervalMs)
                }
                let wait = memory.counts[name, default: DailyBytes()].wait(toTake: bytes, of: limit, at: now)
                if let wait { return Self.refusal(limit, waitMs: wait) }
            }
            for (name, _) in names { memory.counts[name]?.add(bytes) }
            return nil
        }
        if let refusal { throw refusal }
    }

    /// - Throws: `storage_full` for a brand that has `stored` bytes and may have no more.
    public func checkStored(_ stored: Int) throws(Rejection) {
        guard stored < limits.accountBytes else {
            throw Rejection(
                .storageFull, "This brand has no room left for recordings. Send a text instead.",
                limit: limits.accountBytes, retryAfter: 3600)
        }
    }

    /// How many names are remembered.
    var count: Int { memory.withLock { $0.counts.count } }

    private func names(of source: UploadSource) -> [(Name, Int)] {
        var names: [(Name, Int)] = []
        if let address = source.address { names.append((.address(address), limits.addressBytesPerDay)) }
        if let app = source.app { names.append((.app(source.account, app), limits.appBytesPerDay)) }
        names.append((.account(source.account), limits.accountBytesPerDay))
        return names
    }

    /// Removes drained counts when there are many, at most once a minute.
    private func purge(_ memory: inout Memory, at now: Timestamp) {
        guard memory.counts.count >= min(capacity, 1_000) else { return }
        if let purged = memory.purged, purged <= now, now < purged.adding(milliseconds: Self.purgeIntervalMs) { return }
        memory.purged = now
        memory.counts = memory.counts.filter { name, count in
            switch name {
            case .address: !count.isEmpty(at: now, limits.addressBytesPerDay)
            case .app: !count.isEmpty(at: now, limits.appBytesPerDay)
            case .account: !count.isEmpty(at: now, limits.accountBytesPerDay)
            }
        }
    }

    private static func refusal(_ limit: Int, waitMs: Int64) -> Rejection {
        Rejection(
            .rateLimited, "Too many recordings arrived from here today. Try again later, or send a text.",
            limit: limit, retryAfter: Int((waitMs + 999) / 1000))
    }
}

/// Bytes that drain evenly, as many as the limit in a day.
private struct DailyBytes {
    private var level = 0.0
    private var last: Timestamp?
    private static let dayMs = 86_400_000.0

    /// - Returns: `nil` if there is room for `bytes`, otherwise the milliseconds until there will be.
    mutating func wait(toTake bytes: Int, of limit: Int, at now: Timestamp) -> Int64? {
        level = current(at: now, limit)
        // A clock that was set back must not refuse anyone until it catches up.
        last = now
        let over = level + Double(bytes) - Double(limit)
        return over > 0 ? Int64((over * Self.dayMs / Double(limit)).rounded(.up)) : nil
    }

    mutating func add(_ bytes: Int) {
        level += Double(bytes)
    }

    func isEmpty(at now: Timestamp, _ limit: Int) -> Bool {
        current(at: now, limit) == 0
    }

    private func current(at now: Timestamp, _ limit: Int) -> Double {
        let passed = last.map { max(0, now.milliseconds - $0.milliseconds) } ?? 0
        return max(0, level - Double(passed) * Double(limit) / Self.dayMs)
    }
}
