/// Something that Earshot says by itself.
public struct AutomaticMessage: Hashable, Codable, Sendable {
    public let id: String
    public var on: Occasion
    /// For this skill only; `nil`: for every skill that has none of its own.
    public var skill: SkillID?
    /// For this language only (`de`); `nil`: for every language that has none of its own.
    public var language: String?
    public var isOn: Bool
    /// May hold `{expectedResponseTime}`, `{queuePosition}`, `{agentNickname}`, `{skill}`, `{brand}`, `{consumer}`,
    /// `{time}`.
    public var text: String
    /// What is said where a placeholder of `text` has no value. Without it the placeholder's sentence is left away.
    public var without: String?
    /// For the occasions that wait: after how many seconds.
    public var afterSeconds: Int?

    public init(
        id: String, on: Occasion, skill: SkillID? = nil, language: String? = nil, isOn: Bool = true, text: String,
        without: String? = nil,
        afterSeconds: Int? = nil
    ) {
        self.id = id
        self.on = on
        self.skill = skill
        self.language = language
        self.isOn = isOn
        self.text = text
        self.without = without
        self.afterSeconds = afterSeconds
    }

    /// The sixteen of product.md section 2.2, and the notice of a promise.
    public enum Occasion: String, Hashable, Codable, Sendable, CaseIterable {
        /// The very first message of this consumer.
        case firstWelcome
        /// A closed conversation goes on after more than 48 h.
        case welcome
        /// The same three while nobody is there: first message, resumed, in the middle.
        case offHoursFirst, offHoursWelcome, offHours
        /// The expected response time changed.
        case slaChange
        case urgentOn, urgentOff
        /// The consumer, or the agent, has not answered for `afterSeconds`.
        case consumerIdle, agentIdle
        /// In the queue for `afterSeconds`.
        case queued
        case transferred, returned
        /// An agent answers from here on.
        case connected
        case managerJoined, managerLeft
        /// An agent promised to be back.
        case callback

        /// Whether it waits for `afterSeconds`.
        public var isTimed: Bool { self == .consumerIdle || self == .agentIdle || self == .queued }
    }

    private enum CodingKeys: String, CodingKey {
        case id, on, skill, language, text, without, afterSeconds
        case isOn = "enabled"
    }
}
