public import EarshotModel
import Foundation

/// Time zones by their IANA names, and a moment as a clock on the wall there shows it.
public enum Zone {
    /// No name is longer.
    public static let bytes = 64

    /// Whether this is the name of a zone, as browsers and people write them: `Europe/Berlin`, `Asia/Kolkata`, `UTC`. An offset (`GMT+2`) is none: it knows nothing of
    /// daylight saving.
    public static func isKnown(_ name: String) -> Bool {
        guard (1...bytes).contains(name.utf8.count), name.utf8.allSatisfy(isOfAName) else { return false }
        let isOffset = ["GMT", "UTC"].contains { name.hasPrefix($0) && name != $0 }
        return !isOffset && TimeZone(identifier: name) != nil
    }

    /// `08:15`, and the day where it is another than today there: `08:15 (30 Mar)`.
    /// - Parameter zone: `nil`, or one that the system does not know: UTC, and that is said.
    public static func clock(_ moment: Timestamp, in zone: String?, now: Timestamp) -> String {
        let known = zone.flatMap { isKnown($0) ? $0 : nil }
        let clock = WallClock(zone: known ?? "UTC")
        let minute = clock.minute(at: moment.milliseconds)
        let time = "\(padded(minute / 60)):\(padded(minute % 60))" + (known == nil ? " UTC" : "")
        let day = clock.day(at: moment.milliseconds)
        guard day != clock.day(at: now.milliseconds) else { return time }
        let date = WallClock.date(day)
        return "\(time) (\(date.day) \(months[date.month - 1]))"
    }

    private static func isOfAName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "/_+-".utf8.contains(byte)
        }
    }

    private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
