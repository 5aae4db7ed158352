import EarshotModel
import Foundation

/// A moment as people write it, `2026-03-29T01:00:00Z` or with an offset, `2026-03-29T03:00:00+02:00`.
func at(_ text: String) -> Timestamp {
    guard let date = ISO8601DateFormatter().date(from: text) else { fatalError("no moment: \(text)") }
    return Timestamp(milliseconds: Int64(date.timeIntervalSince1970) * 1000)
}

extension Timestamp {
    func adding(seconds: Int) -> Timestamp { adding(milliseconds: Int64(seconds) * 1000) }
    func adding(minutes: Int) -> Timestamp { adding(seconds: minutes * 60) }
    func adding(hours: Int) -> Timestamp { adding(minutes: hours * 60) }
}

extension Hours {
    /// The same shift every day, in hours of the clock.
    static func daily(_ from: Int, _ to: Int, zone: String = "Europe/Berlin", holidays: [Holiday] = []) -> Hours {
        Hours(
            id: "h", name: "Hours", zone: zone, week: (1...7).map { Shift(day: $0, from: from * 60, to: to * 60) },
            holidays: holidays)
    }
}
