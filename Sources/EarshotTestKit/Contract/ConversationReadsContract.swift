import EarshotCore
import EarshotDomain
import EarshotModel

/// Reading a conversation: pages, views, tails, and what is there after the store opens again.
enum ConversationReadsContract<Subject: StoreUnderTest>: ConversationContractSuite {
    static var checks: [ContractCheck<Subject>] { viewChecks + tailChecks + identityChecks + reopeningChecks }

    private static var viewChecks: [Check] {
        [
            check("A page has the newest events below its number, oldest first") { probe in
                try await probe.talk(upTo: 30)
                let pages = try await [31, 11, 3, 1].asyncMap {
                    try await probe.store.page(ConversationIdentity.sample().id, before: $0, limit: 10)
                }
                try same(pages.map { $0.map(\.sequence) }, [Array(21...30), Array(1...10), [1, 2], []], "the pages")
                let none = try await probe.store.page(ConversationIdentity.sample(9).id, before: 5, limit: 10)
                try hold(none.isEmpty, "no page of an unknown conversation")
                let odd = try await [Int.min, 0, Int.max].asyncMap {
                    try await probe.store.page(ConversationIdentity.sample().id, before: $0, limit: .max)
                }
                try same(odd.map(\.count), [0, 0, 30], "events below the smallest number, 0 and the largest")
            },
            check(
                "A view continues a cursor that is near, and starts again from one that is far or beyond the last event"
            ) { probe in
                try await probe.talk(upTo: 30)
                try await probe.expectViews()
            },
            check(
                "After a restart the views are the same",
                before: { probe in try await probe.talk(upTo: 30) },
                afterReopening: { probe, _ in try await probe.expectViews() }),
        ]
    }

    private static var tailChecks: [Check] {
        [
            check("A tail is all that came after a number, or nothing at all") { probe in
                try await probe.talk(upTo: 30)
                let id = ConversationIdentity.sample().id
                let view = try await probe.view(.sample(), after: 25)
                guard let tail = probe.store.tail(id, after: 25) else {
                    throw ContractBroken(description: "no tail of what was just written")
                }
                try same(tail.events, view.events, "its events")
                try same(tail.state, view.state, "its state")
                try same(tail.position, probe.listener.notifications.last!.position, "its position")
                try same(probe.store.tail(id, after: 30)?.events.count, 0, "events after the last")
                try hold(
                    probe.store.tail(ConversationIdentity.sample(9).id, after: 0) == nil,
                    "no tail of an unknown conversation")
            },
            check(
                "A tail never begins later than it was asked for",
                before: { probe in try await probe.talk(upTo: 30) },
                afterReopening: { probe, _ in
                    try await probe.accept(.say("After the restart"), key: "restart", in: .sample())
                    let id = ConversationIdentity.sample().id
                    try hold(
                        probe.store.tail(id, after: 10).map { $0.events.first?.sequence == 11 } ?? true,
                        "the tail after 10")
                    try hold(
                        probe.store.tail(id, after: 30).map { $0.events.map(\.sequence) == [31] } ?? true,
                        "the tail after 30")
                }),
        ]
    }

    private static var identityChecks: [Check] {
        [
            check("Whose conversation it is can be asked, in memory and on disk") { probe in
                try await probe.accept(.say("Hello"), key: "k", in: .sample())
                let identity = try await probe.store.identity(of: ConversationIdentity.sample().id)
                try same(identity, .sample(), "the identity")
            },
            check("The states of several conversations are read at once, of their brand only") { probe in
                try await probe.accept(.say("One"), key: "1", in: .sample(1))
                try await probe.accept(.say("Two"), key: "2", in: .sample(2))
                let asked = [1, 2, 3].map { ConversationIdentity.sample($0).id }
                let account = ConversationIdentity.sample().account
                let states = try await probe.store.states(of: asked, in: account)
                let views = [try await probe.view(.sample(1)).state, try await probe.view(.sample(2)).state]
                try same(states, [asked[0]: views[0], asked[1]: views[1]], "the states")
                try same(try await probe.store.states(of: [], in: account), [:], "of none")
                try same(
                    try await probe.store.states(of: asked, in: AccountID(trusted: "other")), [:], "another brand's")
            },
        ]
    }

    private static var reopeningChecks: [Check] {
        [
            Check("An epoch names one database for all its life") { subject in
                let first = try await subject.open()
                let epoch = first.log.epoch
                try await subject.close(first)
                let second = try await subject.open()
                let again = second.log.epoch
                try await subject.close(second)
                try hold(!epoch.isEmpty, "there is an epoch")
                try same(again, epoch, "the epoch after reopening")
            },
            check(
                "A store that was closed and opened again has everything, and goes on where it was",
                before: { probe in
                    try await probe.accept(.say("One"), key: "1", in: .sample(1))
                    try await probe.accept(.say("Two"), key: "2", in: .sample(2))
                    try await probe.accept(.take, key: "3", in: .sample(1), by: .dana)
                    return Snapshot(
                        view: try await probe.view(.sample(1)),
                        inbox: try await probe.store.inbox(AccountID(trusted: "brand"), after: nil))
                },
                afterReopening: { probe, before in
                    let after = Snapshot(
                        view: try await probe.view(.sample(1)),
                        inbox: try await probe.store.inbox(AccountID(trusted: "brand"), after: nil))
                    try same(after.view.state, before.view.state, "the state")
                    try same(after.view.events, before.view.events, "the events")
                    try same(after.inbox.rows, before.inbox.rows, "the rows")
                    let accepted = try await probe.accept(.say("Three"), key: "4", in: .sample(1), by: .dana)
                    try same(accepted.sequence, before.view.state.sequence + 1, "the next number")
                    try same(
                        probe.listener.notifications.last!.position, before.inbox.position + 1, "the next position")
                }),
        ]
    }
}

/// What is compared across a restart.
private struct Snapshot: Sendable {
    let view: ConversationView
    let inbox: Inbox
}

extension StoreProbe {
    /// Says something until the sample conversation has so many events.
    func talk(upTo last: Int) async throws {
        for number in 2...last { try await accept(.say("\(number)"), key: "k\(number)", in: .sample()) }
    }

    /// Views of a conversation of 30 events.
    func expectViews() async throws {
        let cases: [(after: Int?, events: ClosedRange<Int>, continues: Bool, more: Bool)] = [
            (nil, 21...30, false, true), (20, 21...30, true, true), (29, 30...30, true, true),
            (19, 21...30, false, true), (31, 21...30, false, true),
            (-1, 21...30, false, true),
        ]
        for (after, events, continues, more) in cases {
            let view = try await view(.sample(), after: after, limit: 10)
            try same(view.events.map(\.sequence), Array(events), "events after \(after.map(String.init) ?? "nothing")")
            try same(view.continuesCursor, continues, "whether it goes on from \(after.map(String.init) ?? "nothing")")
            try same(view.hasMore, more, "whether there are older ones")
        }
        let current = try await view(.sample(), after: 30, limit: 10)
        try hold(current.events.isEmpty && current.continuesCursor, "who has everything gets nothing, and goes on")
        let all = try await view(.sample(), limit: 30)
        try same(all.events.map(\.sequence), Array(1...30), "all events")
        try same(all.hasMore, false, "whether there are older ones than the first")
    }
}

extension Sequence where Element: Sendable {
    func asyncMap<T>(_ value: (Element) async throws -> T) async rethrows -> [T] {
        var values: [T] = []
        for element in self { values.append(try await value(element)) }
        return values
    }
}
