/// A reply that an agent has ready.
public struct CannedReply: Hashable, Codable, Sendable {
    public let id: String
    /// What is typed after `/`: letters, digits, `-`.
    public var shortcut: String
    public var title: String
    public var skill: SkillID?
    public var language: String?
    /// May hold `{agentNickname}`, `{consumer}`, `{brand}`. Of a clip it is the twin in words.
    public var text: String
    /// The same, spoken.
    public var clip: Clip?

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

    /// A recording on the brand's shelf of clips.
    public struct Clip: Hashable, Codable, Sendable {
        public var media: MediaID
        /// Length in milliseconds; the recording's own, whatever a client says.
        public var durationMs: Int

        public init(media: MediaID, durationMs: Int) {
            self.media = media
            self.durationMs = durationMs
        }

        private enum CodingKeys: String, CodingKey {
            case media
            case durationMs = "ms"
        }
    }
}

/// What is noted as a conversation ends, and what it may be labelled with.
public struct WrapUp: Hashable, Codable, Sendable {
    public var dispositions: [Disposition]
    public var tags: [String]
    public var attributes: [AttributeKind]

    public init(dispositions: [Disposition] = [], tags: [String] = [], attributes: [AttributeKind] = []) {
        self.dispositions = dispositions
        self.tags = tags
        self.attributes = attributes
    }

    public struct Disposition: Hashable, Codable, Sendable {
        public let id: String
        public var name: String
        /// For this skill only.
        public var skill: SkillID?

        public init(id: String, name: String, skill: SkillID? = nil) {
            self.id = id
            self.name = name
            self.skill = skill
        }
    }

    /// A fact about a consumer or a conversation that agents may note.
    public struct AttributeKind: Hashable, Codable, Sendable {
        public let id: String
        public var name: String
        public var type: Kind

        public init(id: String, name: String, type: Kind) {
            self.id = id
            self.name = name
            self.type = type
        }

        public enum Kind: String, Hashable, Codable, Sendable, CaseIterable {
            case text, number, yesNo, date
        }
    }
}

/// What is asked after the end. Which skills ask stands with the skill.
public struct Survey: Hashable, Codable, Sendable {
    public var isOn: Bool
    /// 1 to 5.
    public var csat: Bool
    /// 0 to 10.
    public var nps: Bool
    /// A few words, typed or spoken.
    public var words: Bool
    /// What is asked, in the brand's words.
    public var question: String
    /// Seconds after which an unanswered survey is over.
    public var openSeconds: Int

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

    private enum CodingKeys: String, CodingKey {
        case csat, nps, words, question, openSeconds
        case isOn = "on"
    }
}
