import EarshotDomain
import EarshotModel
import Glibc

/// Measures what one routing decision costs, and how that grows with the number of agents and of waiting conversations.
/// The goal is logarithmic growth: 2.5 and 3 times at these sizes, and a little more because a larger engine does not
/// fit the caches.
enum RoutingBench {
    private static let rounds = Scale.of(9, quick: 1)
    private static let decisions = Scale.of(2_000, quick: 20)

    static func run() throws -> Figures {
        var figures = Figures("routing")
        print(
            "routing: \(decisions) decisions a round, medians of \(rounds) rounds, all sizes in turn; "
                + "three skills, two an agent"
        )
        var few = LoadedEngine(agents: 10, waiting: 0)
        var many = LoadedEngine(agents: Scale.of(1_000, quick: 100), waiting: 0)
        var short = LoadedEngine(agents: 100, waiting: 100)
        var long = LoadedEngine(agents: 100, waiting: Scale.of(100_000, quick: 1_000))
        var times: [[Double]] = [[], [], [], []]
        for _ in 0...rounds {
            times[0].append(try few.comeAndGo(decisions))
            times[1].append(try many.comeAndGo(decisions))
            times[2].append(try short.freeAndGive(decisions))
            times[3].append(try long.freeAndGive(decisions))
        }
        // The first round warms up and is not counted.
        let medians = times.map { StartBench.median(Array($0.dropFirst())) }
        figures.set("us_10_agents", medians[0], "us: one arrives, the best of 10 agents gets it")
        figures.set("us_1000_agents", medians[1], "us: the same with 1,000 agents")
        figures.set("us_100_waiting", medians[2], "us: one of 100 agents gets room, and the best of 100 waiting")
        figures.set("us_100000_waiting", medians[3], "us: the same with 100,000 waiting")
        figures.set("growth_agents", medians[1] / medians[0], "times, for 100 times the agents")
        figures.set("growth_waiting", medians[3] / medians[2], "times, for 1,000 times the waiting")
        figures.set("us_per_ticket_at_start", long.placingUs, "us a conversation when 100,000 are placed")
        return figures
    }

    /// An engine whose numbers of agents and of waiting conversations stay the same.
    private struct LoadedEngine {
        private var engine: RoutingEngine
        private var now = Timestamp(milliseconds: 1_795_341_600_000)
        private var next = 0
        private var open: [QueueEntry] = []
        private var random = Random(seed: 7)
        private(set) var placingUs = 0.0

        /// With nobody waiting a third of the agents' capacity is in use; else all of it.
        init(agents: Int, waiting: Int) {
            let skills = ["general", "sales", "repairs"].map {
                Skill(id: SkillID(trusted: $0), name: $0, isDefault: $0 == "general", accept: .auto, hours: "office")
            }
            let seats = (0..<agents).map { index in
                Seat(
                    agent: AgentID(trusted: "agent\(index)"),
                    skills: [skills[index % 3].id, skills[(index + 1) % 3].id], capacity: 3)
            }
            let office = Hours(
                id: "office", name: "Office", zone: "Europe/Berlin",
                week: (1...7).map { Hours.Shift(day: $0, from: 480, to: 1200) })
            engine = RoutingEngine(centre: ContactCentreSettings(skills: skills, people: seats, hours: [office]))
            for seat in seats { engine.set(Presence(state: .online, since: now), of: seat.agent, now: now) }
            for _ in 0..<(waiting == 0 ? agents : agents * 3) { come() }
            let before = RoutingBench.nanoseconds()
            for _ in 0..<waiting { come() }
            if waiting > 0 { placingUs = Double(RoutingBench.nanoseconds() - before) / 1000 / Double(waiting) }
        }

        /// A conversation comes and an agent gets it; another one closes. - Returns: microseconds of CPU for one
        /// decision.
        mutating func comeAndGo(_ count: Int) throws -> Double {
            let before = RoutingBench.nanoseconds()
            for _ in 0..<count {
                guard come() == 1 else { throw Failure("no agent got the new conversation") }
                close()
            }
            return Double(RoutingBench.nanoseconds() - before) / 1000 / Double(count)
        }

        /// A conversation closes and its agent gets the next one; another one comes and waits. - Returns: microseconds
        /// of CPU for one decision.
        mutating func freeAndGive(_ count: Int) throws -> Double {
            let before = RoutingBench.nanoseconds()
            for _ in 0..<count {
                guard close() == 1 else { throw Failure("the agent with room got nothing") }
                guard come() == 0 else { throw Failure("an agent had room left") }
            }
            return Double(RoutingBench.nanoseconds() - before) / 1000 / Double(count)
        }

        @discardableResult private mutating func come() -> Int {
            next += 1
            now = now.adding(milliseconds: 1)
            let skill = ["general", "sales", "repairs"][next % 3]
            let since = now.adding(milliseconds: -Int64(random.next() % 600_000))
            engine.update(
                QueueEntry(
                    conversation: ConversationID(trusted: "conversation\(next)"), skill: SkillID(trusted: skill),
                    times: .init(queuedAt: since, unansweredSince: since),
                    priority: .init(unplayedMs: next % 4 == 0 ? 20_000 : 0)), now: now)
            return settle()
        }

        @discardableResult private mutating func close() -> Int {
            let index = Int(random.next() % UInt64(open.count))
            open.swapAt(index, open.count - 1)
            engine.remove(open.removeLast().conversation)
            return settle()
        }

        /// Does what the engine proposes, as the log would. - Returns: how many conversations got an agent.
        private mutating func settle() -> Int {
            var given = 0
            for proposed in engine.proposeActions(now: now) {
                guard case .assign(let agent, _) = proposed.action else { continue }
                let entry = QueueEntry(
                    conversation: proposed.conversation, skill: SkillID(trusted: "general"),
                    agents: .init(assignee: agent),
                    times: .init(queuedAt: now, assignedAt: now, unansweredSince: now))
                open.append(entry)
                engine.update(entry, now: now)
                given += 1
            }
            return given
        }
    }

    /// The CPU time of this thread, so that other load on the machine counts less.
    fileprivate static func nanoseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * nanosecondsPerSecond + Int64(time.tv_nsec)
    }
}
