import Foundation

/// Local time of one time zone: its days and minutes as timestamps. Days are counted since 1970-01-01.
///
/// Where the clock jumps forward, the skipped minutes are the moment of the jump; where it is set back, a repeated
/// minute is its first occurrence. So times of the day keep their order, and the time between two of them is the real
/// elapsed time. Only the offset from UTC comes from Foundation: its calendars cost a hundred times more.
struct WallClock: Hashable, Sendable {
    private let zone: TimeZone

    static let minuteMs: Int64 = 60_000
    static let dayMs: Int64 = 86_400_000

    /// Makes the clock of a zone; for a name that the system does not know, of UTC.
    init(zone name: String) {
        zone = TimeZone(identifier: name) ?? .gmt
    }

    /// The day on which this moment lies there.
    func day(at moment: Int64) -> Int { Int(Self.floor(moment + offset(at: moment), Self.dayMs)) }

    /// The minute of that day, from 0 to 1439.
    func minute(at moment: Int64) -> Int {
        let local = moment + offset(at: moment)
        return Int((local - Self.floor(local, Self.dayMs) * Self.dayMs) / Self.minuteMs)
    }

    /// The timestamps from these minutes of this day to those. On most days no clock is changed nearby, and the offset
    /// is asked for twice only.
    func timestamps(day: Int, _ minutes: [Range<Int>]) -> [Range<Int64>] {
        guard !minutes.isEmpty else { return [] }
        let midnight = Int64(day) * Self.dayMs
        let before = offset(at: midnight - Self.dayMs)
        let isSteady = before == offset(at: midnight + 2 * Self.dayMs)
        func moment(_ minute: Int) -> Int64 {
            isSteady ? midnight + Int64(minute) * Self.minuteMs - before : self.moment(day: day, minute: minute)
        }
        // Empty where the clock leaves all of it out.
        return minutes.map { moment($0.lowerBound)..<moment($0.upperBound) }.filter { !$0.isEmpty }
    }

    /// The moment of this minute of this day; 1440 is the first of the next day.
    func moment(day: Int, minute: Int) -> Int64 {
        let local = Int64(day) * Self.dayMs + Int64(minute) * Self.minuteMs
        let (before, after) = (offset(at: local - Self.dayMs), offset(at: local + Self.dayMs))
        if before == after || offset(at: local - before) == before { return local - before }
        if offset(at: local - after) == after { return local - after }
        return jump(from: local - after, to: local - before, before: before)
    }

    /// 1 is Monday, 7 is Sunday. 1970-01-01 was a Thursday.
    static func weekday(_ day: Int) -> Int { (((day + 3) % 7) + 7) % 7 + 1 }

    /// `2026-12-24` as a day; `nil` when it is none. Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms",
    /// days_from_civil.
    static func day(_ date: String) -> Int? {
        let parts = date.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2] else { return nil }
        guard (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// A moment as date, time and offset there, `2026-12-24T18:30:05+01:00`. A fraction of a second is omitted.
    func iso8601(at moment: Int64) -> String {
        let offset = offset(at: moment)
        let local = moment + offset
        let date = Self.date(day(at: moment))
        let second = Int((local - Self.floor(local, Self.dayMs) * Self.dayMs) / 1000)
        let ahead = Int(abs(offset) / Self.minuteMs)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
        let year = String(repeating: "0", count: max(0, 4 - String(date.year).count)) + String(date.year)
        return "\(year)-\(two(date.month))-\(two(date.day))"
            + "T\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60))"
            + "\(offset < 0 ? "-" : "+")\(two(ahead / 60)):\(two(ahead % 60))"
    }

    /// A day as year, month and day of the month. The same source, civil_from_days.
    static func date(_ day: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = day + 719_468
        let dayOfEra = shifted - Int(floor(Int64(shifted), 146_097)) * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + 400 * Int(floor(Int64(shifted), 146_097)) + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    /// Milliseconds by which the clock there is ahead of UTC.
    private func offset(at moment: Int64) -> Int64 {
        Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(moment) / 1000))) * 1000
    }

    /// When the offset stops being `before`, between a moment that has it and one that has not.
    private func jump(from: Int64, to: Int64, before: Int64) -> Int64 {
        var (low, high) = (from, to)
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if offset(at: middle) == before { low = middle } else { high = middle }
        }
        return high
    }

    private static func floor(_ value: Int64, _ step: Int64) -> Int64 {
        value >= 0 ? value / step : (value - step + 1) / step
    }
}
