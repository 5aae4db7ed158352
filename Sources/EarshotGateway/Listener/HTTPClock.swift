import Foundation
import Synchronization

/// The `Date` field of responses (RFC 9110 section 5.6.7), composed once a second.
final class HTTPClock: Sendable {
    private struct Composed {
        var second: Int64 = -1
        var text = ""
    }

    private let now: @Sendable () -> Date
    private let composed = Mutex(Composed())

    init(now: @escaping @Sendable () -> Date = { Date() }) {
        self.now = now
    }

    var text: String {
        let date = now()
        let second = Int64(date.timeIntervalSince1970.rounded(.down))
        return composed.withLock { composed in
            if composed.second != second { composed = Composed(second: second, text: Self.compose(date)) }
            return composed.text
        }
    }

    private static func compose(_ date: Date) -> String {
        let format = Date.VerbatimFormatStyle(
            format: """
                \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .padded(4)) \
                \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)\
                :\(second: .twoDigits) GMT
                """,
            locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt, calendar: Calendar(identifier: .gregorian))
        return date.formatted(format)
    }
}
