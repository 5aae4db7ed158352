import EarshotCore
import EarshotModel
import GRDB

/// The table `consumer`.
extension AccountTables: ConsumerStore {
    func consumer(_ id: ConsumerID) async throws(AdapterFailure) -> Consumer? {
        try await rows.value(
            in: "consumer", id: id.rawValue, "SELECT \(ConsumerRow.body) WHERE p.id = ?", [id.rawValue])
    }

    func save(_ consumer: Consumer) async throws(AdapterFailure) {
        try await rows.write { [keys = rows.contentKeys] db in try ConsumerRow.save(consumer, keys, in: db) }
    }
}
