/// A brand's settings for messages (docs/protocol.md section 6).
public struct AccountSettings: Hashable, Codable, Sendable {
    /// The number of this revision, which increases with every change.
    public var version: Int
    /// The settings for voice messages.
    public var audio: Audio
    /// What happens to payment card numbers in what people write.
    public var cardNumbers: CardNumbers
    /// What consumers see of their earlier messages.
    public var history: History
    /// Which calls the brand allows.
    public var calls: Calls

    /// Makes the settings of a new brand unless told otherwise.
    public init(
        version: Int = 1, audio: Audio = Audio(), cardNumbers: CardNumbers = .masked, history: History = History(),
        calls: Calls = Calls()
    ) {
        self.version = version
        self.audio = audio
        self.cardNumbers = cardNumbers
        self.history = history
        self.calls = calls
    }

    /// Reads stored settings. Those of earlier versions have no `cardNumbers`: then they are masked; no `history`: then
    /// consumers see everything; and no `calls`: then there are none.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        version = try fields.decode(Int.self, forKey: .version)
        audio = try fields.decode(Audio.self, forKey: .audio)
        cardNumbers = try fields.decodeIfPresent(CardNumbers.self, forKey: .cardNumbers) ?? .masked
        history = try fields.decodeIfPresent(History.self, forKey: .history) ?? History()
        calls = try fields.decodeIfPresent(Calls.self, forKey: .calls) ?? Calls()
    }

    /// Which calls the brand allows. All are off until the brand turns them on.
    public struct Calls: Hashable, Codable, Sendable {
        /// Whether agents may invite consumers to voice calls.
        public var voice = false
        /// Whether agents may invite consumers to video calls.
        public var video = false
        /// Whether consumers may ask to be called.
        public var requests = false

        /// Makes the setting of a new brand: no calls.
        public init() {}

        /// Whether calls of this kind are on.
        public func allows(_ kind: CallKind) -> Bool {
            switch kind {
            case .voice: voice
            case .video: video
            }
        }
    }

    /// What consumers see of their earlier messages. Agents see everything.
    public struct History: Hashable, Codable, Sendable {
        /// How many days back consumers see; 0 for everything.
        public var days: Int
        /// Whether consumers see what was said before the conversation was closed.
        public var closed: Bool

        /// Makes the setting of a new brand unless told otherwise: consumers see everything.
        public init(days: Int = 0, closed: Bool = true) {
            self.days = days
            self.closed = closed
        }
    }

    /// What happens to payment card numbers in messages, notes, attributes and the answers to a survey.
    public enum CardNumbers: String, Hashable, Codable, Sendable, CaseIterable {
        /// All but the last four digits are replaced before anything is stored. They cannot be read afterwards.
        case masked
        /// They are stored and shown as they were written.
        case kept
    }

    /// The settings for voice messages.
    public struct Audio: Hashable, Codable, Sendable {
        /// Whether voice messages are allowed at all.
        public var enabled = true
        /// Whether consumers may send voice messages.
        public var consumers = true
        /// Whether agents may send voice messages.
        public var agents = true
        /// Whether managers may send voice messages.
        public var managers = true
        /// Whether voice messages are allowed on each channel, by channel name. A channel that is not listed allows
        /// them.
        public var channels: [String: Bool] = [MessagingChannel.web.rawValue: true]
        /// The longest voice message of a consumer, in seconds.
        public var maxSeconds = 120
        /// How many voice messages a consumer's device keeps for playback without a network.
        public var keep = 20
        /// Whether people may download an original that was not scanned.
        public var originals = false

        /// Makes the defaults of a new brand: voice messages are on for everyone.
        public init() {}
    }

    private enum CodingKeys: String, CodingKey {
        case version = "v"
        case audio
        case cardNumbers
        case history
        case calls
    }
}

/// The settings as they apply to one person; the `settings` frame carries it.
public struct SettingsView: Hashable, Codable, Sendable {
    /// The revision of the brand's settings that this view was made from.
    public let version: Int
    /// What this person may do with voice messages.
    public let audio: Audio
    /// Which calls the brand allows. `nil` where it allows none.
    public let calls: Calls?

    /// Makes a view of revision `version`.
    public init(version: Int, audio: Audio, calls: Calls? = nil) {
        self.version = version
        self.audio = audio
        self.calls = calls
    }

    /// Which calls the brand allows.
    public struct Calls: Hashable, Codable, Sendable {
        /// Whether agents may invite to voice calls.
        public let voice: Bool
        /// Whether agents may invite to video calls.
        public let video: Bool
        /// Whether consumers may ask to be called, by what is on.
        public let requests: Bool

        /// Makes the value.
        public init(voice: Bool, video: Bool, requests: Bool) {
            (self.voice, self.video, self.requests) = (voice, video, requests)
        }
    }

    /// The rules for voice messages as they apply to one person on one channel.
    public struct Audio: Hashable, Codable, Sendable {
        /// Whether this person may send voice messages here.
        public let isOn: Bool
        /// Which switch is off. `nil` if the person may send voice messages.
        public let why: Reason?
        /// The longest voice message that this person may send, in milliseconds.
        public let limitMs: Int
        /// How many voice messages a consumer's device keeps for playback without a network.
        public let keep: Int

        /// Makes the rules for one person; `limitMs` is in milliseconds.
        public init(isOn: Bool, why: Reason?, limitMs: Int, keep: Int) {
            self.isOn = isOn
            self.why = why
            self.limitMs = limitMs
            self.keep = keep
        }
    }

    /// The setting that forbids voice messages.
    public enum Reason: String, Hashable, Codable, Sendable, CaseIterable {
        /// The brand turned voice messages off for everyone.
        case brand
        /// The brand turned them off for this person's role.
        case role
        /// The brand turned them off on this channel.
        case channel
    }
}
