public import EarshotModel

/// What Earshot itself does to a conversation: routing and timers. Decided again in the writer's transaction, for between the thought and the deed somebody
/// may have acted.
public enum Step: Hashable, Sendable {
    /// By the brand's rules, where no skill was chosen yet.
    case route(to: SkillID, urgent: Bool)
    case offer(to: [AgentID], until: Timestamp)
    case assign(AgentID, name: String, role: Role)
    /// The ring ended, and nobody of these took it.
    case lapse([AgentID])
    /// Its agent is silent, or gone.
    case requeue(Event.Queued.Why, skill: SkillID)
    /// Whom it was meant for did not take it.
    case release(skill: SkillID)
    case fallback(to: SkillID)
    /// `armed` is since when this was to be said: it is said once for that.
    case say(AutomaticMessage.Occasion, String, armed: Timestamp)
    case closeIdle(silentSince: Timestamp)
    case survey(Event.Surveyed, after: Timestamp)
}

extension ConversationState {
    /// - Throws: `stale` where it no longer fits.
    public func decide(_ step: Step) throws(Rejection) -> [Fact] {
        guard let facts = facts(of: step) else { throw Rejection(.stale, "This is over.") }
        return facts
    }

    private func facts(of step: Step) -> [Fact]? {
        switch step {
        case .route(let skill, let urgent):
            guard status == .waiting, routing.skill == nil else { return nil }
            return (urgent ? system(.urgent(.init(on: true))) : []) + system(.queued(.init(skill: skill, why: .routed)))
        case .offer(let to, let until):
            guard status == .waiting, routing.offer == nil, !to.isEmpty else { return nil }
            return system(.offered(.init(to: to, until: until)))
        case .assign(let agent, let name, let role):
            guard status == .waiting else { return nil }
            let (number, joining) = joining(.agent(id: agent, name: name, role: role))
            return joining + [Fact(number, .assigned(.init(to: number)))]
        case .lapse(let agents):
            guard status == .waiting, let offer = routing.offer, Set(agents).isSuperset(of: offer.to) else {
                return nil
            }
            return system(.declined(.init(agents: offer.to, said: false)))
        case .requeue(let why, let skill):
            // Somebody waits for its agent: with a word, or with what the agent promised.
            guard status == .open, !unanswered.isEmpty || routing.callback != nil else { return nil }
            return system(.queued(.init(skill: skill, why: why)))
        case .release(let skill):
            guard status == .waiting, routing.reserved != nil else { return nil }
            return system(.queued(.init(skill: skill, why: .unanswered)))
        case .fallback(let skill):
            guard status == .waiting, routing.offer == nil, routing.reserved == nil, skill != routing.skill else {
                return nil
            }
            return system(.queued(.init(skill: skill, why: .fallback)))
        case .say(let occasion, let text, let armed):
            guard status != .new, routing.said[occasion.rawValue].map({ $0 < armed }) ?? true else { return nil }
            return system(.automatic(.init(on: occasion, text: text)))
        case .closeIdle(let silentSince):
            guard status == .open || status == .waiting, unanswered.isEmpty, timestamps.answered == silentSince else {
                return nil
            }
            return [Fact(.system, .closed(.init(why: .idle)))]
        case .survey(let survey, let after):
            guard status == .closed, timestamps.closed == after, timestamps.surveyed.map({ $0 < after }) ?? true else {
                return nil
            }
            return system(.surveyed(survey))
        }
    }

    private func system(_ kind: Event.Kind) -> [Fact] { [Fact(.system, kind)] }
}
