import EarshotCore
import EarshotDomain
import EarshotModel

extension ConversationStoreContract {
    static var feedChecks: [Check] {
        [
            check("Feed positions of an account only rise, and no two changes share one") { probe in
                for number in 0..<12 {
                    try await probe.accept(.say("\(number)"), key: "k\(number)", in: .sample(number % 3))
                }
                let positions = probe.listener.notifications.map(\.position)
                try same(positions, positions.sorted(), "the positions")
                try same(Set(positions).count, positions.count, "different positions")
                try hold(positions.allSatisfy { $0 > 0 }, "positions begin above 0")
            },
            check("After a position come exactly the rows that changed since") { probe in
                for number in 1...5 { try await probe.accept(.say("Hello"), key: "k", in: .sample(number)) }
                let before = try await probe.store.inbox(AccountID(trusted: "brand"), after: nil)
                try same(before.rows.count, 5, "rows at first")
                try await probe.accept(.say("More"), key: "k2", in: .sample(2))
                try await probe.accept(.close, key: "k3", in: .sample(4), by: .mona)
                let changed = try await probe.store.inbox(AccountID(trusted: "brand"), after: before.position)
                try same(
                    changed.rows.map(\.conversation),
                    [ConversationIdentity.sample(2).id, ConversationIdentity.sample(4).id], "changed rows")
                try same(changed.rows.map(\.status), [.waiting, .closed], "their status")
                try same(changed.position, changed.rows.last?.position, "the position")
                let nothing = try await probe.store.inbox(AccountID(trusted: "brand"), after: changed.position)
                try same(nothing.rows.count, 0, "rows after the last position")
            },
            check("Accounts have feeds of their own") { probe in
                try await probe.accept(.say("Hello"), key: "k", in: .sample(1))
                try await probe.accept(.say("Hello"), key: "k", in: .sample(1, account: "other"))
                let other = try await probe.store.inbox(AccountID(trusted: "other"), after: nil)
                try same(
                    other.rows.map(\.conversation), [ConversationIdentity.sample(1, account: "other").id],
                    "the other's rows")
                let none = try await probe.store.inbox(AccountID(trusted: "nobody"), after: nil)
                try same(none.rows.count, 0, "rows of an account without conversations")
            },
            check("The first inbox has all open rows and the newest closed ones, in the order of their positions") {
                probe in
                let closed = Limits.closedRows + 3
                for number in 0..<(closed + 4) { try await probe.accept(.say("Hello"), key: "k", in: .sample(number)) }
                for number in 0..<closed { try await probe.accept(.close, key: "c", in: .sample(number), by: .mona) }
                let inbox = try await probe.store.inbox(AccountID(trusted: "brand"), after: nil)
                try same(inbox.rows.count { $0.status == .waiting }, 4, "open rows")
                try same(inbox.rows.count { $0.status == .closed }, Limits.closedRows, "closed rows")
                let oldest = inbox.rows.filter { $0.status == .closed }.first?.conversation
                try same(oldest, ConversationIdentity.sample(3).id, "the oldest closed row that is there")
                try same(inbox.rows.map(\.position), inbox.rows.map(\.position).sorted(), "the order")
            },
            check("A row says what the state says") { probe in
                try await probe.accept(.say("Hello"), key: "k", in: .sample())
                try await probe.accept(.play(.sample()), key: "k2", in: .sample())
                let view = try await probe.view(.sample())
                let inbox = try await probe.store.inbox(AccountID(trusted: "brand"), after: 0)
                let who = IdentityService.visitorName(of: ConversationIdentity.sample().consumer)
                try same(
                    inbox.rows, [view.state.row(marks: view.marks, who: who, position: inbox.position)!], "the rows")
                try same(inbox.rows.first?.unread, 2, "unread")
            },
        ]
    }

    static var markChecks: [Check] {
        [
            check("Marks only rise, never pass the last event, and notification with a new position") { probe in
                try await probe.accept(.say("Hello"), key: "k", in: .sample())
                let before = try await probe.store.inbox(AccountID(trusted: "brand"), after: nil).position
                probe.raise(delivered: 99, read: 1, by: .consumer)
                await probe.listener.wait { $0.contains { $0.marksMoved } }
                let marks = try await probe.view(.sample()).marks
                try same(marks[.consumer], Mark(by: .consumer, delivered: 2, read: 1), "the consumer's mark")
                probe.raise(delivered: 1, read: 2, by: .consumer)
                await probe.listener.wait { $0.count { $0.marksMoved } == 2 }
                let later = try await probe.view(.sample()).marks
                try same(later[.consumer], Mark(by: .consumer, delivered: 2, read: 2), "the consumer's mark later")
                let notification = probe.listener.notifications.last!
                try same(notification.position, before + 2, "the position after two movements")
                try same(notification.sequence, 2, "no event was written")
                let changed = try await probe.store.inbox(AccountID(trusted: "brand"), after: before)
                try same(changed.rows.map(\.position), [before + 2], "the row's position")
            },
            check("What the brand has read is not unread") { probe in
                try await probe.accept(.say("One"), key: "1", in: .sample())
                try await probe.accept(.take, key: "2", in: .sample(), by: .dana)
                try await probe.accept(.say("Two"), key: "3", in: .sample())
                probe.raise(delivered: 4, read: 4, by: .dana)
                await probe.listener.wait { $0.contains { $0.marksMoved } }
                let row = try await probe.store.inbox(AccountID(trusted: "brand"), after: nil).rows.first
                try same(row?.unread, 1, "unread")
            },
            check("Whoever is not in a conversation moves no mark; who joined in the same batch does") { probe in
                try await probe.accept(.say("Hello"), key: "k", in: .sample())
                probe.raise(delivered: 2, read: 2, by: .eli)
                probe.raise(delivered: 2, read: 2, by: .consumer, in: .sample(9))
                _ = await probe.together([probe.change(.take, key: "take", in: .sample(), by: .dana)]) {
                    probe.raise(delivered: 2, read: 2, by: .dana)
                }
                await probe.listener.wait { $0.contains { $0.marksMoved } }
                let view = try await probe.view(.sample())
                try same(view.marks.all, [Mark(by: .firstAgent, delivered: 2, read: 2)], "the marks")
            },
            check(
                "Marks that were raised before the store closed are there afterwards",
                before: { probe in
                    try await probe.accept(.say("Hello"), key: "k", in: .sample())
                    probe.raise(delivered: 2, read: 2, by: .consumer)
                },
                afterReopening: { probe, _ in
                    let marks = try await probe.view(.sample()).marks
                    try same(marks[.consumer].read, 2, "the consumer's read mark")
                }),
        ]
    }
}

extension StoreProbe {
    func raise(delivered: Int, read: Int, by actor: Actor, in identity: ConversationIdentity = .sample()) {
        store.raise(
            WatermarkUpdate(conversation: identity.id, delivered: delivered, read: read) { $0.participant(actor) })
    }
}
