/// When somebody is there: a week of shifts in a time zone, and days that differ.
public struct Hours: Hashable, Codable, Sendable {
    public let id: String
    public var name: String
    /// An IANA time zone, `Europe/Berlin`.
    public var zone: String
    public var week: [Shift]
    public var holidays: [Holiday]

    public init(id: String, name: String, zone: String, week: [Shift], holidays: [Holiday] = []) {
        self.id = id
        self.name = name
        self.zone = zone
        self.week = week
        self.holidays = holidays
    }

    /// From and to are minutes of the wall clock since midnight, 0 to 1440. A shift over midnight is two.
    public struct Shift: Hashable, Codable, Sendable {
        /// 1 is Monday, 7 is Sunday.
        public var day: Int
        public var from: Int
        public var to: Int

        public init(day: Int, from: Int, to: Int) {
            self.day = day
            self.from = from
            self.to = to
        }
    }

    /// A day on which the week's shifts do not hold.
    public struct Holiday: Hashable, Codable, Sendable {
        /// `2026-12-24`, in the time zone of the hours.
        public var date: String
        public var name: String
        /// What holds instead, in minutes since midnight; empty: closed.
        public var open: [Span]

        public init(date: String, name: String, open: [Span] = []) {
            self.date = date
            self.name = name
            self.open = open
        }
    }

    public struct Span: Hashable, Codable, Sendable {
        public var from: Int
        public var to: Int

        public init(from: Int, to: Int) {
            self.from = from
            self.to = to
        }
    }
}
