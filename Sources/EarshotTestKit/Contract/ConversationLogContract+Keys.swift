import EarshotCore
import EarshotDomain
import EarshotModel

/// Idempotency keys, and changes that are written in one batch.
extension ConversationLogContract {
    static var repeatedKeyChecks: [Check] {
        [
            check("A repeated key gets the first answer again, and nothing is written") { probe in
                let first = try await probe.accept(.say("Hello"), key: "k", in: .sample())
                probe.clock.advance(milliseconds: 60_000)
                try await probe.accept(.say("More"), key: "k2", in: .sample())
                let again = try await probe.accept(.say("Hello"), key: "k", in: .sample())
                try same(again, Accepted(sequence: first.sequence, at: first.at, isRepeat: true), "the answer")
                let sequence = try await probe.view(.sample()).state.sequence
                try same(sequence, 3, "the last event")
            },
            check("A repeated key is a repeat even where the command would be refused now") { probe in
                try await probe.accept(.say("Hello"), key: "k", in: .sample())
                let first = try await probe.accept(.take, key: "take", in: .sample(), by: .dana)
                let again = try await probe.accept(.take, key: "take", in: .sample(), by: .dana)
                try same(again, Accepted(sequence: first.sequence, at: first.at, isRepeat: true), "the answer")
            },
            check("A key with another command is refused, and changes nothing") { probe in
                try await probe.accept(.say("Hello"), key: "k", in: .sample())
                let code = try await probe.refusal(.say("Goodbye"), key: "k", in: .sample())
                try same(code, .keyReused, "the refusal")
                let sequence = try await probe.view(.sample()).state.sequence
                try same(sequence, 2, "the last event")
            },
            check("One key ten times at once is stored once, and everyone gets the same number") { probe in
                try await probe.accept(.say("Before"), key: "before", in: .sample())
                let answers = try await withThrowingTaskGroup(of: Accepted.self) { group in
                    for _ in 0..<10 { group.addTask { try await probe.accept(.say("Hello"), key: "k", in: .sample()) } }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                try same(Set(answers.map(\.sequence)), [3], "the numbers")
                try same(answers.count { !$0.isRepeat }, 1, "first answers")
                let sequence = try await probe.view(.sample()).state.sequence
                try same(sequence, 3, "the last event")
            },
            check("Within one batch too, a key is stored once and a changed body is refused") { probe in
                let changes = ["Hello", "Hello", "Changed", "Hello"].map {
                    probe.change(.say($0), key: "k", in: .sample())
                }
                let answers = await probe.together(changes)
                try same(try answers[0].get(), Accepted(sequence: 2, at: probe.clock.now, isRepeat: false), "the first")
                try same(try answers[1].get(), Accepted(sequence: 2, at: probe.clock.now, isRepeat: true), "the second")
                try same(try answers[2].refusal(), .keyReused, "the changed one")
                try same(try answers[3].get().isRepeat, true, "the last")
            },
        ]
    }

    static var keyScopeChecks: [Check] {
        [
            check("Keys belong to their author and their conversation") { probe in
                try await probe.accept(.say("Hello"), key: "k", in: .sample(1))
                let other = try await probe.accept(.say("Hello"), key: "k", in: .sample(2))
                let agent = try await probe.accept(.say("Hello"), key: "k", in: .sample(1), by: .dana)
                try same([other.isRepeat, agent.isRepeat], [false, false], "repeats")
            },
            check(
                "Keys are kept for ever",
                before: { probe in try await probe.accept(.say("Hello"), key: "k", in: .sample()) },
                afterReopening: { probe, first in
                    let again = try await probe.accept(.say("Hello"), key: "k", in: .sample())
                    try same(again, Accepted(sequence: first.sequence, at: first.at, isRepeat: true), "the answer")
                    let code = try await probe.refusal(.say("Other"), key: "k", in: .sample())
                    try same(code, .keyReused, "the refusal")
                }),
        ]
    }

    static var batchChecks: [Check] {
        [
            check("A refused change leaves its neighbours in the batch alone") { probe in
                let answers = await probe.together([
                    probe.change(.say("One"), key: "1", in: .sample()),
                    probe.change(.say(" "), key: "2", in: .sample()),
                    probe.change(.take, key: "3", in: .sample(), by: .dana),
                    probe.change(.take, key: "4", in: .sample(), by: .eli),
                    probe.change(.say("Two"), key: "5", in: .sample()),
                    probe.change(.close, key: "6", in: .sample(9), by: .dana),
                ])
                try same(try answers[0].get().sequence, 2, "the first")
                try same(try answers[1].refusal(), .textEmpty, "the empty one")
                try same(try answers[2].get().sequence, 4, "who takes it first")
                try same(try answers[3].refusal(), .alreadyTaken, "who takes it second")
                try same(try answers[4].get().sequence, 5, "the last")
                try same(try answers[5].refusal(), .notFound, "the unknown one")
            },
            check("An event is in the tail, and the commit listener was notified, before its sender is answered") {
                probe in
                for number in 1...20 {
                    let change = probe.change(.say("\(number)"), key: "k\(number)", in: .sample())
                    let order = await withCheckedContinuation { continuation in
                        probe.store.change(change) { answer in
                            let sequence = (try? answer.get().sequence) ?? 0
                            let tail = probe.store.tail(change.target.conversation, after: sequence - 1)
                            let hasNotified = probe.listener.notifications.contains {
                                $0.conversation == change.target.conversation && $0.sequence == sequence
                            }
                            continuation.resume(
                                returning: (
                                    tail: tail?.events.last?.sequence, wanted: sequence, hasNotified: hasNotified
                                ))
                        }
                    }
                    try same(order.tail, order.wanted, "the last event of the tail")
                    try hold(order.hasNotified, "the commit listener was notified")
                }
            },
        ]
    }
}
