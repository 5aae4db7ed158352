import EarshotDomain
import EarshotModel
import Foundation
import Testing

@Suite struct `Hours that nobody keeps` {
    @Test func `never open, and nothing is ever due in them`() {
        let never = StaffedTime(Hours(id: "h", name: "Never", zone: "Europe/Berlin", week: []))
        let now = at("2026-11-22T10:00:00Z")
        #expect(!never.isOpen(at: now))
        #expect(never.nextOpening(after: now) == nil)
        #expect(never.nextClosing(after: now) == nil)
        #expect(never.adding(staffedMilliseconds: 0, to: now) == nil)
        #expect(never.adding(staffedMilliseconds: 1, to: now) == nil)
    }

    @Test(arguments: [(480, 480), (600, 480), (-10, 600), (480, 1441)]) func `are omitted`(from: Int, to: Int) {
        let hours = Hours(
            id: "h", name: "Wrong", zone: "Europe/Berlin", week: (1...7).map { .init(day: $0, from: from, to: to) })
        #expect(!StaffedTime(hours).isOpen(at: at("2026-11-22T08:00:00Z")))
        #expect(StaffedTime(hours).nextOpening(after: at("2026-11-22T08:00:00Z")) == nil)
    }

    @Test(arguments: ["Nowhere/Land", ""]) func `of a zone that does not exist are UTC`(zone: String) {
        let staffed = StaffedTime(.daily(8, 20, zone: zone))
        #expect(staffed.nextOpening(after: at("2026-07-01T00:00:00Z")) == at("2026-07-01T08:00:00Z"))
    }

    @Test(arguments: ["2026-13-24", "24.12.2026", "2026-12", "", "0000-01-01", "2026-12-24-01"])
    func `on a day that does not exist change nothing`(
        date: String
    ) {
        let staffed = StaffedTime(.daily(8, 20, holidays: [.init(date: date, name: "None")]))
        #expect(staffed.isOpen(at: at("2026-12-24T10:00:00Z")))
    }

    @Test func `end where the search ends`() {
        let far = StaffedTime(
            Hours(
                id: "h", name: "Once", zone: "UTC", week: [],
                holidays: [.init(date: "2030-01-01", name: "Once", open: [.init(from: 0, to: 60)])]))
        #expect(far.nextOpening(after: at("2026-01-01T00:00:00Z")) == nil)
        #expect(far.nextOpening(after: at("2029-01-01T00:00:00Z")) == at("2030-01-01T00:00:00Z"))
        let hour = StaffedTime(
            Hours(id: "h", name: "An hour a week", zone: "UTC", week: [.init(day: 1, from: 0, to: 60)]))
        #expect(hour.adding(staffedMilliseconds: 1000 * 3_600_000, to: at("2026-01-01T00:00:00Z")) == nil)
        #expect(
            hour.adding(staffedMilliseconds: 100 * 3_600_000, to: at("2026-01-01T00:00:00Z"))
                == at("2027-11-29T01:00:00Z"))
    }
}

@Suite struct `No hours` {
    @Test func `are always open`() {
        let now = at("2026-11-22T03:00:00Z")
        #expect(StaffedTime.always.isOpen(at: now))
        #expect(StaffedTime.always.nextOpening(after: now) == nil)
        #expect(StaffedTime.always.nextClosing(after: now) == nil)
        #expect(StaffedTime.always.adding(staffedMilliseconds: 900_000, to: now) == now.adding(minutes: 15))
    }

    @Test func `and hours around the clock are the same`() {
        let day = StaffedTime(.daily(0, 24))
        let now = at("2026-03-28T12:00:00Z")
        #expect(day.isOpen(at: now))
        #expect(day.nextOpening(after: now) == nil)
        #expect(day.nextClosing(after: now) == nil)
        #expect(day.adding(staffedMilliseconds: 48 * 3_600_000, to: now) == now.adding(hours: 48))
    }
}

@Suite struct `Shifts` {
    /// Monday to Friday 8 to 12 and 13 to 17; Saturday evening over midnight into Sunday.
    private let hours = Hours(
        id: "h", name: "Office", zone: "Europe/Berlin",
        week: (1...5).flatMap { [.init(day: $0, from: 780, to: 1020), .init(day: $0, from: 480, to: 720)] } + [
            .init(day: 6, from: 1200, to: 1440), .init(day: 7, from: 0, to: 120),
        ],
        holidays: [
            .init(date: "2026-12-25", name: "Christmas"),
            .init(date: "2026-12-24", name: "Christmas Eve", open: [.init(from: 540, to: 720)]),
        ])
    private var staffed: StaffedTime { StaffedTime(hours) }

    @Test func `begin with their first moment and end before their last`() {
        #expect(!staffed.isOpen(at: at("2026-11-23T07:59:59+01:00")))
        #expect(staffed.isOpen(at: at("2026-11-23T08:00:00+01:00")))
        #expect(staffed.isOpen(at: at("2026-11-23T11:59:59+01:00")))
        #expect(!staffed.isOpen(at: at("2026-11-23T12:00:00+01:00")))
    }

    @Test func `of a day follow each other, and days and weeks do`() {
        #expect(staffed.nextOpening(after: at("2026-11-23T08:00:00+01:00")) == at("2026-11-23T13:00:00+01:00"))
        #expect(staffed.nextClosing(after: at("2026-11-23T12:00:00+01:00")) == at("2026-11-23T17:00:00+01:00"))
        #expect(staffed.nextOpening(after: at("2026-11-27T17:00:00+01:00")) == at("2026-11-28T20:00:00+01:00"))
        #expect(staffed.nextOpening(after: at("2026-11-28T20:00:00+01:00")) == at("2026-11-30T08:00:00+01:00"))
    }

    @Test func `that meet at midnight are one`() {
        #expect(staffed.nextClosing(after: at("2026-11-28T21:00:00+01:00")) == at("2026-11-29T02:00:00+01:00"))
        #expect(staffed.nextClosing(after: at("2026-11-29T00:00:00+01:00")) == at("2026-11-29T02:00:00+01:00"))
        #expect(staffed.isOpen(at: at("2026-11-29T00:00:00+01:00")))
    }

    @Test func `that overlap are one`() {
        let double = StaffedTime(
            Hours(
                id: "h", name: "Double", zone: "UTC",
                week: [.init(day: 1, from: 60, to: 180), .init(day: 1, from: 0, to: 120)]))
        #expect(double.nextClosing(after: at("2026-11-23T00:00:00Z")) == at("2026-11-23T03:00:00Z"))
        #expect(
            double.adding(staffedMilliseconds: 3 * 3_600_000, to: at("2026-11-23T00:00:00Z"))
                == at("2026-11-23T03:00:00Z"))
    }

    @Test func `do not hold on holidays, which are closed or have their own`() {
        #expect(staffed.nextOpening(after: at("2026-12-24T00:00:00+01:00")) == at("2026-12-24T09:00:00+01:00"))
        #expect(staffed.nextClosing(after: at("2026-12-24T09:00:00+01:00")) == at("2026-12-24T12:00:00+01:00"))
        #expect(!staffed.isOpen(at: at("2026-12-25T10:00:00+01:00")))
        #expect(staffed.nextOpening(after: at("2026-12-24T12:00:00+01:00")) == at("2026-12-26T20:00:00+01:00"))
    }

    @Test func `are all that counts when time is added`() {
        let noon = at("2026-11-23T11:55:00+01:00")
        #expect(staffed.adding(staffedMilliseconds: 300_000, to: noon) == at("2026-11-23T12:00:00+01:00"))
        #expect(
            staffed.adding(staffedMilliseconds: 300_001, to: noon)
                == at("2026-11-23T13:00:00+01:00").adding(milliseconds: 1))
        #expect(staffed.adding(staffedMilliseconds: 8 * 3_600_000, to: noon) == at("2026-11-24T11:55:00+01:00"))
        #expect(
            staffed.adding(staffedMilliseconds: 0, to: at("2026-11-23T12:30:00+01:00"))
                == at("2026-11-23T13:00:00+01:00"))
        #expect(staffed.adding(staffedMilliseconds: -5, to: noon) == noon)
    }
}

@Suite struct `When the clocks change` {
    @Test(arguments: [
        ("Europe/Berlin", "2026-03-28T23:00:00Z", 23), ("Europe/Berlin", "2026-10-24T22:00:00Z", 25),
        ("Europe/Berlin", "2026-06-01T22:00:00Z", 24),
        ("America/New_York", "2026-03-08T05:00:00Z", 23), ("America/New_York", "2026-11-01T04:00:00Z", 25),
        // The clock goes forward at midnight: this day begins at 1.
        ("Africa/Cairo", "2026-04-23T22:00:00Z", 23),
    ])
    func `a day lasts as long as it lasts`(zone: String, midnight: String, hours: Int) {
        let name = zone
        let day = at(midnight)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: name)!
        let date = calendar.dateComponents(
            [.year, .month, .day], from: Date(timeIntervalSince1970: Double(day.milliseconds) / 1000))
        let text = String(format: "%04d-%02d-%02d", date.year!, date.month!, date.day!)
        let staffed = StaffedTime(
            Hours(
                id: "h", name: "That day", zone: name, week: [],
                holidays: [.init(date: text, name: "It", open: [.init(from: 0, to: 1440)])]))
        #expect(staffed.nextOpening(after: day.adding(milliseconds: -1)) == day)
        #expect(staffed.nextClosing(after: day) == day.adding(hours: hours))
    }

    @Test(arguments: [
        ("Europe/Berlin", "2026-03-28T20:00:00+01:00", "2026-03-29T08:00:00+02:00", 11),
        ("Europe/Berlin", "2026-10-24T20:00:00+02:00", "2026-10-25T08:00:00+01:00", 13),
        ("America/New_York", "2026-03-07T20:00:00-05:00", "2026-03-08T08:00:00-04:00", 11),
        ("America/New_York", "2026-10-31T20:00:00-04:00", "2026-11-01T08:00:00-05:00", 13),
    ])
    func `shifts begin by the clock on the wall`(zone: String, evening: String, morning: String, hours: Int) {
        let staffed = StaffedTime(.daily(8, 20, zone: zone))
        #expect(at(morning) == at(evening).adding(hours: hours), "the premise: a short or a long night")
        #expect(staffed.nextOpening(after: at(evening)) == at(morning))
        #expect(staffed.adding(staffedMilliseconds: 900_000, to: at(evening)) == at(morning).adding(minutes: 15))
        #expect(staffed.nextClosing(after: at(morning)) == at(morning).adding(hours: 12))
    }

    @Test(
        arguments: [
            // From, to, in minutes of the wall; when it opens, and for how many minutes.
            (120, 180, nil, 0), (90, 150, "2026-03-29T01:30:00+01:00", 30), (150, 240, "2026-03-29T03:00:00+02:00", 60),
            (60, 240, "2026-03-29T01:00:00+01:00", 120), (0, 1440, "2026-03-29T00:00:00+01:00", 1380),
        ] as [(Int, Int, String?, Int)])
    func `a shift in the hour that is left out is as long as what is left of it`(
        from: Int, to: Int, opens: String?, minutes: Int
    ) {
        Self.expect(date: "2026-03-29", from, to, opens, minutes)
    }

    @Test(
        arguments: [
            // In the hour that comes twice a shift begins and ends the first time.
            (120, 180, "2026-10-25T02:00:00+02:00", 120), (90, 150, "2026-10-25T01:30:00+02:00", 60),
            (150, 240, "2026-10-25T02:30:00+02:00", 150),
            (180, 240, "2026-10-25T03:00:00+01:00", 60), (0, 1440, "2026-10-25T00:00:00+02:00", 1500),
        ] as [(Int, Int, String?, Int)])
    func `a shift over the hour that comes twice has it twice`(from: Int, to: Int, opens: String?, minutes: Int) {
        Self.expect(date: "2026-10-25", from, to, opens, minutes)
    }

    private static func expect(date: String, _ from: Int, _ to: Int, _ opens: String?, _ minutes: Int) {
        let day = Hours.Holiday(date: date, name: "The day", open: [.init(from: from, to: to)])
        let staffed = StaffedTime(Hours(id: "h", name: "Night", zone: "Europe/Berlin", week: [], holidays: [day]))
        let evening = at("2026-03-01T00:00:00Z")
        #expect(staffed.nextOpening(after: evening) == opens.map(at))
        #expect(staffed.nextClosing(after: evening) == opens.map { at($0).adding(minutes: minutes) })
    }

    @Test(arguments: [
        ("Europe/Berlin", "2026-03-27T12:00:00Z"), ("Europe/Berlin", "2026-10-23T12:00:00Z"),
        ("America/New_York", "2026-03-07T00:00:00Z"),
        ("America/New_York", "2026-10-31T00:00:00Z"), ("Australia/Lord_Howe", "2026-04-03T00:00:00Z"),
        ("Asia/Kathmandu", "2026-04-03T00:00:00Z"),
    ])
    func `it is open when the system's calendar says so`(zone: String, start: String) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: zone)!
        let staffed = StaffedTime(.daily(5, 19, zone: zone))
        var (open, firstWrong): (Int64, Timestamp?) = (0, nil)
        for minute in stride(from: 0, to: 4 * 1440, by: 5) {
            let now = at(start).adding(minutes: minute)
            let hour = calendar.component(.hour, from: Date(timeIntervalSince1970: Double(now.milliseconds) / 1000))
            let isOpen = (5..<19).contains(hour)
            if staffed.isOpen(at: now) != isOpen, firstWrong == nil { firstWrong = now }
            if isOpen {
                open += 300_000
                if staffed.adding(staffedMilliseconds: open, to: at(start)) != now.adding(minutes: 5), firstWrong == nil
                {
                    firstWrong = now
                }
            }
        }
        #expect(open > 0)
        #expect(firstWrong == nil)
    }
}
