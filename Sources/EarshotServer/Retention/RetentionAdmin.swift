import EarshotCore
import EarshotDomain
import EarshotMedia
import EarshotModel
import EarshotStorage
import Foundation

/// Performs the operator's commands about retention and erasure.
public struct RetentionAdmin: Sendable {
    /// An argument that cannot be used, with the reason.
    public typealias InvalidInput = AdminService.InvalidInput

    private let admin: AdminService
    private let retention: any RetentionStore
    private let signatures: DocumentVerifier
    private var environment: SystemEnvironment { admin.environment }

    private let consumers: any ConsumerStore
    private let lookup: ConsumerLookup
    private let originals: RecordingOriginals

    init(_ admin: AdminService, _ store: SQLiteStore, signatures: DocumentVerifier, originals: RecordingOriginals) {
        (self.admin, retention, consumers) = (admin, store.retention, store.accounts)
        lookup = ConsumerLookup(consumers: store.accounts, identities: store.identities)
        (self.signatures, self.originals) = (signatures, originals)
    }

    /// How long a brand keeps closed conversations, what is due, and its legal holds, as lines for people.
    public func retentionLines(of brand: String) async throws -> [String] {
        let brand = try await admin.known(brand)
        let days = try await retention.retentionDays(of: brand)
        let kept = days ?? RetentionPeriod.defaultDays
        let limit = environment.now().adding(milliseconds: -Int64(kept) * 24 * 3600 * 1000)
        let due = try await retention.dueCounts(of: brand, before: limit)
        var lines = [
            "Closed conversations are kept for \(kept) days after their last event"
                + (days == nil ? " (default)." : "."),
            "Due now: \(due.summary)",
        ]
        if let time = try await retention.lastKnownTime(),
            RetentionService.isJump(from: time, to: environment.now())
        {
            lines.append(
                "Nothing is removed: the clock differs from the last known time (\(time.day)) by more than a day. If "
                    + "the clock is right, run: earshot retention confirm-clock")
        }
        for hold in try await retention.holds(of: brand) {
            lines.append("Held since \(hold.at.day) by \(hold.by): \(hold.conversation) (\(hold.reason))")
        }
        return lines
    }

    /// Sets for how many days a brand keeps closed conversations.
    /// - Throws: `InvalidInput`.
    public func setRetention(days: Int, of brand: String) async throws {
        let brand = try await admin.known(brand)
        guard RetentionPeriod.allowedDays.contains(days) else {
            throw InvalidInput(
                description: "The days must be \(RetentionPeriod.allowedDays.lowerBound) to "
                    + "\(RetentionPeriod.allowedDays.upperBound), not \(days).")
        }
        try await retention.save(
            retentionDays: days, of: brand, audit: admin.entry(.retentionChanged, in: brand, "days=\(days)"))
    }

    /// Places a legal hold on a conversation.
    /// - Throws: `InvalidInput`.
    public func hold(conversation: String, brand: String, reason: String) async throws {
        let identity = try await admin.found(conversation, in: brand)
        let reason = try checked(reason: reason)
        try await retention.place(
            LegalHold(
                conversation: identity.id, account: identity.account, by: AuditEntry.operator_, reason: reason,
                at: environment.now()), audit: entry(.holdPlaced, of: identity.id, in: identity.account, reason))
    }

    /// Lifts the legal hold of a conversation.
    /// - Throws: `InvalidInput` if it has none.
    public func liftHold(of conversation: String, brand: String) async throws {
        let brand = try await admin.known(brand)
        guard let hold = try await retention.holds(of: brand).first(where: { $0.conversation.rawValue == conversation })
        else { throw InvalidInput(description: "\(brand) holds no conversation \(conversation).") }
        try await retention.liftHold(
            hold.conversation, audit: entry(.holdLifted, of: hold.conversation, in: brand, nil))
    }

    /// Confirms that the clock is right.
    public func confirmClock() async throws {
        try await retention.note(time: environment.now())
        for brand in try await admin.installation.accounts() {
            try await admin.accounts.record(admin.entry(.clockConfirmed, in: brand.id))
        }
    }

    /// Whom a command concerns.
    public enum Person: Sendable {
        /// The consumer of a conversation, by its id.
        case conversation(String)
        /// A consumer, by the id.
        case consumer(String)
        /// All consumers of a person, by the claims `iss` and `sub` of the person's ID tokens.
        case subject(issuer: String, subject: String)
    }

    /// Asks for the erasure of a person's consumers with their conversations, and waits for it if a server runs.
    /// - Returns: a receipt for each; `nil` where the server will erase when it starts.
    /// - Throws: `InvalidInput`.
    public func erase(_ person: Person, brand: String, reason: String) async throws -> [String]? {
        let found = try await found(person, in: brand)
        let reason = try checked(reason: reason)
        let account = found[0].account
        let held = Set(try await retention.holds(of: account).map(\.conversation))
        if let first = found.first(where: { held.contains($0.id) }) {
            throw InvalidInput(
                description: "\(first.id) is under a legal hold. See: earshot retention show --brand \(brand)")
        }
        let began = environment.now()
        for identity in found {
            try await retention.request(
                ErasureRequest(identity, by: AuditEntry.operator_, reason: reason, at: began),
                audit: entry(.erasureRequested, of: identity.id, in: account, reason))
        }
        guard admin.hasServer else { return nil }
        let deadline = ContinuousClock.now + Self.erasureWait
        while ContinuousClock.now < deadline {
            let receipts = try await retention.receipts(of: account, limit: 20 + found.count)
            let new = receipts.filter { $0.receipt.kind == .erasure && $0.receipt.begun >= began }
            if new.count >= found.count, try await areGone(found) { return new.suffix(found.count).map(Self.line) }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw InvalidInput(
            description: "The server has not finished yet. The receipt will be in: earshot retention receipts")
    }

    private func areGone(_ found: [ConversationIdentity]) async throws -> Bool {
        for one in found {
            if try await consumers.consumer(one.consumer) != nil { return false }
            if try await admin.conversations.identity(of: one.id) != nil { return false }
        }
        return true
    }

    /// The conversations of a person, at least one. They may not have begun.
    private func found(_ person: Person, in brand: String) async throws -> [ConversationIdentity] {
        let selection: ConsumerSelection
        switch person {
        case .conversation(let id): return [try await admin.found(id, in: brand)]
        case .consumer(let id): selection = .consumer(ConsumerID(trusted: id))
        case .subject(let issuer, let subject): selection = .subject(.init(issuer: issuer, subject: subject))
        }
        let found = try await lookup.consumers(selection, of: admin.known(brand)).map(\.identity)
        guard !found.isEmpty else { throw InvalidInput(description: "\(brand) has no such consumer.") }
        return found
    }

    /// Writes everything about a consumer into a ZIP archive.
    /// - Parameter path: the archive; it must not exist.
    /// - Returns: what was written, for people.
    /// - Throws: `InvalidInput`.
    public func export(_ person: Person, brand: String, to path: String) async throws -> String {
        let found = try await found(person, in: brand)
        guard found.count == 1 else {
            throw InvalidInput(
                description: "This person has \(found.count) consumers. Export each with --consumer: "
                    + found.map(\.consumer.rawValue).joined(separator: ", "))
        }
        let identity = found[0]
        guard !FileManager.default.fileExists(atPath: path) else {
            throw InvalidInput(description: "\(path) exists already. Choose another name.")
        }
        let export = ConsumerExport(conversations: admin.conversations, retention: retention, originals: originals)
        // The entry comes first: no archive exists without it.
        try await admin.accounts.record(entry(.consumerExported, of: identity.id, in: identity.account, nil))
        let counts = try await export.write(
            identity, consumer: consumers.consumer(identity.consumer), to: path, at: environment.now())
        let missing = counts.missing == 0 ? "" : ", recordings whose files are missing: \(counts.missing)"
        return "events: \(counts.events), recordings: \(counts.recordings)\(missing)"
    }

    private static let erasureWait = Duration.seconds(60)

    /// A brand's receipts, newest first: the signed JSON, the signature, and whether it is valid, divided by tabs.
    public func receiptLines(of brand: String) async throws -> (lines: [String], areValid: Bool) {
        var (lines, areValid) = ([String](), true)
        for receipt in try await retention.receipts(of: admin.known(brand), limit: 10_000) {
            let isValid = signatures.isValid(receipt.signature, of: receipt.payload)
            areValid = areValid && isValid
            lines.append(Self.line(of: receipt) + "\t" + (isValid ? "valid" : "NOT VALID with this server's key"))
        }
        return (lines, areValid)
    }

    /// The public key of receipts, in PEM.
    public var receiptPublicKey: String { signatures.pem }

    private static func line(of receipt: SignedReceipt) -> String {
        String(decoding: receipt.payload, as: UTF8.self) + "\t" + Base64URL.encode(receipt.signature)
    }

    private func checked(reason: String) throws -> String {
        guard (1...500).contains(reason.utf8.count), !reason.contains(where: \.isNewline) else {
            throw InvalidInput(description: "The reason must be one line of 1 to 500 bytes.")
        }
        return reason
    }

    private func entry(_ what: AuditAction, of conversation: ConversationID, in brand: AccountID, _ detail: String?)
        -> AuditEntry
    {
        AuditEntry(
            account: brand, at: environment.now(), by: AuditEntry.operator_, what: what, conversation: conversation,
            detail: detail)
    }
}

extension RemovalCounts {
    /// The counts, for people.
    fileprivate var summary: String {
        guard conversations > 0 else { return "nothing." }
        let since = oldest.map { ", the oldest from \($0.day)" } ?? ""
        return "conversations: \(conversations), events: \(events), recordings: \(recordings) (\(bytes) bytes)\(since)."
    }
}
