/// A prepared reply that agents insert instead of typing.
public struct CannedReply: Hashable, Codable, Sendable {
    /// The reply's id within the brand's list.
    public let id: String
    /// What the agent types after `/` to find the reply: letters, digits and `-`.
    public var shortcut: String
    /// The name that agents see in the list of replies.
    public var title: String
    /// The skill whose agents see the reply. `nil` means every skill.
    public var skill: SkillID?
    /// The reply's language, such as `de`. `nil` means every language.
    public var language: String?
    /// The text. It can contain `{agentNickname}`, `{consumer}` and `{brand}`. If there is a clip, it is the clip's
    /// transcript.
    public var text: String
    /// A recording of the reply. `nil` if it can only be sent as text.
    public var clip: Clip?

    /// Makes a reply for every skill and language unless told otherwise.
    public init(
        id: String, shortcut: String, title: String, skill: SkillID? = nil, language: String? = nil, text: String,
        clip: Clip? = nil
    ) {
        self.id = id
        self.shortcut = shortcut
        self.title = title
        self.skill = skill
        self.language = language
        self.text = text
        self.clip = clip
    }

    /// A recording in the brand's collection of clips.
    public struct Clip: Hashable, Codable, Sendable {
        /// The recording to send.
        public var media: MediaID
        /// The recording's length in milliseconds. The server measures it and ignores what a client claims.
        public var durationMs: Int

        /// Makes a clip from a finished recording.
        public init(media: MediaID, durationMs: Int) {
            self.media = media
            self.durationMs = durationMs
        }
    }
}

/// What agents can record about a conversation: wrap-up codes, tags and attributes.
public struct WrapUp: Hashable, Codable, Sendable {
    /// The wrap-up codes that agents choose from when they close a conversation.
    public var dispositions: [Disposition]
    /// The tags that the workspace suggests.
    public var tags: [String]
    /// The attributes that the workspace offers. Agents may also set attributes that are not listed.
    public var attributes: [AttributeKind]

    /// Makes the lists; a new brand has none.
    public init(dispositions: [Disposition] = [], tags: [String] = [], attributes: [AttributeKind] = []) {
        self.dispositions = dispositions
        self.tags = tags
        self.attributes = attributes
    }

    /// A wrap-up code: why the conversation took place, or how it ended.
    public struct Disposition: Hashable, Codable, Sendable {
        /// The code's id within the brand's list.
        public let id: String
        /// The name that agents see.
        public var name: String
        /// The skill that the code is for. `nil` means every skill.
        public var skill: SkillID?

        /// Makes a code for every skill unless told otherwise.
        public init(id: String, name: String, skill: SkillID? = nil) {
            self.id = id
            self.name = name
            self.skill = skill
        }
    }

    /// A kind of attribute: a fact about a consumer or a conversation that agents can record.
    public struct AttributeKind: Hashable, Codable, Sendable {
        /// The name under which a conversation stores the attribute's value.
        public let id: String
        /// The label that agents see.
        public var name: String
        /// The type of the value, which decides the input field and what the server accepts.
        public var type: Kind

        /// Makes a kind of attribute.
        public init(id: String, name: String, type: Kind) {
            self.id = id
            self.name = name
            self.type = type
        }

        /// The type of an attribute's value. The value is stored as text.
        public enum Kind: String, Hashable, Codable, Sendable, CaseIterable {
            /// Any text.
            case text
            /// A number.
            case number
            /// Yes or no.
            case yesNo
            /// A calendar date.
            case date
        }
    }
}

/// The survey after a conversation is closed. Each skill decides whether it uses the survey (`Skill.survey`).
public struct Survey: Hashable, Codable, Sendable {
    /// Whether the brand uses surveys at all.
    public var isOn: Bool
    /// Whether the survey asks for a satisfaction score from 1 to 5.
    public var csat: Bool
    /// Whether the survey asks for a recommendation score from 0 to 10.
    public var nps: Bool
    /// Whether the survey accepts a comment, typed or spoken.
    public var words: Bool
    /// The question that the consumer sees, in the brand's words.
    public var question: String
    /// Seconds after which an unanswered survey expires.
    public var openSeconds: Int

    /// Makes a survey with a satisfaction score and a comment, open for a day, unless told otherwise.
    public init(
        isOn: Bool = true, csat: Bool = true, nps: Bool = false, words: Bool = true,
        question: String = "How did we do?", openSeconds: Int = 86_400
    ) {
        self.isOn = isOn
        self.csat = csat
        self.nps = nps
        self.words = words
        self.question = question
        self.openSeconds = openSeconds
    }
}
