import EarshotModel
import Testing

@testable import EarshotCore

@Suite struct `Searches that run` {
    private let dana = RunningSearches.Searcher.person(AgentID(trusted: "dana"))
    private let eve = RunningSearches.Searcher.person(AgentID(trusted: "eve"))
    private let mona = RunningSearches.Searcher.person(AgentID(trusted: "mona"))

    @Test func `are one for each person`() throws {
        let running = RunningSearches()
        try running.begin(dana)
        #expect(code { try running.begin(dana) } == .rateLimited)
        running.end(dana)
        try running.begin(dana)
    }

    @Test func `are two in all`() throws {
        #expect(Limits.searches == 2)
        let running = RunningSearches()
        try running.begin(dana)
        try running.begin(eve)
        #expect(code { try running.begin(mona) } == .rateLimited)
        running.end(dana)
        try running.begin(mona)
    }

    @Test func `of programs leave one to people`() throws {
        let running = RunningSearches()
        let programs = ["a", "b"].map { RunningSearches.Searcher.program(APIKeyID(trusted: $0)) }
        try running.begin(programs[0])
        #expect(code { try running.begin(programs[0]) } == .rateLimited)
        #expect(code { try running.begin(programs[1]) } == .rateLimited)
        try running.begin(dana)
        running.end(programs[0])
        try running.begin(programs[1])
    }

    private func code(_ body: () throws -> Void) -> Rejection.Code? {
        do { try body() } catch { return (error as? Rejection)?.code }
        return nil
    }
}
