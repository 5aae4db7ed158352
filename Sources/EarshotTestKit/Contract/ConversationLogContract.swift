import EarshotCore
import EarshotDomain
import EarshotModel

/// The log of a conversation: its events, their numbers, and what the writer does with a batch of changes.
enum ConversationLogContract<Subject: StoreUnderTest>: ConversationContractSuite {
    static var checks: [ContractCheck<Subject>] {
        writeChecks + answerChecks + repeatedKeyChecks + keyScopeChecks + batchChecks
    }

    private static var writeChecks: [Check] {
        [
            check("The events of a conversation are numbered from 1 without gaps, however many write at once") {
                probe in
                let conversations = (1...3).map { ConversationIdentity.sample($0) }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for writer in 0..<8 {
                        group.addTask {
                            for number in 0..<25 {
                                try await probe.accept(
                                    .say("\(writer) \(number)"), key: "k-\(writer)-\(number)",
                                    in: conversations[number % 3])
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                for identity in conversations {
                    let view = try await probe.view(identity, limit: 1_000)
                    try same(view.events.map(\.sequence), Array(1...view.state.sequence), "numbers")
                }
                let total = try await conversations.asyncSum { try await probe.view($0).state.sequence }
                try same(total, 8 * 25 + 3, "events of eight writers, and one 'started' each")
            },
            check("An unknown conversation begins only where it may") { probe in
                let code = try await probe.refusal(.say("Hello"), key: "k", in: .sample(), by: .dana)
                try same(code, .notFound, "the refusal")
                let view = try await probe.store.view(ConversationIdentity.sample().id, after: nil, limit: 10)
                try hold(view == nil, "nothing was written")
                let identity = try await probe.store.identity(of: ConversationIdentity.sample().id)
                try hold(identity == nil, "no conversation was made")
            },
            check("A refused change writes nothing and leaves its key free") { probe in
                try await probe.accept(.say("Hello"), key: "first", in: .sample())
                let code = try await probe.refusal(.say("   "), key: "second", in: .sample())
                try same(code, .textEmpty, "the refusal")
                let sequence = try await probe.view(.sample()).state.sequence
                try same(sequence, 2, "the last event")
                let accepted = try await probe.accept(.say("Again"), key: "second", in: .sample())
                try same(accepted.isRepeat, false, "the key is new")
            },
        ]
    }

    private static var answerChecks: [Check] {
        [
            check("The answer is the number and time of what was said, behind what came with it") { probe in
                let first = try await probe.accept(.say("Hello"), key: "a", in: .sample())
                try same(first, Accepted(sequence: 2, at: probe.clock.now, isRepeat: false), "after 'started'")
                probe.clock.advance(milliseconds: 5)
                let second = try await probe.accept(.say("Hi"), key: "b", in: .sample(), by: .dana)
                try same(
                    second, Accepted(sequence: 5, at: probe.clock.now, isRepeat: false), "after 'joined' and 'assigned'"
                )
            },
            check("The state is what the events add up to, and the events are stored in their wire form") { probe in
                var scenario = ConversationScenario()
                let commands: [(Command, Actor)] = [
                    (.say("Hello \u{1F44B}\u{1F3FD} \"quoted\"\n\u{0}"), .consumer), (.play(.sample()), .consumer),
                    (.take, .dana), (.say("Hi"), .dana),
                    (.close, .mona), (.say("One more"), .consumer), (.say("Yes?"), .eli),
                ]
                for (index, (command, actor)) in commands.enumerated() {
                    probe.clock.advance(milliseconds: 1000)
                    try await probe.accept(command, key: "k\(index)", in: .sample(), by: actor)
                    try scenario.perform(command, by: actor)
                }
                let view = try await probe.view(.sample())
                try same(view.state, scenario.state, "the state")
                try hold(
                    zip(view.events, scenario.events).allSatisfy { $0.isStored(of: $1) }, "the events as they happened")
                try same(view.events.count, scenario.events.count, "how many events")
            },
        ]
    }
}

extension Sequence where Element: Sendable {
    func asyncSum(_ value: (Element) async throws -> Int) async rethrows -> Int {
        var sum = 0
        for element in self { sum += try await value(element) }
        return sum
    }
}

/// Whether a stored event is the encoding of an event.
extension StoredEvent {
    func isStored(of event: Event) -> Bool {
        sequence == event.sequence && encoded == event.wireBytes
            && isSameForAll == (event.visible(to: .consumer) == .same)
    }
}
