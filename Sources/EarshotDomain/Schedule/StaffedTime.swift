public import EarshotModel

/// Opening hours as timestamps: the shifts of a week and the holidays, in local time of their zone, across
/// daylight-saving changes.
///
/// A search looks `searchDays` ahead: hours that do not open within that time count as never opening.
public struct StaffedTime: Hashable, Sendable {
    /// Open at all times.
    public static let always = StaffedTime(nil)
    /// Enough for the longest response time of a brand that is open for one hour a week.
    public static let searchDays = 1_100

    private let clock: WallClock?
    /// By weekday, Monday first; sorted, none touching another.
    private let week: [[Range<Int>]]
    private let holidays: [Int: [Range<Int>]]

    /// Makes the value; `nil`: always open. Shifts that overlap or touch are joined. Minutes outside the day, and
    /// shifts that end before they begin, are omitted.
    public init(_ hours: Hours?) {
        clock = hours.map { WallClock(zone: $0.zone) }
        week = (1...7).map { day in Self.joined((hours?.week ?? []).filter { $0.day == day }.map { ($0.from, $0.to) }) }
        let differing = (hours?.holidays ?? []).compactMap { holiday in
            WallClock.day(holiday.date).map { ($0, Self.joined(holiday.open.map { ($0.from, $0.to) })) }
        }
        holidays = Dictionary(differing) { first, _ in first }
    }

    /// Whether it is open at this moment.
    public func isOpen(at moment: Timestamp) -> Bool {
        guard let clock else { return true }
        return shifts(of: clock.day(at: moment.milliseconds), clock).contains { $0.contains(moment.milliseconds) }
    }

    /// The first moment after this one at which it opens. `nil`: never again, or it never closes.
    public func nextOpening(after moment: Timestamp) -> Timestamp? {
        var end: Int64?
        return search(from: moment) { shift in
            defer { end = shift.upperBound }
            return shift.lowerBound > moment.milliseconds && shift.lowerBound != end ? shift.lowerBound : nil
        }
    }

    /// The first moment after this one at which it closes. `nil`: never. Shifts that meet at midnight are one.
    public func nextClosing(after moment: Timestamp) -> Timestamp? {
        var end = Int64.min
        let closing = search(from: moment) { shift in
            if end > moment.milliseconds, shift.lowerBound != end { return end }
            end = shift.upperBound
            return nil
        }
        guard closing == nil, let clock, end > moment.milliseconds else { return closing }
        // Nothing follows the last shift. One that lasts to the end of the search has no end that we know of.
        return end < clock.moment(day: clock.day(at: moment.milliseconds) + Self.searchDays + 1, minute: 0)
            ? Timestamp(milliseconds: end) : nil
    }

    /// The moment by which it has been open for this long since `moment`. For zero: the first moment from then on at
    /// which it is open. `nil`: it is not open for so long within `searchDays`.
    public func adding(staffedMilliseconds: Int64, to moment: Timestamp) -> Timestamp? {
        var left = max(0, staffedMilliseconds)
        guard clock != nil else { return moment.adding(milliseconds: left) }
        return search(from: moment) { shift in
            guard shift.upperBound > moment.milliseconds else { return nil }
            let from = max(shift.lowerBound, moment.milliseconds)
            if left <= shift.upperBound - from { return from + left }
            left -= shift.upperBound - from
            return nil
        }
    }

    /// Passes the shifts from the day before this moment on (one of them may last past midnight) to `answer`, one after
    /// the other, until it returns a value.
    private func search(from moment: Timestamp, for answer: (Range<Int64>) -> Int64?) -> Timestamp? {
        guard let clock else { return nil }
        let today = clock.day(at: moment.milliseconds)
        for day in (today - 1)...(today + Self.searchDays) {
            for shift in shifts(of: day, clock) {
                if let found = answer(shift) { return Timestamp(milliseconds: found) }
            }
        }
        return nil
    }

    private func shifts(of day: Int, _ clock: WallClock) -> [Range<Int64>] {
        clock.timestamps(day: day, holidays[day] ?? week[WallClock.weekday(day) - 1])
    }

    private static func joined(_ spans: [(from: Int, to: Int)]) -> [Range<Int>] {
        let proper = spans.filter { $0.from < $0.to && $0.from >= 0 && $0.to <= 1440 }.sorted {
            ($0.from, $0.to) < ($1.from, $1.to)
        }
        return proper.reduce(into: []) { joined, span in
            guard let last = joined.last, last.upperBound >= span.from else {
                return joined.append(span.from..<span.to)
            }
            joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, span.to)
        }
    }
}
