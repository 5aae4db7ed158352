import EarshotModel
import Testing

@testable import EarshotCore

@Suite struct `A cursor of the history` {
    private static let account = AccountID(trusted: "tulip")

    private static var full: SearchQuery {
        var query = SearchQuery(limit: 50)
        (query.words, query.status, query.isClosed) = ("naïve café", .closed, true)
        (query.consumer, query.skill) = (ConsumerID(trusted: "ann"), SkillID(trusted: "orders"))
        (query.agent, query.tag, query.csat) = (AgentID(trusted: "dana"), "vip", 3)
        (query.from, query.to) = (Timestamp(milliseconds: 1), Timestamp(milliseconds: 2))
        return query
    }

    private static func text(_ query: SearchQuery, _ account: AccountID = account) -> String {
        HistoryCursor(of: query, in: account).text(after: 812)
    }

    /// A program goes on with it after an update of the server: these texts are never changed.
    @Test func `is the same in every version of the server`() {
        #expect(Self.text(SearchQuery(limit: 1)) == "AAAAAAAAAywzO0f6hW2jOWcRVbg")
        #expect(Self.text(Self.full) == "AAAAAAAAAyz5t48E29_si-YRGHc")
        #expect(HistoryCursor(of: ConversationID(trusted: "talk")).text(after: 812) == "AAAAAAAAAyx_VbJ4MkQVPJ6SDgM")
    }

    @Test func `belongs to one value of each criterion`() {
        let changes: [(String, (inout SearchQuery) -> Void)] = [
            ("words", { $0.words = "naïve" }), ("status", { $0.status = .open }), ("isClosed", { $0.isClosed = false }),
            ("consumer", { $0.consumer = ConsumerID(trusted: "bob") }),
            ("skill", { $0.skill = SkillID(trusted: "general") }),
            ("agent", { $0.agent = AgentID(trusted: "eve") }), ("tag", { $0.tag = "late" }), ("csat", { $0.csat = 4 }),
            ("from", { $0.from = Timestamp(milliseconds: 0) }), ("to", { $0.to = nil }),
        ]
        let own = ["before", "limit", "scope", "includesNotes"]
        #expect(
            Set(Mirror(reflecting: Self.full).children.compactMap(\.label)) == Set(changes.map(\.0) + own),
            "every criterion is tried, or is no part of the query that a program asks")
        let texts = changes.map { _, change in
            var query = Self.full
            change(&query)
            return Self.text(query)
        }
        let all = texts + [Self.text(Self.full), Self.text(Self.full, AccountID(trusted: "rival"))]
        #expect(Set(all).count == all.count)
        var other = Self.full
        (other.limit, other.before) = (7, 9)
        #expect(Self.text(other) == Self.text(Self.full), "pages may have other lengths")
    }

    @Test func `cannot be confused by words that look like criteria`() {
        var (first, second) = (SearchQuery(limit: 1), SearchQuery(limit: 1))
        first.words = "a\ntag 1 b"
        (second.words, second.tag) = ("a", "b")
        #expect(Self.text(first) != Self.text(second))
    }

    @Test(arguments: ["", "AAAA", "!", String(repeating: "A", count: 27), String(repeating: "A", count: 28)])
    func `of another query or of no server is refused`(text: String) {
        #expect(throws: Rejection.self) { try HistoryCursor(of: Self.full, in: Self.account).number(text) }
    }

    @Test func `has its number`() throws {
        #expect(try HistoryCursor(of: Self.full, in: Self.account).number(Self.text(Self.full)) == 812)
    }
}
