import EarshotModel
import Synchronization

/// Bounds what refused ID tokens add to the audit log, which nothing may shorten: anyone can have one refused.
final class RefusedSignIns: Sendable {
    /// How many network addresses have an entry of their own, for each brand, reason and hour.
    static let entriesPerHour = 20
    private static let hourMs: Int64 = 3600 * 1000

    private struct Subject: Hashable {
        let account: AccountID
        let failure: IDTokenFailure
    }

    private struct Hour {
        var number: Int64 = 0
        var addresses: [Subject: Set<String>] = [:]
    }

    private let hour = Mutex(Hour())
    /// The refusals that have no entry of their own.
    let unrecorded = LabelledCounter<IDTokenFailure>(
        "earshot_id_tokens_refused_unrecorded_total",
        "Refused ID tokens that the audit log has no entry of their own for, by reason.", by: "reason")

    /// The entry for a refusal. An entry with the same `once` is written only once.
    func entry(_ failure: IDTokenFailure, of account: AccountID, from address: String, at now: Timestamp) -> AuditEntry
    {
        let number = now.milliseconds / Self.hourMs
        let hasOwn = hour.withLock { hour in
            if hour.number != number { hour = Hour(number: number) }
            let subject = Subject(account: account, failure: failure)
            let known = hour.addresses[subject, default: []]
            guard known.count < Self.entriesPerHour || known.contains(address) else { return false }
            hour.addresses[subject, default: []].insert(address)
            return true
        }
        if !hasOwn { unrecorded.increment(failure) }
        return AuditEntry(
            account: account, at: now, by: AuditEntry.earshot, what: .consumerSignInFailed,
            detail: hasOwn ? failure.rawValue : "\(failure.rawValue), and others", address: hasOwn ? address : nil,
            once: "\(failure.rawValue) \(hasOwn ? address : "others") \(number)")
    }
}

extension IDTokenFailure: MetricLabel {}
