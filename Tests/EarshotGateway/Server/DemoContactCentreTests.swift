import EarshotDomain
import EarshotModel
import Testing

@testable import EarshotServer

@Suite struct `The demo shop` {
    private static let dana = AgentID(trusted: "dana")
    private static let centre = DemoContactCentre.centre(["dana": dana])

    @Test func `is open at every hour, also on holidays, for who writes on its pages`() {
        let staffed = Timetable(Self.centre).staffed(Self.centre.defaultSkill.id)
        // From 2026-12-20 on, over Christmas.
        let start: Int64 = 1_797_724_800_000
        for hour in 0..<(24 * 8) {
            #expect(staffed.isOpen(at: Timestamp(milliseconds: start + Int64(hour) * 3_600_000)), "hour \(hour)")
        }
    }

    @Test func `rings for Dana only with what comes from its pages`() throws {
        let seat = try #require(Self.centre.people.first { $0.agent == Self.dana })
        #expect(seat.skills == [Self.centre.defaultSkill.id])
        let waiting = DemoDay.talks.compactMap(Self.waitsIn)
        #expect(waiting.count >= 3, "the queues have something to show")
        for skill in waiting {
            #expect(!seat.skills.contains(skill))
            let fallback = Self.centre.skills.first { $0.id == skill }?.fallback
            #expect(fallback.map { !seat.skills.contains($0) } ?? true)
        }
    }

    /// The skill in whose queue a conversation of the day waits; `nil` for one that someone answers, or that is closed.
    private static func waitsIn(_ talk: DemoDay.Talk) -> SkillID? {
        talk.lines.reduce(talk.skill) { skill, line in
            switch line.act {
            case .take, .close: nil
            case .transfer(let other, _, _): other ?? talk.skill
            default: skill
            }
        }
    }
}
