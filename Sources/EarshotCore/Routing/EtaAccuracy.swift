public import EarshotModel

/// How right the times were that consumers were told, by skill, on one day. Kept as a small row, for the log does not say what a consumer had been told; written
/// a moment behind what it counts.
public struct EtaAccuracy: Hashable, Codable, Sendable {
    /// The midnight, UTC, at which the day began.
    public let day: Timestamp
    /// Every answer through this moment is counted; what comes after it in the log is still to be.
    public private(set) var through: Timestamp
    private var lines: [Line] = []

    private struct Line: Hashable, Codable, Sendable {
        let skill: SkillID
        var answered = 0
        var kept = 0
    }

    public init(day: Timestamp) {
        (self.day, through) = (day, day)
    }

    /// Consumers of this skill who were answered, and of these the ones in time.
    public func sum(of skill: SkillID) -> (answered: Int, kept: Int) {
        lines.first { $0.skill == skill }.map { ($0.answered, $0.kept) } ?? (0, 0)
    }

    /// Somebody who had been told a time was answered at this moment.
    public mutating func count(_ skill: SkillID, at moment: Timestamp, due: Timestamp) {
        through = max(through, moment)
        let index = lines.firstIndex { $0.skill == skill } ?? lines.endIndex
        if index == lines.endIndex { lines.append(Line(skill: skill)) }
        lines[index].answered += 1
        lines[index].kept += moment <= due ? 1 : 0
    }
}
