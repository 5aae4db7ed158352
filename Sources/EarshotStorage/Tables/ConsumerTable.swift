import EarshotCore
import EarshotModel
import GRDB

/// The table `consumer`.
struct ConsumerTable {
    private let rows: RowAccess

    init(_ rows: RowAccess) {
        self.rows = rows
    }

    func consumer(_ id: ConsumerID) async throws(AdapterFailure) -> Consumer? {
        try await rows.value(in: "consumer", id: id.rawValue, "SELECT body FROM consumer WHERE id = ?", [id.rawValue])
    }

    func save(_ consumer: Consumer) async throws(AdapterFailure) {
        let sql =
            "INSERT INTO consumer VALUES (?, ?, ?) "
            + "ON CONFLICT (id) DO UPDATE SET name = excluded.name, body = excluded.body"
        try await rows.save(consumer, sql, [consumer.id.rawValue, consumer.name])
    }
}
