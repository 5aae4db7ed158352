public import EarshotModel

/// The audio settings to change. A field that is `nil` stays as it is.
public struct AudioSettingsPatch: Hashable, Sendable {
    /// Whether voice messages are enabled at all.
    public var enabled: Bool?
    /// Whether consumers may send voice messages.
    public var consumers: Bool?
    /// Whether agents may send voice messages.
    public var agents: Bool?
    /// Whether managers may send voice messages.
    public var managers: Bool?
    /// Whether voice messages are enabled on a channel, by the channel's name. Other channels stay as they are.
    public var channels: [String: Bool] = [:]
    /// The longest voice message of a consumer, in seconds.
    public var maxSeconds: Int?
    /// How many voice messages a consumer's device keeps.
    public var keep: Int?
    /// Whether an original that was not scanned may be downloaded.
    public var originals: Bool?

    /// Creates a patch that changes nothing.
    public init() {}
}

/// The settings of an account to change. A field that is `nil` stays as it is.
public struct SettingsPatch: Hashable, Sendable {
    /// The audio settings to change.
    public var audio: AudioSettingsPatch
    /// What happens to payment card numbers.
    public var cardNumbers: AccountSettings.CardNumbers?
    /// How many days back consumers see; 0 for everything.
    public var historyDays: Int?
    /// Whether consumers see what was said before the conversation was closed.
    public var historyClosed: Bool?
    /// Which calls to turn on or off.
    public var calls: CallSettingsPatch

    /// Creates a patch.
    public init(
        audio: AudioSettingsPatch = AudioSettingsPatch(), cardNumbers: AccountSettings.CardNumbers? = nil,
        historyDays: Int? = nil, historyClosed: Bool? = nil, calls: CallSettingsPatch = CallSettingsPatch()
    ) {
        self.audio = audio
        self.cardNumbers = cardNumbers
        self.historyDays = historyDays
        self.historyClosed = historyClosed
        self.calls = calls
    }

    /// Validates the values.
    /// - Throws: `setting_out_of_range` with the limit that was exceeded, or `bad_request` for an unknown channel.
    public func check() throws(Rejection) {
        try audio.check()
        if let historyDays {
            try Self.check(
                historyDays, within: Limits.historyDays, at: "history.days",
                "The number of days that consumers see (history.days)", "days")
        }
    }

    fileprivate static func check(
        _ value: Int, within range: ClosedRange<Int>, at field: String, _ what: String, _ unit: String
    ) throws(Rejection) {
        guard !range.contains(value) else { return }
        throw Rejection(
            .settingOutOfRange, "\(what) must be \(range.lowerBound) to \(range.upperBound) \(unit), not \(value).",
            at: field, limit: value < range.lowerBound ? range.lowerBound : range.upperBound)
    }

    /// Applies the patch to settings, whose version becomes the next one.
    public func applied(to settings: AccountSettings) -> AccountSettings {
        AccountSettings(
            version: settings.version + 1, audio: audio.applied(to: settings.audio),
            cardNumbers: cardNumbers ?? settings.cardNumbers,
            history: AccountSettings.History(
                days: historyDays ?? settings.history.days, closed: historyClosed ?? settings.history.closed),
            calls: calls.applied(to: settings.calls))
    }
}

/// The calls to turn on or off. What is `nil` stays as it is.
public struct CallSettingsPatch: Hashable, Sendable {
    /// Whether agents may invite to voice calls.
    public var voice: Bool?
    /// Whether agents may invite to video calls.
    public var video: Bool?
    /// Whether consumers may ask to be called.
    public var requests: Bool?

    /// Creates a patch.
    public init(voice: Bool? = nil, video: Bool? = nil, requests: Bool? = nil) {
        (self.voice, self.video, self.requests) = (voice, video, requests)
    }

    fileprivate func applied(to calls: AccountSettings.Calls) -> AccountSettings.Calls {
        var changed = calls
        changed.voice = voice ?? calls.voice
        changed.video = video ?? calls.video
        changed.requests = requests ?? calls.requests
        return changed
    }
}

/// One change of an account's settings.
public struct SettingsChange: Sendable {
    /// The account.
    public let account: AccountID
    /// The settings that are in force if the account never changed any.
    public let initial: AccountSettings
    /// What to change.
    public let patch: SettingsPatch
    /// The audit entry to write with the change.
    public let audit: AuditEntry

    /// Creates a change.
    public init(account: AccountID, initial: AccountSettings, patch: SettingsPatch, audit: AuditEntry) {
        self.account = account
        self.initial = initial
        self.patch = patch
        self.audit = audit
    }
}

extension AudioSettingsPatch {
    /// Applies the patch to audio settings.
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

    /// Validates the values.
    /// - Throws: `setting_out_of_range` with the limit that was exceeded, or `bad_request` for an unknown channel.
    public func check() throws(Rejection) {
        if let maxSeconds {
            try SettingsPatch.check(
                maxSeconds, within: Self.secondsAllowed, at: "audio.maxSeconds",
                "The longest voice message of a consumer (maxSeconds)",
                "seconds")
        }
        if let keep {
            try SettingsPatch.check(
                keep, within: Limits.keptMessages, at: "audio.keep",
                "The number of voice messages that a device keeps (keep)", "messages")
        }
        let known = Set(MessagingChannel.allCases.map(\.rawValue)).subtracting([MessagingChannel.unknown.rawValue])
        if let unknown = channels.keys.sorted().first(where: { !known.contains($0) }) {
            throw Rejection(
                .badRequest,
                "There is no channel named \"\(unknown.prefix(50))\". Use one of: "
                    + "\(known.sorted().joined(separator: ", ")).",
                at: "audio.channels")
        }
    }

    /// The allowed values of `maxSeconds`: `Limits.audioDurationMs` in whole seconds.
    public static let secondsAllowed =
        (Limits.audioDurationMs.lowerBound / 1000)...(Limits.audioDurationMs.upperBound / 1000)
}
