public import EarshotModel

/// Decides what Earshot itself does in a conversation: route, offer, assign, take back, send a message, close.
///
/// It decides as the conversation is now: a person may have acted between the proposal and this transaction.
struct RoutingActionDecision {
    private let state: ConversationState
    private let context: RoutingActionContext

    init(_ state: ConversationState, in context: RoutingActionContext) {
        self.state = state
        self.context = context
    }

    /// The facts that follow from the action.
    /// - Throws: `stale` if the action no longer fits the conversation.
    func facts(for action: RoutingAction) throws(Rejection) -> [Fact] {
        guard let facts = factsIfFitting(action) else {
            throw Rejection(.stale, "The conversation changed in the meantime.")
        }
        return CallDecision.endingCall(of: state, with: facts, at: context.now)
    }

    private func factsIfFitting(_ action: RoutingAction) -> [Fact]? {
        switch action {
        case .route: routed()
        case .offer(let agents, let until, _): offered(to: agents, until: until)
        case .assign(let agent, _): assigned(agent)
        case .expireOffer(let agents): offerExpired(for: agents)
        case .requeue(let reason): requeued(reason)
        case .withdraw(let agents): withdrawn(from: agents)
        case .releaseReservation: reservationReleased()
        case .moveToFallback(let skill): movedToFallback(skill)
        case .sendMessage(let occasion, let armedAt): messageSent(occasion, armedAt: armedAt)
        case .closeIdle(let answeredAt): closedIdle(answeredAt: answeredAt)
        case .closeUnanswered(let day): closedUnanswered(activeOn: day)
        case .resumeClosed(let since): resumed(since: since)
        case .sendSurvey(let closedAt): surveySent(closedAt: closedAt)
        case .endCall(let number, let why): callEnded(number, why)
        }
    }

    private func routed() -> [Fact]? {
        guard state.status == .waiting, state.routing.skill == nil, let route = context.route else { return nil }
        return (route.urgent ? system(.urgent(.init(on: true))) : [])
            + system(.queued(.init(skill: route.skill, why: .routed)))
    }

    private func offered(to agents: [AgentID], until: Timestamp) -> [Fact]? {
        guard state.status == .waiting, state.routing.offer == nil, !agents.isEmpty else { return nil }
        return system(.offered(.init(to: agents, until: until)))
    }

    private func assigned(_ agent: AgentID) -> [Fact]? {
        guard state.status == .waiting, let assignee = context.assignee else { return nil }
        let (number, joining) = state.joining(.agent(id: agent, name: assignee.name, role: assignee.role))
        return joining + [Fact(number, .assigned(.init(to: number)))]
    }

    private func offerExpired(for agents: [AgentID]) -> [Fact]? {
        guard state.status == .waiting, let offer = state.routing.offer, Set(agents).isSuperset(of: offer.to) else {
            return nil
        }
        return system(.declined(.init(agents: offer.to, said: false)))
    }

    /// Only while the consumer waits for the agent: for an answer, or for a callback.
    private func requeued(_ reason: RoutingAction.Reason) -> [Fact]? {
        guard state.status == .open, !state.unanswered.isEmpty || state.routing.callback != nil,
            state.routing.call == nil
        else { return nil }
        return system(
            .queued(
                .init(
                    skill: state.routing.skill ?? context.defaultSkill,
                    why: reason == .silentOffline ? .offline : .silent)))
    }

    /// Only while one of them still has it or is asked to take it.
    private func withdrawn(from agents: [AgentID]) -> [Fact]? {
        let holders: [AgentID?] =
            switch state.status {
            case .open: [state.assignee.flatMap(state.person)?.id]
            case .waiting: (state.routing.offer?.to ?? []) + [state.routing.reserved?.agent]
            case .new, .closed: []
            }
        guard holders.contains(where: { holder in holder.map(agents.contains) ?? false }) else { return nil }
        return system(.queued(.init(skill: state.routing.skill ?? context.defaultSkill, why: .noPermission)))
    }

    private func reservationReleased() -> [Fact]? {
        guard state.status == .waiting, state.routing.reserved != nil else { return nil }
        return system(.queued(.init(skill: state.routing.skill ?? context.defaultSkill, why: .unanswered)))
    }

    private func movedToFallback(_ skill: SkillID) -> [Fact]? {
        guard state.status == .waiting, state.routing.offer == nil, state.routing.reserved == nil,
            skill != state.routing.skill
        else {
            return nil
        }
        return system(.queued(.init(skill: skill, why: .fallback)))
    }

    private func messageSent(_ occasion: AutomaticMessage.Occasion, armedAt: Timestamp) -> [Fact]? {
        guard state.status != .new, let text = context.text,
            state.routing.said[occasion.rawValue].map({ $0 < armedAt }) ?? true
        else { return nil }
        return system(.automatic(.init(on: occasion, text: text)))
    }

    private func closedIdle(answeredAt: Timestamp) -> [Fact]? {
        guard state.status == .open || state.status == .waiting, state.unanswered.isEmpty,
            state.timestamps.answered == answeredAt
        else {
            return nil
        }
        return [Fact(.system, .closed(.init(why: .idle)))]
    }

    private func closedUnanswered(activeOn day: Timestamp) -> [Fact]? {
        guard state.isUnanswered, state.lastActiveDay == day else { return nil }
        return [Fact(.system, .closed(.init(why: .idle)))]
    }

    private func resumed(since: Timestamp) -> [Fact]? {
        guard state.status == .closed, state.unansweredSince == since else { return nil }
        return system(.resumed)
    }

    /// An invitation that was answered does not end unanswered.
    private func callEnded(_ number: Int, _ why: CallEnding.Why) -> [Fact]? {
        guard let call = state.routing.call, call.number == number, why != .unanswered || call.answeredAt == nil else {
            return nil
        }
        return system(.callEnded(call.ending(why, at: context.now)))
    }

    private func surveySent(closedAt: Timestamp) -> [Fact]? {
        guard state.status == .closed, let survey = context.survey, state.timestamps.closed == closedAt,
            state.timestamps.surveyed.map({ $0 < closedAt }) ?? true
        else { return nil }
        return system(.surveyed(survey))
    }

    private func system(_ kind: Event.Kind) -> [Fact] { [Fact(.system, kind)] }
}

extension ConversationState {
    /// Decides an action of routing again, as the conversation is now: a person may have acted between the proposal and
    /// this transaction.
    /// - Throws: `stale` if the action no longer fits the conversation.
    public func decide(
        _ action: RoutingAction, in context: RoutingActionContext = RoutingActionContext()
    ) throws(Rejection) -> [Fact] {
        try RoutingActionDecision(self, in: context).facts(for: action)
    }
}
