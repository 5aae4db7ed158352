import EarshotModel
import Testing

@testable import EarshotCore

@Suite struct `Searches that run` {
    private let dana = Self.person("dana", "tulip")
    private let eve = Self.person("eve", "tulip")
    private let mona = Self.person("mona", "tulip")
    private let rival = Self.person("ruth", "rival")

    @Test func `are one for each person`() async throws {
        let running = RunningSearches()
        try await running.begin(dana)
        #expect(await code { try await running.begin(dana) } == .rateLimited)
        running.end(dana)
        try await running.begin(dana)
    }

    @Test func `are three in all`() async throws {
        #expect(Limits.searches == 3)
        let running = RunningSearches()
        for searcher in [dana, eve, rival] { try await running.begin(searcher) }
        let third = Self.person("tom", "third")
        #expect(await code { try await running.begin(third) } == .rateLimited)
        running.end(dana)
        try await running.begin(third)
    }

    @Test func `of one brand leave one to other brands`() async throws {
        let running = RunningSearches()
        try await running.begin(dana)
        try await running.begin(eve)
        #expect(await code { try await running.begin(mona) } == .rateLimited)
        try await running.begin(rival)
        running.end(dana)
        try await running.begin(mona)
    }

    @Test func `of programs leave one to people, of their brand and of all`() async throws {
        let running = RunningSearches()
        let (first, second) = (Self.program("a", "tulip"), Self.program("b", "tulip"))
        try await running.begin(first)
        #expect(await code { try await running.begin(first) } == .rateLimited)
        #expect(await code { try await running.begin(second) } == .rateLimited)
        try await running.begin(Self.program("c", "rival"))
        #expect(await code { try await running.begin(Self.program("d", "third")) } == .rateLimited)
        try await running.begin(dana)
        running.end(first)
        try await running.begin(second)
    }

    /// Two lists of one brand use all that the brand may run.
    @Test func `wait for a list instead of being refused, and run between two of its pages`() async throws {
        let running = RunningSearches()
        try await running.begin(dana, isList: true)
        try await running.begin(eve, isList: true)
        let search = Task { try await running.begin(mona) }
        #expect(await isWaiting(1, running))
        #expect(
            await code { try await running.begin(mona) } == .rateLimited, "one for each person, also while it waits")
        let list = Task { await running.letOthersRun(dana) }
        try await search.value
        #expect(await isWaiting(1, running))
        running.end(mona)
        await list.value
        #expect(running.waiting == 0, "the list goes on when the search has ended")
        running.end(dana)
        running.end(eve)
        for searcher in [dana, eve] { try await running.begin(searcher) }
    }

    @Test func `do not keep a list waiting where there is room`() async throws {
        let running = RunningSearches()
        try await running.begin(dana, isList: true)
        await running.letOthersRun(dana)
        try await running.begin(eve)
        #expect(await code { try await running.begin(dana) } == .rateLimited, "the list still runs")
        running.end(dana)
        try await running.begin(dana)
    }

    @Test func `wait for a list up to a number, then they are refused`() async throws {
        let running = RunningSearches()
        try await running.begin(dana, isList: true)
        try await running.begin(eve, isList: true)
        let waiting = (0..<Limits.searches).map { number in
            Task { try await running.begin(Self.person("agent-\(number)", "tulip")) }
        }
        #expect(await isWaiting(Limits.searches, running))
        #expect(await code { try await running.begin(mona) } == .rateLimited)
        running.end(dana)
        running.end(eve)
        for (number, search) in waiting.enumerated() {
            try await search.value
            running.end(Self.person("agent-\(number)", "tulip"))
        }
        #expect(running.waiting == 0)
    }

    /// Whether so many wait, once the tasks that were begun have run.
    private func isWaiting(_ count: Int, _ running: RunningSearches) async -> Bool {
        for _ in 0..<100_000 where running.waiting != count { await Task.yield() }
        return running.waiting == count
    }

    private static func person(_ name: String, _ brand: String) -> RunningSearches.Searcher {
        RunningSearches.Searcher(
            AgentCaller(
                id: AgentID(trusted: name), account: AccountID(trusted: brand), name: name, role: .agent))
    }

    private static func program(_ id: String, _ brand: String) -> RunningSearches.Searcher {
        let time = Timestamp(milliseconds: 0)
        return RunningSearches.Searcher(
            ProgramCaller(
                APIKey(
                    id: APIKeyID(trusted: id), account: AccountID(trusted: brand), name: id, scopes: [.readHistory],
                    digest: [], by: "", made: time, expires: time)))
    }

    private func code(_ body: () async throws -> Void) async -> Rejection.Code? {
        do { try await body() } catch { return (error as? Rejection)?.code }
        return nil
    }
}
