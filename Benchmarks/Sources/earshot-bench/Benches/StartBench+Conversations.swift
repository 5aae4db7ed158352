import CLoad
import Foundation
import Glibc

extension StartBench {
    private static let conversations = Scale.of(1_000_000, quick: 1_000)
    private static let open = Scale.of(10_000, quick: 10)

    /// Starts with many conversations on disk, of which few are open: time and memory should depend on the open ones.
    static func withConversations(_ figures: inout Figures) throws {
        let data = try Folders.fresh("conversations") + "/data"
        try fill(data)
        print("start: \(conversations) conversations, \(open) of them open; load average \(loadAverage())")
        var (ready, memory): ([Double], [Double]) = ([], [])
        for _ in 0..<Scale.of(5, quick: 1) {
            let server = try ServerProcess(ServerProcess.Options(data: data))
            try ready.append(Double(server.waitUntilReady().answered - server.spawnedAt) / 1e6)
            pause(milliseconds: Scale.of(2_000, quick: 100))
            memory.append(server.rss / 1024)
            server.end(SIGTERM)
        }
        print("  ready after \(ready.map(Figures.text).joined(separator: " ")) ms")
        figures.set("ready_ms_conversations", median(ready), "ms from spawn until the server is ready, median of 5")
        figures.set("rss_mib_conversations", median(memory), "MiB RSS, 2 s after that")
        figures.set("stored_conversations", Double(conversations), "on disk, \(open) of them open")
    }

    /// One conversation is written by the server; the others are copies of its row. What a start reads of a
    /// conversation is in its row.
    private static func fill(_ data: String) throws {
        try Installation.copy(to: data)
        let server = try ServerProcess(ServerProcess.Options(data: data))
        try server.waitUntilReady()
        let load = try MessageLoad(conversations: 1, port: server.port, poller: Poller())
        load.say(in: 0, due: now())
        try load.settle()
        server.end(SIGTERM)
        try copies(conversations - open, isClosed: true, in: data)
        try copies(open - 1, isClosed: false, in: data)
    }

    private static let routing = """
        {"attributes":{},"closedQuietly":false,"here":[],"isAnswered":false,"isUrgent":false,"mentioned":[],\
        "refused":[],"said":{},"tags":[],"transfers":0,"wasResumedByBrand":false}
        """

    private static func copies(_ count: Int, isClosed: Bool, in data: String) throws {
        let changed = [
            "pk": "(SELECT max(pk) FROM conversation) + n",
            "id": "'copy' || substr('000000000000000000' || ((SELECT max(pk) FROM conversation) + n), -18)",
            "position": "(SELECT max(position) FROM conversation) + n", "closed": isClosed ? "1" : "0",
            "status": isClosed ? "'closed'" : "status",
            "since": isClosed ? "since - 86400000 * (1 + n % 300)" : "since",
            // A copy has no key, so it cannot have the encrypted values of the original.
            "last_text": "'Hello'", "people": "CAST('[{\"by\":1,\"role\":\"consumer\",\"name\":\"Visitor\"}]' AS BLOB)",
            "routing": "'\(routing)'",
        ]
        let columns = [
            "pk", "id", "feed", "app", "consumer", "channel", "position", "closed", "status", "sequence", "at", "since",
            "assignee", "last_by", "last_text", "last_audio", "people", "unanswered", "watermarks", "unplayed",
            "playback_position", "timestamps", "routing",
        ]
        let sql = """
            WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < \(count))
            INSERT INTO conversation (\(columns.joined(separator: ", ")))
            SELECT \(columns.map { changed[$0] ?? $0 }.joined(separator: ", ")) FROM number
            CROSS JOIN (SELECT * FROM conversation ORDER BY pk LIMIT 1);
            """
        try Program.run("/usr/bin/sqlite3", [data + "/earshot.sqlite", sql])
    }
}
