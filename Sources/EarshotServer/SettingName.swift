import EarshotCore

/// For the command line's help.
public enum SettingsHelp {
    public static let names = "Settings:\n" + SettingName.all.map { "  " + $0 }.joined(separator: "\n")
}

/// The names of settings on the command line.
enum SettingName {
    /// Each with what it takes.
    static let all = [
        "messaging.audio.sharing.enabled true|false: voice messages at all",
        "messaging.audio.sharing.consumers true|false: from consumers",
        "messaging.audio.sharing.agents true|false: from agents",
        "messaging.audio.sharing.managers true|false: from managers",
        "messaging.audio.sharing.channels.NAME true|false: on a channel (web)",
        "messaging.audio.maxSeconds 15 to 120: longest voice message of a consumer",
        "messaging.audio.keep 0 to 100: voice messages that a consumer's device keeps",
        "messaging.audio.originals true|false: whether an original that nobody scanned may be downloaded",
    ]

    private static let sharing = "messaging.audio.sharing."
    private static let channels = sharing + "channels."

    /// - Throws: `AdminService.Fault` for a name that there is not, or a value of the wrong kind.
    static func patch(_ name: String, _ value: String) throws(AdminService.Fault) -> AudioSettingsPatch {
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
                throw AdminService.Fault(
                    description: "There is no setting \(name). There are:\n" + all.joined(separator: "\n"))
            }
            patch.channels = [String(name.dropFirst(channels.count)): try flag(value)]
        }
        return patch
    }

    private static func flag(_ text: String) throws(AdminService.Fault) -> Bool {
        guard let flag = Bool(text) else { throw AdminService.Fault(description: "\(text) is neither true nor false.") }
        return flag
    }

    private static func number(_ text: String) throws(AdminService.Fault) -> Int {
        guard let number = Int(text) else { throw AdminService.Fault(description: "\(text) is no whole number.") }
        return number
    }
}
