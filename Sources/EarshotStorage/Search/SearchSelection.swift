import EarshotCore
import EarshotDomain
import EarshotModel
import GRDB

/// The filters of a search in one feed, and the rows that pass them, newest change first.
struct SearchSelection {
    /// A filter that at most so many conversations pass is looked up first; otherwise conversations are read from the
    /// newest on until a page is full.
    private static let mostCandidates = 2_000

    /// A row, with the conversation's key.
    struct Found {
        let pk: Int64
        let row: InboxRow
    }

    /// One filter by facets: any of the values.
    private struct FacetFilter {
        let kind: SearchFacet.Kind
        let values: [String]

        init?(_ kind: SearchFacet.Kind, _ values: [String]?) {
            guard let values else { return nil }
            (self.kind, self.values) = (kind, values)
        }

        func arguments(_ feed: Int64) -> StatementArguments {
            [feed, kind.rawValue] + StatementArguments(values)
        }

        var condition: String {
            "feed = ? AND kind = ? AND value IN (\(values.map { _ in "?" }.joined(separator: ", ")))"
        }
    }

    private let feed: Int64
    private let query: SearchQuery
    private let facets: [FacetFilter]

    init(_ query: SearchQuery, in feed: Int64) {
        (self.feed, self.query) = (feed, query)
        facets = [
            FacetFilter(.tag, query.tag.map { [$0] }), FacetFilter(.agent, query.agent.map { [$0.rawValue] }),
            FacetFilter(.csat, query.csat.map { ($0 < 1 ? [] : Array(1...$0)).map(String.init) }),
            FacetFilter(.skill, query.skill.map { [$0.rawValue] }),
        ].compactMap { $0 }
    }

    /// The results without words.
    func results(_ db: Database) throws -> [SearchResult] {
        let found =
            if let candidates = try candidates(db) {
                try rows(in: candidates, db)
            } else {
                try newestRows(db)
            }
        return found.map { SearchResult(row: $0.row, match: nil) }
    }

    /// The rows among conversations in which words were found.
    func results(among hits: [Int64: Int64], _ db: Database) throws -> [Found] {
        try rows(in: Array(hits.keys), db)
    }

    /// The conversations that pass the first filter that only few pass.
    private func candidates(_ db: Database) throws -> [Int64]? {
        if let consumer = query.consumer {
            let sql = """
                SELECT pk FROM conversation WHERE id = (SELECT conversation FROM consumer WHERE id = ?)
                """
            return try Int64.fetchAll(db.cachedStatement(sql: sql), arguments: [consumer.rawValue])
        }
        for facet in facets {
            let sql = "SELECT conversation FROM search_facet WHERE \(facet.condition) LIMIT \(Self.mostCandidates + 1)"
            let found = try Int64.fetchAll(db.cachedStatement(sql: sql), arguments: facet.arguments(feed))
            if found.count <= Self.mostCandidates { return found }
        }
        return nil
    }

    private func rows(in candidates: [Int64], _ db: Database) throws -> [Found] {
        let list = "[" + candidates.map(String.init).joined(separator: ",") + "]"
        return try read("c.pk IN (SELECT value FROM json_each(?)) AND c.feed = ?", [list, feed], db)
    }

    /// Reads the feed's index of positions from its end. It has an end for open conversations and one for closed ones.
    private func newestRows(_ db: Database) throws -> [Found] {
        let isClosed = query.isClosed ?? query.status.map { $0 == .closed }
        let sides = isClosed.map { [$0 ? 1 : 0] } ?? [0, 1]
        let rows = try sides.flatMap { try read("c.feed = ? AND c.closed = ?", [feed, $0], db) }
        return Array(rows.sorted { $0.row.position > $1.row.position }.prefix(max(0, query.limit)))
    }

    private func read(_ source: String, _ sourceArguments: StatementArguments, _ db: Database) throws -> [Found] {
        var (conditions, arguments) = ([source], sourceArguments)
        func demand(_ condition: String, _ value: (any DatabaseValueConvertible)?) {
            guard let value else { return }
            conditions.append(condition)
            arguments += [value]
        }
        demand("c.status = ?", query.status?.rawValue)
        demand("c.closed = ?", query.isClosed.map { $0 ? 1 : 0 })
        demand("c.consumer = ?", query.consumer?.rawValue)
        demand("c.position < ?", query.before)
        demand("c.at >= ?", query.from?.milliseconds)
        demand("c.at <= ?", query.to?.milliseconds)
        for facet in facets {
            conditions.append(
                "EXISTS (SELECT 1 FROM search_facet WHERE \(facet.condition) AND conversation = c.pk)")
            arguments += facet.arguments(feed)
        }
        if case .part(let part) = query.scope {
            let scope = ScopeCondition(part)
            conditions.append(scope.sql)
            arguments += scope.arguments
        }
        let sql = """
            SELECT \(ConversationRow.columns), \(ConversationRow.nameColumn) FROM \(ConversationRow.source) \
            LEFT JOIN consumer p ON p.id = c.consumer
            WHERE \(conditions.joined(separator: " AND ")) ORDER BY c.position DESC LIMIT ?
            """
        arguments += [max(0, query.limit)]
        // A damaged row has been noted by whatever read it first.
        return try PreparedStatement(cached: sql, in: db).all(arguments) { row -> Found? in
            guard let found = try? ConversationRow.readInboxRow(row) else { return nil }
            return found.row.map { Found(pk: found.pk, row: $0) }
        }.compactMap { $0 }
    }
}
