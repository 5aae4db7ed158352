public import EarshotModel

/// What somebody wants to set. What is `nil` stays as it is.
public struct AudioSettingsPatch: Hashable, Sendable {
    public var enabled: Bool?
    public var consumers: Bool?
    public var agents: Bool?
    public var managers: Bool?
    public var channels: [String: Bool] = [:]
    public var maxSeconds: Int?
    public var keep: Int?
    public var originals: Bool?

    public init() {}
}

/// One change of an account's settings.
public struct SettingsChange: Sendable {
    public let account: AccountID
    /// What is in force where nothing was ever changed.
    public let initial: AccountSettings
    public let patch: AudioSettingsPatch
    /// Written with the change.
    public let audit: AuditEntry

    public init(account: AccountID, initial: AccountSettings, patch: AudioSettingsPatch, audit: AuditEntry) {
        self.account = account
        self.initial = initial
        self.patch = patch
        self.audit = audit
    }
}

/// Hears of changed settings.
public protocol SettingsListener: Sendable {
    /// Must not block.
    func changed(_ settings: AccountSettings, of account: AccountID)
}

extension AudioSettingsPatch {
    /// These settings with what is given in their place.
    public func applied(to audio: AccountSettings.Audio) -> AccountSettings.Audio {
        var changed = audio
        changed.enabled = enabled ?? audio.enabled
        changed.consumers = consumers ?? audio.consumers
        changed.agents = agents ?? audio.agents
        changed.managers = managers ?? audio.managers
        changed.channels.merge(channels) { $1 }
        changed.maxSeconds = maxSeconds ?? audio.maxSeconds
        changed.keep = keep ?? audio.keep
        changed.originals = originals ?? audio.originals
        return changed
    }

    /// - Throws: `setting_out_of_range`, with the bound that was crossed, or `bad_request` for a channel that there is not.
    public func check() throws(Rejection) {
        if let maxSeconds {
            try Self.check(
                maxSeconds, within: Self.secondsAllowed, "The longest voice message of a consumer (maxSeconds)",
                "seconds")
        }
        if let keep {
            try Self.check(
                keep, within: Limits.keptMessages, "The number of voice messages that a device keeps (keep)", "messages"
            )
        }
        let known = Set(MessagingChannel.allCases.map(\.rawValue)).subtracting([MessagingChannel.unknown.rawValue])
        guard channels.keys.allSatisfy(known.contains) else {
            throw Rejection(.badRequest, "The channels are: \(known.sorted().joined(separator: ", ")).")
        }
    }

    /// `Limits.audioDurationMs` in whole seconds.
    public static let secondsAllowed =
        (Limits.audioDurationMs.lowerBound / 1000)...(Limits.audioDurationMs.upperBound / 1000)

    private static func check(_ value: Int, within range: ClosedRange<Int>, _ what: String, _ unit: String)
        throws(Rejection)
    {
        guard !range.contains(value) else { return }
        throw Rejection(
            .settingOutOfRange, "\(what) is \(range.lowerBound) to \(range.upperBound) \(unit), not \(value).",
            limit: value < range.lowerBound ? range.lowerBound : range.upperBound)
    }
}
