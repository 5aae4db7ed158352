public import EarshotModel

/// How many consumers were answered by the time that they had been told, by skill, on one day. It is saved as a small
/// row, because the log does not say what consumers had been told; the row is saved shortly after what it counts.
public struct EtaAccuracy: Hashable, Codable, Sendable {
    /// The brand's midnight, at which the day began.
    public let day: Timestamp
    /// Every answer through this moment is counted; later answers in the log are not yet.
    public private(set) var through: Timestamp
    private var counts: [Count] = []

    private struct Count: Hashable, Codable, Sendable {
        let skill: SkillID
        var answered = 0
        var kept = 0
    }

    /// Makes the value of a day without answers.
    public init(day: Timestamp) {
        (self.day, through) = (day, day)
    }

    /// Consumers of this skill who were answered, and how many of them in time.
    public func sum(of skill: SkillID) -> (answered: Int, kept: Int) {
        counts.first { $0.skill == skill }.map { ($0.answered, $0.kept) } ?? (0, 0)
    }

    /// Counts an answer to a consumer who had been told a time.
    public mutating func count(_ skill: SkillID, at moment: Timestamp, due: Timestamp) {
        through = max(through, moment)
        let index = counts.firstIndex { $0.skill == skill } ?? counts.endIndex
        if index == counts.endIndex { counts.append(Count(skill: skill)) }
        counts[index].answered += 1
        counts[index].kept += moment <= due ? 1 : 0
    }
}
