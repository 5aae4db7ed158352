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

extension ConversationState {
    /// Decides an action of routing again, as the conversation is now: between the proposal and this transaction a
    /// person may have acted.
    /// - Throws: `stale` where it no longer fits.
    public func decide(
        _ action: RoutingAction, in context: RoutingActionContext = RoutingActionContext()
    ) throws(Rejection) -> [Fact] {
        guard let facts = facts(of: action, context) else {
            throw Rejection(.stale, "The conversation changed in the meantime.")
        }
        return facts
    }

    private func facts(of action: RoutingAction, _ context: RoutingActionContext) -> [Fact]? {
        switch action {
        case .route: routed(context)
        case .offer(let agents, let until, _): offered(to: agents, until: until)
        case .assign(let agent, _): assigned(agent, context)
        case .expireOffer(let agents): offerExpired(for: agents)
        case .requeue(let reason): requeued(reason, context)
        case .releaseReservation: reservationReleased(context)
        case .moveToFallback(let skill): movedToFallback(skill)
        case .sendMessage(let occasion, let armedAt): messageSent(occasion, armedAt: armedAt, context)
        case .closeIdle(let answeredAt): closedIdle(answeredAt: answeredAt)
        case .sendSurvey(let closedAt): surveySent(closedAt: closedAt, context)
        }
    }

    private func routed(_ context: RoutingActionContext) -> [Fact]? {
        guard status == .waiting, routing.skill == nil, let route = context.route else { return nil }
        return (route.urgent ? system(.urgent(.init(on: true))) : [])
            + system(.queued(.init(skill: route.skill, why: .routed)))
    }

    private func offered(to agents: [AgentID], until: Timestamp) -> [Fact]? {
        guard status == .waiting, routing.offer == nil, !agents.isEmpty else { return nil }
        return system(.offered(.init(to: agents, until: until)))
    }

    private func assigned(_ agent: AgentID, _ context: RoutingActionContext) -> [Fact]? {
        guard status == .waiting, let assignee = context.assignee else { return nil }
        let (number, joining) = joining(.agent(id: agent, name: assignee.name, role: assignee.role))
        return joining + [Fact(number, .assigned(.init(to: number)))]
    }

    private func offerExpired(for agents: [AgentID]) -> [Fact]? {
        guard status == .waiting, let offer = routing.offer, Set(agents).isSuperset(of: offer.to) else { return nil }
        return system(.declined(.init(agents: offer.to, said: false)))
    }

    /// Only while the consumer waits for the agent: for an answer, or for a callback.
    private func requeued(_ reason: RoutingAction.Reason, _ context: RoutingActionContext) -> [Fact]? {
        guard status == .open, !unanswered.isEmpty || routing.callback != nil else { return nil }
        return system(
            .queued(
                .init(
                    skill: routing.skill ?? context.defaultSkill, why: reason == .silentOffline ? .offline : .silent)))
    }

    private func reservationReleased(_ context: RoutingActionContext) -> [Fact]? {
        guard status == .waiting, routing.reserved != nil else { return nil }
        return system(.queued(.init(skill: routing.skill ?? context.defaultSkill, why: .unanswered)))
    }

    private func movedToFallback(_ skill: SkillID) -> [Fact]? {
        guard status == .waiting, routing.offer == nil, routing.reserved == nil, skill != routing.skill else {
            return nil
        }
        return system(.queued(.init(skill: skill, why: .fallback)))
    }

    private func messageSent(
        _ occasion: AutomaticMessage.Occasion, armedAt: Timestamp, _ context: RoutingActionContext
    ) -> [Fact]? {
        guard status != .new, let text = context.text,
            routing.said[occasion.rawValue].map({ $0 < armedAt }) ?? true
        else { return nil }
        return system(.automatic(.init(on: occasion, text: text)))
    }

    private func closedIdle(answeredAt: Timestamp) -> [Fact]? {
        guard status == .open || status == .waiting, unanswered.isEmpty, timestamps.answered == answeredAt else {
            return nil
        }
        return [Fact(.system, .closed(.init(why: .idle)))]
    }

    private func surveySent(closedAt: Timestamp, _ context: RoutingActionContext) -> [Fact]? {
        guard status == .closed, let survey = context.survey, timestamps.closed == closedAt,
            timestamps.surveyed.map({ $0 < closedAt }) ?? true
        else { return nil }
        return system(.surveyed(survey))
    }

    private func system(_ kind: Event.Kind) -> [Fact] { [Fact(.system, kind)] }
}
