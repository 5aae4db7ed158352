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
                try same(try await store.audit(Account.sample.id, before: nil, limit: 9).count, 2, "audit entries")
            }
        ]
    }

    static var auditChecks: [Check] {
        [
            check("Audit entries are read newest first, page by page, by their own account") { store in
                for number in 1...5 { try await store.record(.sample("\(number)")) }
                try await store.record(.sample("other", account: AccountID(trusted: "other")))
                let first = try await store.audit(Account.sample.id, before: nil, limit: 2)
                try same(first.map(\.entry.detail), ["5", "4"], "the newest")
                let rest = try await store.audit(Account.sample.id, before: first.last?.id, limit: 9)
                try same(rest.map(\.entry.detail), ["3", "2", "1"], "the rest")
                try same(rest.last?.entry, .sample("1"), "an entry")
            },
            check("What may be written once only is written once, for each account") { store in
                for _ in 1...3 { try await store.record(.sample("a", once: "x")) }
                try await store.record(.sample("b", account: AccountID(trusted: "other"), once: "x"))
                try await store.record(.sample("c", once: "y"))
                try same(
                    try await store.audit(Account.sample.id, before: nil, limit: 9).map(\.entry.detail), ["c", "a"],
                    "the entries")
                try same(
                    try await store.audit(AccountID(trusted: "other"), before: nil, limit: 9).count, 1, "the other's")
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
    static func sample(_ detail: String, account: AccountID = Account.sample.id, once: String? = nil) -> AuditEntry {
        AuditEntry(
            account: account, at: Timestamp(milliseconds: 1), by: "agent", what: .audioDownloaded,
            conversation: ConversationID(trusted: "c"),
            media: MediaID(trusted: "m"), detail: detail, once: once)
    }
}
