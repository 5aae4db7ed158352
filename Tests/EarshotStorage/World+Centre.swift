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
        switch Int.random(in: 0..<15, using: &random) {
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
        default: return .noticed
        }
    }

    /// Earshot does something by itself, if it fits.
    mutating func stepItself() async {
        let probe = StoreProbe(store, clock: clock, connecting: false)
        steps += 1
        let identity = Self.conversations.randomElement(using: &random)!
        _ = await probe.perform(probe.change(await aStep(identity), key: "step-\(steps)", in: identity))
    }

    private mutating func aStep(_ identity: ConversationIdentity) async -> Step {
        let people = [Actor.dana, .mona].compactMap { $0.person?.0 }
        let until = clock.now.adding(milliseconds: 30_000)
        let state = try? await store.view(identity.id, after: nil, limit: 1)?.state
        switch Int.random(in: 0..<9, using: &random) {
        case 7: return .route(to: Self.skills[1], urgent: Bool.random(using: &random))
        case 0...1: return .offer(to: people, until: until)
        case 2: return .lapse(people)
        case 3: return .assign(people[0], name: "Dana", role: .agent)
        case 4: return .requeue(.silent, skill: Self.skills[0])
        case 5: return .release(skill: Self.skills[1])
        case 6: return .say(.welcome, "Welcome \(steps)", armed: clock.now)
        default:
            return .survey(
                .init(
                    question: "How was it?", csat: true, nps: true, words: true,
                    until: clock.now.adding(milliseconds: 600_000)),
                after: state?.timestamps.closed ?? clock.now)
        }
    }
}

extension Actor {
    fileprivate var person: (AgentID, String)? {
        if case .agent(let id, let name, _) = self { (id, name) } else { nil }
    }
}
