import EarshotCore
import EarshotDomain
import EarshotModel
import EarshotStorage
import EarshotTestKit

/// What the contact centre does in the world: asks of the brand's people, and what Earshot does by itself.
extension World {
    /// Stands in every private text: no consumer may ever see it.
    static let secret = "SECRET"
    static let skills = ["general", "orders-SECRET"].map(SkillID.init(trusted:))

    var centre: ContactCentreSettings {
        ContactCentreSettings(
            skills: [.general, Skill(id: Self.skills[1], name: "Orders", disposition: .required)],
            wrapUp: WrapUp(dispositions: [.init(id: "done-SECRET", name: "Done SECRET")]))
    }

    var context: Context {
        Context(
            now: clock.now, centre: centre,
            colleagues: Dictionary(uniqueKeysWithValues: [Actor.dana, .mona].compactMap { $0.person }))
    }

    mutating func ask() -> Command {
        let agent = [Actor.dana, .mona].randomElement(using: &random)?.person?.0
        switch Int.random(in: 0..<17, using: &random) {
        case 0: return .decline
        case 1:
            return .transfer(
                .init(skill: Self.skills.randomElement(using: &random), note: "\(Self.secret) \(said.count)"))
        case 2: return .transfer(.init(agent: agent))
        case 3: return .takeOver
        case 4: return .join
        case 5: return .leave
        case 6...7: return .note(.init(text: "\(Self.secret) note \(said.count)", mentions: agent.map { [$0] }))
        case 8: return .callback(Int.random(in: 0...90, using: &random) * 60)
        case 9: return .tags(["\(Self.secret)-\(said.count % 3)"])
        case 10:
            return .attribute(.init(name: "order", value: Bool.random(using: &random) ? "\(Self.secret) 4711" : nil))
        case 11: return .dispose("done-SECRET")
        case 12: return .urgent(Bool.random(using: &random))
        case 13: return .closeQuietly
        case 14: return .reopen
        case 15: return .settle
        default: return .noticed
        }
    }

    /// Routing performs an action, if it fits.
    mutating func performAction() async {
        let probe = StoreProbe(store, clock: clock, connecting: false)
        steps += 1
        let identity = Self.conversations.randomElement(using: &random)!
        var context = RoutingActionContext(
            defaultSkill: Self.skills[0],
            route: Routed(skill: Self.skills[1], urgent: Bool.random(using: &random)))
        context.assignee = .init(name: "Dana", role: .agent)
        context.text = "Welcome \(steps)"
        context.survey = .init(
            question: "How was it?", csat: true, nps: true, words: true,
            until: clock.now.adding(milliseconds: 600_000))
        let action = await anAction(identity)
        _ = await probe.perform(probe.change(action, with: context, key: "step-\(steps)", in: identity))
    }

    private mutating func anAction(_ identity: ConversationIdentity) async -> RoutingAction {
        let people = [Actor.dana, .mona].compactMap { $0.person?.0 }
        let state = try? await store.log.view(identity.id, after: nil, limit: 1)?.state
        switch Int.random(in: 0..<10, using: &random) {
        case 7: return .route
        case 9: return .resumeClosed(since: state?.unansweredSince ?? clock.now)
        case 0...1: return .offer(to: people, until: clock.now.adding(milliseconds: 30_000), reason: .everyone)
        case 2: return .expireOffer(to: people)
        case 3: return .assign(people[0], reason: .leastLoaded)
        case 4: return .requeue(reason: .silentOnline)
        case 5: return .releaseReservation(reason: .notTaken)
        case 6: return .sendMessage(.welcome, armedAt: clock.now)
        default: return .sendSurvey(closedAt: state?.timestamps.closed ?? clock.now)
        }
    }
}

extension Actor {
    fileprivate var person: (AgentID, String)? {
        if case .agent(let id, let name, _, _) = self { (id, name) } else { nil }
    }
}
