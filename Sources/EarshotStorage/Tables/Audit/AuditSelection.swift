import EarshotCore
import EarshotModel
import GRDB

/// A query of the audit log as SQL: its statement reads number and body of each entry, newest first.
struct AuditSelection {
    private var conditions = ["account = ?", "pk < ?"]
    private var values: [any DatabaseValueConvertible]
    private let limit: Int

    init(_ account: AccountID, _ query: AuditQuery) {
        values = [account.rawValue, query.before ?? .max]
        limit = max(0, query.limit)
        add("by = ?", query.by)
        add("conversation = ?", query.conversation?.rawValue)
        add("at >= ?", query.from?.milliseconds)
        add("at < ?", query.to?.milliseconds)
        if !query.actions.isEmpty {
            conditions.append("what IN (\(query.actions.map { _ in "?" }.joined(separator: ", ")))")
            values += query.actions.map(\.rawValue).sorted()
        }
    }

    var sql: String {
        "SELECT pk, body FROM audit WHERE \(conditions.joined(separator: " AND ")) ORDER BY pk DESC LIMIT ?"
    }

    var arguments: StatementArguments { StatementArguments(values + [limit]) }

    private mutating func add(_ condition: String, _ value: (any DatabaseValueConvertible)?) {
        guard let value else { return }
        conditions.append(condition)
        values.append(value)
    }
}
