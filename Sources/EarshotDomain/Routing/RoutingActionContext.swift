public import EarshotModel

/// What the service looked up for one routing action, because the engine and the conversation's state do not have it.
/// An action whose value is missing is refused.
public struct RoutingActionContext: Sendable {
    /// An agent as a participant of conversations.
    public struct Assignee: Hashable, Sendable {
        /// The name that the consumer sees.
        public let name: String
        /// The agent's role.
        public let role: Role

        /// Makes the value.
        public init(name: String, role: Role) {
            self.name = name
            self.role = role
        }
    }

    /// The brand's default skill: the queue of a conversation that has no skill.
    public let defaultSkill: SkillID
    /// For `assign`: the agent.
    public var assignee: Assignee?
    /// For `route`: the skill that the brand's rules chose.
    public var route: Routed?
    /// For `sendMessage`: the text, with the values of its placeholders.
    public var text: String?
    /// For `sendSurvey`: the questions.
    public var survey: Event.Surveyed?
    /// The time of the decision. `nil`: the length of a call that ends is not known.
    public var now: Timestamp?

    /// Makes a context. `assignee` and `text` are set afterwards.
    public init(
        defaultSkill: SkillID = ContactCentreSettings().defaultSkill.id, route: Routed? = nil,
        survey: Event.Surveyed? = nil
    ) {
        self.defaultSkill = defaultSkill
        self.route = route
        self.survey = survey
    }
}
