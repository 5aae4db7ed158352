/// What a brand has set: docs/protocol.md section 6.
public struct AccountSettings: Hashable, Codable, Sendable {
    /// Rises with every change.
    public var version: Int
    public var audio: Audio

    public init(version: Int = 1, audio: Audio = Audio()) {
        self.version = version
        self.audio = audio
    }

    /// Voice messages.
    public struct Audio: Hashable, Codable, Sendable {
        /// Voice messages at all.
        public var enabled = true
        /// Who may send them.
        public var consumers = true
        public var agents = true
        public var managers = true
        /// On which channels; one that is not named is on.
        public var channels: [String: Bool] = [MessagingChannel.web.rawValue: true]
        /// Longest voice message of a consumer, in seconds.
        public var maxSeconds = 120
        /// How many voice messages a consumer's device keeps to play without a network.
        public var keep = 20
        /// Whether an original that nobody scanned may be downloaded.
        public var originals = false

        public init() {}
    }

    private enum CodingKeys: String, CodingKey {
        case version = "v"
        case audio
    }
}

/// What of it applies to one person.
public struct SettingsView: Hashable, Codable, Sendable {
    public let version: Int
    public let audio: Audio

    public init(version: Int, audio: Audio) {
        self.version = version
        self.audio = audio
    }

    public struct Audio: Hashable, Codable, Sendable {
        /// Whether this person may send voice messages here.
        public let isOn: Bool
        /// Which switch is off.
        public let why: Reason?
        /// Longest voice message of this person, in milliseconds.
        public let limitMs: Int
        /// How many voice messages a consumer's device keeps.
        public let keep: Int

        public init(isOn: Bool, why: Reason?, limitMs: Int, keep: Int) {
            self.isOn = isOn
            self.why = why
            self.limitMs = limitMs
            self.keep = keep
        }

        private enum CodingKeys: String, CodingKey {
            case isOn = "on"
            case why
            case limitMs = "ms"
            case keep
        }
    }

    /// Which switch is off.
    public enum Reason: String, Hashable, Codable, Sendable, CaseIterable {
        case brand, role, channel
    }

    private enum CodingKeys: String, CodingKey {
        case version = "v"
        case audio
    }
}
