public import EarshotModel
import Foundation

/// Time zones by their IANA names, and moments in their local time.
public enum Zone {
    /// The most bytes of a name.
    public static let bytes = 64

    /// Whether this is the name of a zone, such as `Europe/Berlin`, `Asia/Kolkata` or `UTC`. An offset (`GMT+2`) is
    /// not, because it has no daylight-saving rules.
    public static func isKnown(_ name: String) -> Bool {
        guard (1...bytes).contains(name.utf8.count), name.utf8.allSatisfy(isOfAName) else { return false }
        let isOffset = ["GMT", "UTC"].contains { name.hasPrefix($0) && name != $0 }
        return !isOffset && TimeZone(identifier: name) != nil
    }

    /// A moment as local time, `08:15`, with the date unless it is today there: `08:15 (30 Mar)`.
    /// - Parameters:
    ///   - zone: for `nil` or an unknown name the text is in UTC and says so.
    ///   - language: the reader's (`en-US`). Where it counts twelve hours, so does the text: `8:15 PM`.
    public static func clock(_ moment: Timestamp, in zone: String?, now: Timestamp, language: String? = nil) -> String {
        let known = zone.flatMap { isKnown($0) ? $0 : nil }
        let clock = WallClock(zone: known ?? "UTC")
        let minute = clock.minute(at: moment.milliseconds)
        let time = text(ofMinute: minute, language) + (known == nil ? " UTC" : "")
        let day = clock.day(at: moment.milliseconds)
        guard day != clock.day(at: now.milliseconds) else { return time }
        let date = WallClock.date(day)
        return "\(time) (\(date.day) \(months[date.month - 1]))"
    }

    /// A moment as date, time and offset there: `2026-12-24T18:30:05+01:00`.
    /// - Parameter zone: for an unknown name the text is in UTC.
    public static func iso8601(_ moment: Timestamp, in zone: String) -> String {
        WallClock(zone: zone).iso8601(at: moment.milliseconds)
    }

    /// The day in which a moment is there, from its midnight to the next. Where the clock leaves midnight out, the day
    /// begins with its first moment.
    /// - Parameter zone: for an unknown name the day is that of UTC.
    public static func day(of moment: Timestamp, in zone: String) -> Range<Timestamp> {
        let clock = WallClock(zone: zone)
        let day = clock.day(at: moment.milliseconds)
        let (begin, end) = (clock.moment(day: day, minute: 0), clock.moment(day: day + 1, minute: 0))
        return Timestamp(milliseconds: begin)..<Timestamp(milliseconds: end)
    }

    private static func isOfAName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "/_+-".utf8.contains(byte)
        }
    }

    private static func text(ofMinute minute: Int, _ language: String?) -> String {
        let (hour, rest) = (minute / 60, padded(minute % 60))
        guard let language, hasTwelveHours(language) else { return "\(padded(hour)):\(rest)" }
        // Browsers put the same narrow space before AM and PM.
        return "\((hour + 11) % 12 + 1):\(rest)\u{202F}\(hour < 12 ? "AM" : "PM")"
    }

    /// English where it is spoken with AM and PM. Other languages have their own words for them: there the text keeps
    /// 24 hours, which everybody reads.
    private static func hasTwelveHours(_ language: String) -> Bool {
        let parts = language.split(separator: "-", maxSplits: 3).map { $0.lowercased() }
        guard parts.first == "en" else { return false }
        return !parts.dropFirst().contains { ["gb", "ie", "150"].contains($0) }
    }

    private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
