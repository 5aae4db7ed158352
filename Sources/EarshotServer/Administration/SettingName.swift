import EarshotCore
import EarshotModel

/// The help text of `earshot set brand`.
public enum SettingsHelp {
    /// The names of all settings, with their values.
    public static let names = "Settings:\n" + SettingName.all.map { "  " + $0 }.joined(separator: "\n")
}

/// The names of settings on the command line.
enum SettingName {
    /// The rule after how many minutes without use a sign-in ends.
    static let idleMinutes = "sessions.idleMinutes"

    /// Each name with its values and its meaning.
    static let all = [
        "messaging.audio.sharing.enabled true|false: whether voice messages are enabled",
        "messaging.audio.sharing.consumers true|false: whether consumers may send them",
        "messaging.audio.sharing.agents true|false: whether agents may send them",
        "messaging.audio.sharing.managers true|false: whether managers may send them",
        "messaging.audio.sharing.channels.NAME true|false: whether they are enabled on a channel (web)",
        "messaging.audio.maxSeconds 15 to 120: longest voice message of a consumer, in seconds",
        "messaging.audio.keep 0 to 100: how many voice messages a consumer's device keeps",
        "messaging.audio.originals true|false: whether originals that were not scanned may be downloaded",
        "messaging.cardNumbers masked|kept: whether card numbers that people write are masked before they are stored",
        "messaging.history.days 0 to 400: how many days back consumers see their messages; 0 for everything",
        "messaging.history.closed true|false: whether consumers see what was said before a conversation was closed",
        "messaging.calls.voice true|false: whether agents may invite to voice calls",
        "messaging.calls.video true|false: whether agents may invite to video calls",
        "messaging.calls.requests true|false: whether consumers may ask to be called",
        """
        \(idleMinutes) \(Limits.sessionIdleMinutes.lowerBound) to \(Limits.sessionIdleMinutes.upperBound): minutes \
        without use after which the brand's people have to sign in again
        """,
    ]

    private static let sharing = "messaging.audio.sharing."
    private static let channels = sharing + "channels."

    /// Parses a setting.
    /// - Throws: `AdminService.InvalidInput` for an unknown name or a value of the wrong type.
    static func patch(_ name: String, _ value: String) throws(AdminService.InvalidInput) -> SettingsPatch {
        switch name {
        case "messaging.cardNumbers":
            guard let cardNumbers = AccountSettings.CardNumbers(rawValue: value) else {
                throw AdminService.InvalidInput(description: "\(value) is not valid here. Write masked or kept.")
            }
            return SettingsPatch(cardNumbers: cardNumbers)
        case "messaging.history.days": return SettingsPatch(historyDays: try number(value))
        case "messaging.history.closed": return SettingsPatch(historyClosed: try flag(value))
        case "messaging.calls.voice": return SettingsPatch(calls: .init(voice: try flag(value)))
        case "messaging.calls.video": return SettingsPatch(calls: .init(video: try flag(value)))
        case "messaging.calls.requests": return SettingsPatch(calls: .init(requests: try flag(value)))
        default: return SettingsPatch(audio: try audioPatch(name, value))
        }
    }

    private static func audioPatch(_ name: String, _ value: String) throws(AdminService.InvalidInput)
        -> AudioSettingsPatch
    {
        var patch = AudioSettingsPatch()
        switch name {
        case sharing + "enabled": patch.enabled = try flag(value)
        case sharing + "consumers": patch.consumers = try flag(value)
        case sharing + "agents": patch.agents = try flag(value)
        case sharing + "managers": patch.managers = try flag(value)
        case "messaging.audio.maxSeconds": patch.maxSeconds = try number(value)
        case "messaging.audio.keep": patch.keep = try number(value)
        case "messaging.audio.originals": patch.originals = try flag(value)
        default:
            guard name.hasPrefix(channels) else {
                throw AdminService.InvalidInput(
                    description: "There is no setting named \(name). Use one of:\n" + all.joined(separator: "\n"))
            }
            patch.channels = [String(name.dropFirst(channels.count)): try flag(value)]
        }
        return patch
    }

    private static func flag(_ text: String) throws(AdminService.InvalidInput) -> Bool {
        guard let flag = Bool(text) else {
            throw AdminService.InvalidInput(description: "\(text) is not valid here. Write true or false.")
        }
        return flag
    }

    static func number(_ text: String) throws(AdminService.InvalidInput) -> Int {
        guard let number = Int(text) else {
            throw AdminService.InvalidInput(description: "\(text) is not a whole number.")
        }
        return number
    }
}
