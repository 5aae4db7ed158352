import CLoad
import Foundation
import Synchronization

/// What searches do to everybody else: `GET /v1/session` beside several people who search all the time.
enum SearchBench {
    private static let messages = Scale.of(200_000, quick: 300)
    private static let seconds = Scale.of(6.0, quick: 0.2)
    private static let crowds = Scale.of([0, 4, 8], quick: [0, 1, 2])
    private static let names = ["dana", "omar", "lea", "noah", "ines", "kenji"]

    static func run() throws -> Figures {
        var figures = Figures("search")
        let data = try StoredMessages.copy(of: StoredMessages.folder(messages))
        let server = try ServerProcess(ServerProcess.Options(data: data))
        try server.waitUntilReady()
        print(
            "search: \(messages) messages; GET /v1/session every 10 ms for \(Int(seconds)) s beside people who search "
                + "all the time; load average \(loadAverage())"
        )
        try waitUntilIndexed(server)
        // Signing in costs more than all searches, on purpose: once.
        let searchers = try (0..<(crowds.last ?? 0)).map {
            try Agent(data: server.data, port: server.port, email: names[$0 % names.count] + "@demo.example")
        }
        let watcher = try Agent(data: server.data, port: server.port, email: "mira@demo.example")
        for word in ["h", "hel", "hello"] {
            for people in crowds where people > 0 || word == "h" {
                let course = try course(server, Array(searchers.prefix(people)), beside: watcher, word: word)
                print("  \(people) x q=\(word): \(course.told)")
                let name = people == 0 ? "alone" : "\(people)x_\(word)"
                figures.set("session_p99_ms_\(name)", course.session.percentile(0.99), "ms, GET /v1/session")
                figures.set("session_max_ms_\(name)", course.session.percentile(1), "ms, the slowest")
                guard people > 0 else { continue }
                figures.set("search_p50_ms_\(name)", course.searches.percentile(0.5), "ms, of a search that ran")
            }
        }
        figures.set("stored_messages", Double(messages), "on disk")
        return figures
    }

    private struct Course {
        let session: Latencies
        let searches: Latencies
        let refused: Int

        var told: String {
            "session \(session.summary); search \(searches.summary); \(refused) told to wait"
        }
    }

    /// The server updates its index in the background: it is complete when the server has nothing to do.
    private static func waitUntilIndexed(_ server: ServerProcess) throws {
        let deadline = now() + Int64(patience) * nanosecondsPerSecond
        var before = server.cpu
        repeat {
            guard now() < deadline else { throw Failure("the index is not complete within \(Int(patience)) s") }
            before = server.cpu
            pause(milliseconds: Scale.of(3_000, quick: 300))
        } while server.cpu - before > nanosecondsPerSecond / 10
    }

    private static func course(
        _ server: ServerProcess, _ agents: [Agent], beside watcher: Agent, word: String
    ) throws -> Course {
        let results = Mutex<(took: [Int64], refused: Int)>(([], 0))
        let end = now() + Int64(seconds * Double(nanosecondsPerSecond))
        let done = DispatchGroup()
        for (index, agent) in agents.enumerated() {
            // Each is used by its own thread only.
            nonisolated(unsafe) let web = try connection(of: agent, to: server)
            done.enter()
            Thread.detachNewThread {
                while now() < end {
                    let start = now()
                    let status = (try? web.request("GET", "/v1/search?q=\(word)"))?.status ?? 0
                    let took = now() - start
                    results.withLock { if status == 200 { $0.took.append(took) } else { $0.refused += 1 } }
                    if status != 200 { pause(milliseconds: 20 + Int64(index)) }
                }
                done.leave()
            }
        }
        let session = try sessions(connection(of: watcher, to: server), until: end)
        done.wait()
        let (took, refused) = results.withLock { $0 }
        return Course(session: session, searches: Latencies(took), refused: refused)
    }

    /// A new connection with the agent's session: the one of the sign-in may have been idle for too long.
    private static func connection(of agent: Agent, to server: ServerProcess) throws -> WebClient {
        let web = try WebClient(port: server.port)
        web.headers = agent.web.headers
        return web
    }

    private static func sessions(_ web: WebClient, until end: Int64) throws -> Latencies {
        var took: [Int64] = []
        while now() < end {
            let start = now()
            _ = try web.request("GET", "/v1/session").object(expecting: 200)
            took.append(now() - start)
            pause(milliseconds: 10)
        }
        return Latencies(took)
    }
}
