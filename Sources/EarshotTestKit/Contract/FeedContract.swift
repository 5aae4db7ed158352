import EarshotCore
import EarshotDomain
import EarshotModel

/// The feed of an account: positions, and the inbox rows that changed after a position.
enum FeedContract<Subject: StoreUnderTest>: ConversationContractSuite {
    static var checks: [ContractCheck<Subject>] { positionChecks + rowChecks + boundChecks }

    private static var positionChecks: [Check] {
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
        ]
    }

    private static var rowChecks: [Check] {
        [
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
                let who = Consumer.visitorName(of: ConversationIdentity.sample().consumer)
                try same(
                    inbox.rows, [InboxRow(view.state, marks: view.marks, who: who, position: inbox.position)!],
                    "the rows")
                try same(inbox.rows.first?.unread, 2, "unread")
            },
        ]
    }

    private static var boundChecks: [Check] {
        [
            check("After a position that is too far back comes the first inbox, and no more") { probe in
                let account = ConversationIdentity.sample(0).account
                for number in 0...Limits.changedRows {
                    try await probe.accept(.say("Hello"), key: "k", in: .sample(number))
                }
                let all = try await probe.store.inbox(account, after: 0)
                try same(all.continuesPosition, false, "one more than an answer has")
                try same(all.rows.count, Limits.openRows, "the rows of the first inbox")
                let first = probe.listener.notifications.map(\.position).min() ?? 0
                let rest = try await probe.store.inbox(account, after: first)
                try same(rest.continuesPosition, true, "as many as an answer has")
                try same(rest.rows.count, Limits.changedRows, "the changed rows")
                try same(rest.position, all.position, "the position")
            },
            check("A position that the feed does not have begins with the first inbox") { probe in
                let account = ConversationIdentity.sample(1).account
                try await probe.accept(.say("Hello"), key: "k", in: .sample(1))
                let now = try await probe.store.inbox(account, after: nil).position
                for position in [-1, now + 1, .min, .max] {
                    let inbox = try await probe.store.inbox(account, after: position)
                    try same(inbox.continuesPosition, false, "\(position)")
                    try same(inbox.rows.count, 1, "the rows after \(position)")
                }
                for position in [0, now] {
                    try same(
                        try await probe.store.inbox(account, after: position).continuesPosition, true, "\(position)")
                }
            },
            check("Changed rows come in pages, oldest change first, and none is left out") { probe in
                let account = ConversationIdentity.sample(0).account
                for number in 0..<7 { try await probe.accept(.say("Hello"), key: "k", in: .sample(number)) }
                for number in [1, 4] { try await probe.accept(.close, key: "c", in: .sample(number), by: .mona) }
                var (found, position, pages): ([ConversationID], Int64, Int) = ([], 0, 0)
                while true {
                    let page = try await probe.store.changedRows(of: account, after: position, limit: 3)
                    (found, position, pages) = (found + page.rows.map(\.conversation), page.position, pages + 1)
                    guard page.rows.count == 3 else { break }
                }
                try same(found, [0, 2, 3, 5, 6, 1, 4].map { ConversationIdentity.sample($0).id }, "the rows")
                try same(pages, 3, "pages")
                try same(position, try await probe.store.inbox(account, after: nil).position, "the last position")
            },
        ]
    }
}
