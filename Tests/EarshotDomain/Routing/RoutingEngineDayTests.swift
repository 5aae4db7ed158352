import EarshotDomain
import EarshotModel
import Foundation
import Testing

/// `EARSHOT_DAY=full`: 500 agents and 20,000 conversations, as issue 4 wants it. Without it a tenth of both, which has
/// the same queues.
@Suite struct `A day of the contact centre` {
    static let share = ProcessInfo.processInfo.environment["EARSHOT_DAY"] == "full" ? 1 : 10
    static let seed = ProcessInfo.processInfo.environment["EARSHOT_DAY_SEED"].flatMap { UInt64($0) }

    @Test(arguments: seed.map { [$0] } ?? [1, 2])
    func `loses no conversation, gives none two agents, overloads no agent, and keeps the order`(seed: UInt64) {
        let (agents, conversations) = (500 / Self.share, 20_000 / Self.share)
        print("seed \(seed): \(agents) agents, \(conversations) conversations")
        var day = SimulatedDay(seed: seed, agents: agents, conversations: conversations)
        day.play()
        #expect(day.watch.failures == 0)
        #expect(day.closed == conversations)
        let counts = day.engine.counts(now: SimulatedDay.start.adding(hours: 24 * 365)).values
        #expect(
            counts.allSatisfy {
                $0.waiting == 0 && $0.oldest == nil && $0.assigned == 0 && $0.unplayedMs == 0 && $0.overdue == 0
            })
        #expect(day.engine.nextDeadline == nil)
        for index in 0..<agents {
            #expect(day.engine.load(of: SimulatedDay.agent(index), now: SimulatedDay.start).load == 0)
        }
        for kind in [
            "assign leastLoaded", "assign previousAgent", "assign reserved", "offer leastLoaded", "offer everyone",
            "expire offer", "release declined",
            "requeue silentOnline",
        ] {
            #expect(day.watch.seen[kind, default: 0] > 0, "\(kind) never happened")
        }
        print(day.watch.seen.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
    }
}
