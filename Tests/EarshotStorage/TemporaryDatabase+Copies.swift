import GRDB

@testable import EarshotStorage

extension TemporaryDatabase {
    /// Adds copies of the first conversation's row to its feed, each with a position of its own and without events.
    /// Only while the store is closed.
    func addCopies(_ count: Int, closed: Bool) throws {
        let keys = ContentKeys()
        try keys.unlock(.forTests, needed: [])
        var configuration = Configuration()
        configuration.prepareDatabase { keys.install(in: $0) }
        let other = try DatabaseQueue(path: path, configuration: configuration)
        try other.write { db in
            let names = try db.columns(in: "conversation").map(\.name)
            let changed = [
                "pk": "(SELECT max(pk) FROM conversation) + n",
                "id": "'copy-' || ((SELECT max(pk) FROM conversation) + n)",
                "position": "(SELECT max(position) FROM conversation) + n", "closed": closed ? "1" : "0",
                "status": closed ? "'closed'" : "status",
                // A copy has no key: its values are as those of earlier versions.
                "last_text": ContentField.preview.opened("last_text"), "people": ContentField.people.opened("people"),
                "routing": ContentField.routing.opened("routing"),
            ]
            try db.execute(
                sql: """
                    WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?)
                    INSERT INTO conversation (\(names.joined(separator: ", ")))
                    SELECT \(names.map { changed[$0] ?? $0 }.joined(separator: ", ")) FROM number
                    CROSS JOIN (SELECT * FROM conversation ORDER BY pk LIMIT 1) c \(ContentField.join())
                    """, arguments: [count])
        }
        try other.close()
    }
}
