import EarshotDomain
import EarshotModel
import Testing

@Suite struct `A time zone's name` {
    @Test(arguments: [
        "", "Nowhere/Land", "europe/berlin", "../../etc/passwd", "/etc/localtime", "Europe/Berlin\0", "Europe/Berlin ",
        "+05:30", "GMT+1", "UTC+5", "Etc/Unknown",
        String(repeating: "x", count: 64), String(repeating: "x", count: 65),
    ]) func `is none`(name: String) {
        #expect(!Zone.isKnown(name))
        #expect(Zone.clock(at("2026-07-01T10:00:00Z"), in: name, now: at("2026-07-01T10:00:00Z")) == "10:00 UTC")
    }

    @Test(arguments: [
        "UTC", "Europe/Berlin", "Europe/Kyiv", "Asia/Kolkata", "Asia/Calcutta", "America/Argentina/Buenos_Aires",
        "Etc/GMT+5", "US/Pacific",
    ])
    func `is one`(name: String) {
        #expect(Zone.isKnown(name))
    }
}

@Suite struct `A moment on a consumer's clock` {
    private static func clock(_ moment: String, _ zone: String, now: String? = nil) -> String {
        Zone.clock(at(moment), in: zone, now: at(now ?? moment))
    }

    @Test func `in Berlin jumps over an hour in spring, and has one twice in autumn`() {
        let spring = [
            "2026-03-29T00:59:00Z": "01:59", "2026-03-29T01:00:00Z": "03:00", "2026-03-29T01:30:00Z": "03:30",
        ]
        let autumn = [
            "2026-10-25T00:30:00Z": "02:30", "2026-10-25T00:59:00Z": "02:59", "2026-10-25T01:00:00Z": "02:00",
            "2026-10-25T01:30:00Z": "02:30",
            "2026-10-25T02:00:00Z": "03:00",
        ]
        for (moment, text) in spring.merging(autumn, uniquingKeysWith: { first, _ in first }) {
            #expect(Self.clock(moment, "Europe/Berlin") == text, "\(moment)")
        }
    }

    @Test func `in New York changes on other days: between them it is five hours behind Berlin, and not six`() {
        let spring = ["2026-03-08T06:59:00Z": "01:59", "2026-03-08T07:00:00Z": "03:00"]
        let autumn = [
            "2026-11-01T05:30:00Z": "01:30", "2026-11-01T06:00:00Z": "01:00", "2026-11-01T06:30:00Z": "01:30",
            "2026-11-01T07:00:00Z": "02:00",
        ]
        for (moment, text) in spring.merging(autumn, uniquingKeysWith: { first, _ in first }) {
            #expect(Self.clock(moment, "America/New_York") == text, "\(moment)")
        }
        for (day, berlin, newYork) in [
            ("03-07", "19:00", "13:00"), ("03-09", "19:00", "14:00"), ("03-28", "19:00", "14:00"),
            ("03-30", "20:00", "14:00"), ("10-24", "20:00", "14:00"),
            ("10-26", "19:00", "14:00"), ("11-02", "19:00", "13:00"),
        ] {
            #expect(Self.clock("2026-\(day)T18:00:00Z", "Europe/Berlin") == berlin, "\(day)")
            #expect(Self.clock("2026-\(day)T18:00:00Z", "America/New_York") == newYork, "\(day)")
        }
    }

    @Test func `has its day where that is another one there`() {
        #expect(Self.clock("2026-03-29T23:30:00Z", "Europe/Berlin", now: "2026-03-29T21:00:00Z") == "01:30 (30 Mar)")
        #expect(
            Self.clock("2026-03-29T23:30:00Z", "America/New_York", now: "2026-03-29T21:00:00Z") == "19:30",
            "the same evening there")
        #expect(
            Self.clock("2026-10-25T21:00:00Z", "Europe/Berlin", now: "2026-10-24T22:00:00Z") == "22:00",
            "a day of 25 hours")
        #expect(Self.clock("2027-01-01T04:59:00Z", "America/New_York", now: "2027-01-01T05:00:00Z") == "23:59 (31 Dec)")
        #expect(Self.clock("2028-02-29T12:00:00Z", "UTC", now: "2028-03-01T12:00:00Z") == "12:00 (29 Feb)")
        #expect(Self.clock("2100-03-01T00:00:00Z", "UTC", now: "2100-02-28T00:00:00Z") == "00:00 (1 Mar)")
    }

    @Test(arguments: [
        ("en-US", "12:05\u{202F}AM", "11:59\u{202F}PM"), ("en", "12:05\u{202F}AM", "11:59\u{202F}PM"),
        ("en-GB", "00:05", "23:59"), ("de-AT", "00:05", "23:59"), ("", "00:05", "23:59"),
    ]) func `counts twelve hours where the reader's language does`(language: String, first: String, last: String) {
        func clock(_ moment: String) -> String {
            Zone.clock(at(moment), in: "UTC", now: at(moment), language: language)
        }
        #expect(clock("2026-07-01T00:05:00Z") == first && clock("2026-07-01T23:59:00Z") == last)
        #expect(clock("2026-07-01T12:00:00Z").hasPrefix("12:00"))
    }

    @Test func `of whom no zone is known is told in UTC, and that it is`() {
        #expect(Zone.clock(at("2026-07-01T10:05:00Z"), in: nil, now: at("2026-06-30T10:00:00Z")) == "10:05 UTC (1 Jul)")
    }

    @Test(arguments: [
        ("Europe/Berlin", "2026-07-01T22:00:00Z", "2026-07-01T22:00:00Z", "2026-07-02T22:00:00Z"),
        ("Europe/Berlin", "2026-07-02T21:59:59Z", "2026-07-01T22:00:00Z", "2026-07-02T22:00:00Z"),
        ("Europe/Berlin", "2026-03-29T12:00:00Z", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"),
        ("Europe/Berlin", "2026-10-25T12:00:00Z", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"),
        ("Pacific/Kiritimati", "2026-07-01T10:00:00Z", "2026-07-01T10:00:00Z", "2026-07-02T10:00:00Z"),
        ("America/Santiago", "2026-09-06T12:00:00Z", "2026-09-06T04:00:00Z", "2026-09-07T03:00:00Z"),
        ("UTC", "2026-07-01T23:59:59Z", "2026-07-01T00:00:00Z", "2026-07-02T00:00:00Z"),
        ("Nowhere/Land", "2026-07-01T23:59:59Z", "2026-07-01T00:00:00Z", "2026-07-02T00:00:00Z"),
    ])
    func `is in a day that begins and ends at midnight there, or where the clock leaves midnight out, just after`(
        zone: String, moment: String, begin: String, end: String
    ) {
        #expect(Zone.day(of: at(moment), in: zone) == at(begin)..<at(end))
    }

    @Test(arguments: [
        (1_772_371_824_999, "Europe/Berlin", "2026-03-01T14:30:24+01:00"),
        (1_782_820_800_000, "Europe/Berlin", "2026-06-30T14:00:00+02:00"),
        (1_772_371_824_000, "Asia/Kolkata", "2026-03-01T19:00:24+05:30"),
        (1_772_371_824_000, "America/St_Johns", "2026-03-01T10:00:24-03:30"),
        (1_767_225_599_000, "UTC", "2025-12-31T23:59:59+00:00"),
        (1_767_225_600_000, "UTC", "2026-01-01T00:00:00+00:00"), (-1_000, "UTC", "1969-12-31T23:59:59+00:00"),
        (1_709_164_800_000, "UTC", "2024-02-29T00:00:00+00:00"), (0, "Nowhere/Land", "1970-01-01T00:00:00+00:00"),
    ])
    func `writes a moment as date, time and offset`(moment: Int64, zone: String, text: String) {
        #expect(Zone.iso8601(Timestamp(milliseconds: moment), in: zone) == text)
    }
}
