import EarshotCore
import EarshotDomain
import EarshotModel

/// Watermarks: how far each participant received and read a conversation.
enum WatermarkContract<Subject: StoreUnderTest>: ConversationContractSuite {
    static var checks: [ContractCheck<Subject>] {
        [
            check("Marks only rise, never pass the last event, and are notified with a new position") { probe in
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
            check("Only a participant moves marks, also one who joined in the same batch") { probe in
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
