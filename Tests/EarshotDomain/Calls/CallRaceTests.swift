import EarshotModel
import EarshotTestKit
import Testing

@testable import EarshotDomain

/// Two sides and a server that act at random, whose messages are lost and overtake each other.
private struct CallRace {
    /// What a side believes of the call: what the events that it has say.
    private struct Side {
        let actor: Actor
        var seen = 0
        /// Commands under way, each with the moment of its arrival.
        var sent: [(at: Timestamp, command: Command)] = []
    }

    private var random: SeededGenerator
    private var state: ConversationState
    private var now = Timestamp(milliseconds: 1_000_000)
    private var log: [Event] = []
    private var sides: [Side]

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        let dana = Actor.agent(id: AgentID(trusted: "dana"), name: "Dana", role: .agent)
        state = ConversationState(
            ConversationIdentity(
                id: ConversationID(trusted: "c"), account: AccountID(trusted: "a"), app: AppID(trusted: "app"),
                consumer: ConsumerID(trusted: "k"), channel: .web))
        sides = [Side(actor: .consumer), Side(actor: dana)]
        perform(.send(.text("Hi")), by: .consumer)
        perform(.take, by: dana)
        perform(.invite(.voice), by: dana)
    }

    private var context: Context {
        var context = Context(now: now)
        context.calls.voice = true
        return context
    }

    private mutating func perform(_ command: Command, by actor: Actor) {
        guard let facts = try? state.decide(command, by: actor, in: context) else { return }
        write(facts)
    }

    private mutating func write(_ facts: [Fact]) {
        for fact in facts {
            let event = Event(sequence: state.sequence + 1, at: now, by: fact.by, kind: fact.kind)
            state.apply(event)
            log.append(event)
        }
    }

    /// What a side would do, as far as it knows: accept, hang up, or nothing.
    private mutating func act(_ index: Int) {
        let known = log.prefix(sides[index].seen)
        guard let invited = known.last(where: { if case .callInvited = $0.kind { true } else { false } }),
            !known.contains(where: { if case .callEnded = $0.kind { true } else { false } })
        else { return }
        let isAnswered = known.contains { if case .callAnswered = $0.kind { true } else { false } }
        let hangUp = Command.hangUp(.init(call: invited.sequence, failed: Bool.random(using: &random)))
        let accept = Command.answerCall(invited.sequence)
        let command = index == 0 && !isAnswered && Bool.random(using: &random) ? accept : hangUp
        // A tenth is lost on the way; the others take up to two seconds, so that they overtake each other.
        if Int.random(in: 0..<10, using: &random) == 0 { return }
        let arrival = now.adding(milliseconds: Int64.random(in: 0..<2_000, using: &random))
        sides[index].sent.append((arrival, command))
    }

    /// Half a minute of accidents, then half a minute in which everything arrives.
    mutating func run() -> (endings: Int, isOpen: Bool, agree: Bool) {
        for step in 0..<600 {
            now = now.adding(milliseconds: 100)
            for index in sides.indices {
                if step < 300, Int.random(in: 0..<40, using: &random) == 0 { act(index) }
                if Int.random(in: 0..<10, using: &random) == 0 { sides[index].seen = log.count }
                let due = sides[index].sent.filter { $0.at <= now }
                sides[index].sent.removeAll { $0.at <= now }
                for command in due.shuffled(using: &random) { perform(command.command, by: sides[index].actor) }
            }
            for action in state.scheduledActions(ContactCentreSettings(), Timetable(ContactCentreSettings()))
            where action.at <= now {
                var context = RoutingActionContext()
                context.now = now
                if case .endCall = action.action, let facts = try? state.decide(action.action, in: context) {
                    write(facts)
                }
            }
        }
        let endings = log.count { if case .callEnded = $0.kind { true } else { false } }
        let answers = log.count { if case .callAnswered = $0.kind { true } else { false } }
        let isOpen = state.routing.call.map { $0.answeredAt == nil } ?? false
        // Both read the same log: they agree where it tells one story.
        return (endings, isOpen, answers <= 1 && ConversationState.fold(log, of: state.identity) == state)
    }
}

@Suite struct `Two hundred races for one call` {
    @Test func `end once, the same for both sides, and none stays open`() {
        var (ended, goesOn) = (0, 0)
        for seed in 1...200 as ClosedRange<UInt64> {
            var race = CallRace(seed: seed)
            let result = race.run()
            #expect(result.endings <= 1 && result.agree && !result.isOpen, "seed \(seed)")
            if result.endings == 1 { ended += 1 } else { goesOn += 1 }
        }
        #expect(ended > 150 && ended + goesOn == 200, "\(ended) ended, \(goesOn) were answered and go on")
    }
}
