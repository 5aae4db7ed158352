/// Opening hours: weekly shifts in a time zone, with holidays and special days.
public struct Hours: Hashable, Codable, Sendable {
    /// The id by which skills refer to these hours.
    public let id: String
    /// The name that managers see in the settings.
    public var name: String
    /// An IANA time zone, such as `Europe/Berlin`.
    public var zone: String
    /// The shifts of every week, in any order.
    public var week: [Shift]
    /// The days on which the weekly shifts do not apply.
    public var holidays: [Holiday]

    /// Makes opening hours; without holidays the weekly shifts apply on every date.
    public init(id: String, name: String, zone: String, week: [Shift], holidays: [Holiday] = []) {
        self.id = id
        self.name = name
        self.zone = zone
        self.week = week
        self.holidays = holidays
    }

    /// A staffed period of a weekday, in minutes of local time since midnight, 0 to 1440. A shift that crosses midnight
    /// is stored as two.
    public struct Shift: Hashable, Codable, Sendable {
        /// The weekday: 1 is Monday, 7 is Sunday.
        public var day: Int
        /// The first staffed minute, counted from midnight.
        public var from: Int
        /// The minute at which the shift ends, counted from midnight; 1440 is the end of the day.
        public var to: Int

        /// Makes a shift; `from` and `to` are minutes since midnight.
        public init(day: Int, from: Int, to: Int) {
            self.day = day
            self.from = from
            self.to = to
        }
    }

    /// A date on which the weekly shifts do not apply.
    public struct Holiday: Hashable, Codable, Sendable {
        /// The date, such as `2026-12-24`, in the time zone of the hours.
        public var date: String
        /// The holiday's name, which managers see in the settings.
        public var name: String
        /// The staffed periods of that date, in minutes since midnight. Empty if closed all day.
        public var open: [Span]

        /// Makes a holiday, closed all day unless `open` has periods.
        public init(date: String, name: String, open: [Span] = []) {
            self.date = date
            self.name = name
            self.open = open
        }
    }

    /// A staffed period of a holiday, in minutes of local time since midnight.
    public struct Span: Hashable, Codable, Sendable {
        /// The first staffed minute, 0 to 1440.
        public var from: Int
        /// The minute at which the period ends, 0 to 1440.
        public var to: Int

        /// Makes a period; both ends are minutes since midnight.
        public init(from: Int, to: Int) {
            self.from = from
            self.to = to
        }
    }
}
