import EarshotCore
import EarshotModel
import EarshotTestKit
import Testing

@testable import EarshotStorage

@Suite struct `What the store counts` {
    @Test func `is stored and repeated changes, and the commits that carried them`() async throws {
        let database = try TemporaryDatabase()
        let store = try database.open()
        let probe = StoreProbe(store)
        try await probe.accept(.say("Hello"), key: "k1", in: .sample())
        try await probe.accept(.say("Hello"), key: "k1", in: .sample())
        try await probe.accept(.say("Is anyone there?"), key: "k2", in: .sample())
        let values = Self.values(of: store)
        #expect(values["earshot_changes_total{stored}"] == 2)
        #expect(values["earshot_changes_total{repeated}"] == 1)
        #expect(values["earshot_changes_total{refused}"] == 0)
        #expect(values["earshot_writes_failed_total"] == 0)
        #expect(values["earshot_commit_writes_sum"] == 3)
        #expect(values["earshot_commit_seconds_count"] == values["earshot_commit_writes_count"])
        #expect(try #require(values["earshot_database_bytes"]) > 0)
        #expect(values["earshot_write_queue"] == 0)
        #expect(values["earshot_reads_open"] == 0)
        try store.close()
    }

    private static func values(of store: SQLiteStore) -> [String: Double] {
        var values: [String: Double] = [:]
        for family in store.metrics.map(\.family) {
            for sample in family.samples where sample.suffix != "_bucket" {
                let labels = sample.labels.isEmpty ? "" : "{\(sample.labels.map(\.value).joined())}"
                values[family.name + sample.suffix + labels] = sample.value
            }
        }
        return values
    }
}
