/// A message that Earshot sends on an occasion such as a long wait. If several match, Earshot sends the most specific
/// one.
public struct AutomaticMessage: Hashable, Codable, Sendable {
    /// The message's id within the brand's list.
    public let id: String
    /// The occasion that triggers the message.
    public var on: Occasion
    /// The skill that the message is for. `nil` means every skill that has no message of its own.
    public var skill: SkillID?
    /// The language that the message is for, such as `de`. `nil` means every language that has no message of its own.
    public var language: String?
    /// Whether Earshot sends the message.
    public var isOn: Bool
    /// The text. It can contain `{expectedResponseTime}`, `{queuePosition}`, `{agentNickname}`, `{skill}`, `{brand}`,
    /// `{consumer}` and `{time}`.
    public var text: String
    /// The text to send if a placeholder of `text` has no value. If it is `nil`, the sentence with the placeholder is
    /// omitted.
    public var without: String?
    /// For timed occasions, the wait in seconds. `nil` for the others.
    public var afterSeconds: Int?

    /// Makes a message for every skill and language unless told otherwise.
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

    /// The occasions of product.md section 2.2, and an agent's callback.
    public enum Occasion: String, Hashable, Codable, Sendable, CaseIterable {
        /// The consumer's first message to the brand.
        case firstWelcome
        /// The consumer resumes a closed conversation after more than 48 hours.
        case welcome
        /// The consumer's first message to the brand, outside staffed hours.
        case offHoursFirst
        /// The consumer resumes a closed conversation outside staffed hours.
        case offHoursWelcome
        /// The consumer writes in an open conversation outside staffed hours.
        case offHours
        /// The expected response time changed.
        case slaChange
        /// The conversation was marked as urgent.
        case urgentOn
        /// The conversation is no longer marked as urgent.
        case urgentOff
        /// The consumer has not answered for `afterSeconds`.
        case consumerIdle
        /// The agent has not answered for `afterSeconds`.
        case agentIdle
        /// The conversation has waited in the queue for `afterSeconds`.
        case queued
        /// The conversation was transferred to another skill or agent.
        case transferred
        /// The conversation went back to its queue.
        case returned
        /// An agent was assigned.
        case connected
        /// A manager joined the conversation and can write in it.
        case managerJoined
        /// A manager who had joined left the conversation.
        case managerLeft
        /// The agent snoozed the conversation and will be back at `{time}`.
        case callback

        /// Whether Earshot sends it after a wait of `afterSeconds`.
        public var isTimed: Bool { self == .consumerIdle || self == .agentIdle || self == .queued }
    }
}
