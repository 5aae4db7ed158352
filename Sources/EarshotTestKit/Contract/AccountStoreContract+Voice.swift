import EarshotCore
import EarshotModel

/// Recordings, settings, the audit log.
extension AccountStoreContract {
    static var recordingChecks: [Check] {
        [
            check("A recording is kept once: what is known of it later stays") { store in
                _ = try await store.keep(.sample)
                let again = RecordedMedia(
                    content: .sample(), conversation: RecordedMedia.sample.conversation, author: "somebody",
                    sha256: [9], container: "mp3")
                try same(try await store.keep(again), .sample, "what is kept")
                try same(
                    try await store.recording(
                        RecordedMedia.sample.content.media, in: RecordedMedia.sample.conversation), .sample,
                    "the recording")
            },
            check("Recordings that wait for the scanner are found, page by page, and no others") { store in
                for number in 1...5 { _ = try await store.keep(.waiting("w\(number)")) }
                _ = try await store.keep(.sample)
                let first = try await store.recordings(waitingForScanAfter: nil, limit: 3)
                try same(first.map(\.content.media.rawValue), ["w1", "w2", "w3"], "the first three")
                let rest = try await store.recordings(waitingForScanAfter: first.last?.content.media, limit: 3)
                try same(rest.map(\.content.media.rawValue), ["w4", "w5"], "the rest")
                try same(try await store.recordings(waitingForScanAfter: nil, limit: 0).count, 0, "none")
            },
        ]
    }

    static var settingsChecks: [Check] {
        [
            check("Settings change field by field, rise in version, and write their audit entry") { store in
                try await store.save(Account.sample)
                try hold(try await store.settings(of: Account.sample.id) == nil, "nothing was changed yet")
                let before = try await store.settingsStamp()
                var patch = AudioSettingsPatch()
                patch.maxSeconds = 30
                let first = try await store.change(.sample(patch))
                try same(first.version, 2, "the version")
                patch = AudioSettingsPatch()
                patch.enabled = false
                let second = try await store.change(.sample(patch))
                try same(second.version, 3, "the version later")
                try same(second.audio.maxSeconds, 30, "what was set before")
                try same(try await store.settings(of: Account.sample.id), second, "what is in force")
                try hold(try await store.settingsStamp() > before, "the stamp rises")
                try same(try await store.settingsVersions(), [Account.sample.id: 3], "the versions")
                try same(try await store.audit(Account.sample.id, AuditQuery(limit: 9)).count, 2, "audit entries")
            }
        ]
    }

    static var auditChecks: [Check] {
        [
            check("Audit entries are read newest first, page by page, by their own account") { store in
                for number in 1...5 { try await store.record(.sample("\(number)")) }
                try await store.record(.sample("other", account: AccountID(trusted: "other")))
                let first = try await store.audit(Account.sample.id, AuditQuery(limit: 2))
                try same(first.map(\.entry.detail), ["5", "4"], "the newest")
                let rest = try await store.audit(Account.sample.id, AuditQuery(before: first.last?.id, limit: 9))
                try same(rest.map(\.entry.detail), ["3", "2", "1"], "the rest")
                try same(rest.last?.entry, .sample("1"), "an entry")
            },
            check("What may be written once only is written once, for each account") { store in
                for _ in 1...3 { try await store.record(.sample("a", once: "x")) }
                try await store.record(.sample("b", account: AccountID(trusted: "other"), once: "x"))
                try await store.record(.sample("c", once: "y"))
                try same(
                    try await store.audit(Account.sample.id, AuditQuery(limit: 9)).map(\.entry.detail), ["c", "a"],
                    "the entries")
                try same(
                    try await store.audit(AccountID(trusted: "other"), AuditQuery(limit: 9)).count, 1, "the other's")
            },
        ]
    }

    static var auditQueryChecks: [Check] {
        [
            check("The audit log finds entries by author, action and time, the latest first") { store in
                for (number, by) in ["dana", "mira", "dana"].enumerated() {
                    try await store.record(.sample("\(number)", by: by, at: Int64(number)))
                }
                try await store.record(.sample("search", by: "dana", what: .historySearched, at: 3))
                let conversation = ConversationID(trusted: "conversation")
                try await store.record(
                    AuditEntry(
                        account: Account.sample.id, at: Timestamp(milliseconds: 4), by: "mira", what: .historyRead,
                        conversation: conversation, detail: "read"))
                func found(_ change: (inout AuditQuery) -> Void) async throws -> [String?] {
                    var query = AuditQuery(limit: 9)
                    change(&query)
                    return try await store.audit(Account.sample.id, query).map(\.entry.detail)
                }
                try same(try await found { $0.conversation = conversation }, ["read"], "of a conversation")
                try same(
                    try await found { $0.conversation = ConversationID(trusted: "other") }, [], "of another one")
                try same(try await found { $0.by = "dana" }, ["search", "2", "0"], "by Dana")
                try same(try await found { $0.actions = [.audioDownloaded] }, ["2", "1", "0"], "of one action")
                try same(try await found { $0.actions = [.signedIn] }, [], "of an action without entries")
                try same(
                    try await found { $0.from = Timestamp(milliseconds: 2) }, ["read", "search", "2"], "from then on")
                try same(try await found { $0.to = Timestamp(milliseconds: 1) }, ["0"], "before then")
                let all = try await found {
                    ($0.by, $0.actions, $0.from, $0.to) = (
                        "dana", [.audioDownloaded, .historySearched], Timestamp(milliseconds: 1),
                        Timestamp(milliseconds: 3)
                    )
                }
                try same(all, ["2"], "all at once")
            },
            check("The hashes of an audit log prove that it is what was written") { store in
                let empty = try await store.verifyAudit(of: Account.sample.id, known: nil)
                try same(empty.isIntact && empty.entries == 0 && empty.head.isEmpty, true, "nothing is intact")
                try await store.record(.sample("a", once: "x"))
                let first = try await store.verifyAudit(of: Account.sample.id, known: nil)
                try await store.record(.sample("other", account: AccountID(trusted: "other")))
                for detail in ["a", "b"] { try await store.record(.sample(detail, once: "x")) }
                try same(try await store.verifyAudit(of: Account.sample.id, known: nil), first, "others' entries")
                try await store.record(.sample("c"))
                let both = try await store.verifyAudit(of: Account.sample.id, known: first.head)
                try same(both.isIntact && both.entries == 2 && both.head.count == 32, true, "intact")
                try same(both.head == first.head, false, "the newest hash")
                let unknown = try await store.verifyAudit(of: Account.sample.id, known: Array(0..<32))
                try same(unknown.isIntact, false, "a hash that no entry has")
            },
        ]
    }
}

extension RecordedMedia {
    /// One that waits for the scanner.
    static func waiting(
        _ name: String, in conversation: ConversationID = RecordedMedia.sample.conversation, ms: Int = 12_345,
        by author: String = "brand-consumer-1"
    ) -> RecordedMedia {
        RecordedMedia(
            content: .sample(name, ms: ms), conversation: conversation, author: author, sha256: [1], container: "webm",
            account: Account.sample.id, scan: .pending)
    }

    /// One that the scanner let through at Send.
    static func passed(_ name: String, by author: String = "brand-consumer-1") -> RecordedMedia {
        RecordedMedia(
            content: .sample(name, ms: 12_345), conversation: RecordedMedia.sample.conversation, author: author,
            sha256: [1], container: "webm",
            account: Account.sample.id, scan: .clean)
    }
}

extension SettingsChange {
    static func sample(_ patch: AudioSettingsPatch) -> SettingsChange {
        SettingsChange(
            account: Account.sample.id, initial: AccountSettings(), patch: SettingsPatch(audio: patch),
            audit: AuditEntry(
                account: Account.sample.id, at: Timestamp(milliseconds: 1), by: "agent", what: .settingsChanged))
    }
}

extension AuditEntry {
    static func sample(
        _ detail: String, account: AccountID = Account.sample.id, by: String = "agent",
        what: AuditAction = .audioDownloaded, at: Int64 = 1
    ) -> AuditEntry {
        AuditEntry(
            account: account, at: Timestamp(milliseconds: at), by: by, what: what,
            conversation: ConversationID(trusted: "c"), media: MediaID(trusted: "m"), detail: detail)
    }

    static func sample(_ detail: String, account: AccountID = Account.sample.id, once: String) -> AuditEntry {
        AuditEntry(
            account: account, at: Timestamp(milliseconds: 1), by: "agent", what: .audioDownloaded,
            conversation: ConversationID(trusted: "c"),
            media: MediaID(trusted: "m"), detail: detail, once: once)
    }
}
