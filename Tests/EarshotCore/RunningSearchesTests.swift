import EarshotModel
import Testing

@testable import EarshotCore

@Suite struct `Searches that run` {
    private let dana = AgentID(trusted: "dana")
    private let eve = AgentID(trusted: "eve")
    private let mona = AgentID(trusted: "mona")

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

    private func code(_ body: () throws -> Void) -> Rejection.Code? {
        do { try body() } catch { return (error as? Rejection)?.code }
        return nil
    }
}
