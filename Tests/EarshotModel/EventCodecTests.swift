import EarshotModel
import EarshotTestKit
import Foundation
import Testing

@Suite struct `An event on the wire` {
    static let golden: [(file: String, event: Event)] = [
        ("started", event(1, 1_763_757_600_000, 1, .started(.init(channel: .web, app: AppID(trusted: "shop"))))),
        (
            "text",
            event(
                2, 1_763_757_600_001, 1,
                .text(
                    """
                    Grüße \u{1F44B}\u{1F3FD} \"quoted\" back\\slash\n\ttab \u{0}\u{1f} / \
                    e\u{301} \u{2028} \u{5e9}\u{5dc}\u{5d5}\u{5dd}
                    """
                ))
        ),
        ("audio", event(3, 1_763_757_601_234, 2, .audio(audio(loudness: nil, scan: nil)))),
        ("audio-loud", event(3, 1_763_757_601_234, 2, .audio(audio(loudness: -231, scan: nil)))),
        ("audio-pending", event(3, 1_763_757_601_234, 2, .audio(audio(loudness: -231, scan: .pending)))),
        ("scanned", event(9, 1_763_757_606_000, 0, .scanned(.init(of: 3, verdict: .clean)))),
        ("scanned-blocked", event(9, 1_763_757_606_000, 0, .scanned(.init(of: 3, verdict: .blocked)))),
        ("scanned-failed", event(9, 1_763_757_606_000, 0, .scanned(.init(of: 3, verdict: .failed)))),
        (
            "joined",
            event(
                4, 1_763_757_602_000, 2, .joined(.init(role: .agent, name: "Dana", id: AgentID(trusted: "agent-dana"))))
        ),
        (
            "joined-seen-by-consumer",
            event(4, 1_763_757_602_000, 2, .joined(.init(role: .agent, name: "Dana", id: nil)))
        ),
        ("assigned", event(5, 1_763_757_602_000, 2, .assigned(.init(to: .firstAgent)))),
        ("closed", event(6, 1_763_757_603_000, 2, .closed(.init()))),
        ("resumed", event(7, 1_763_757_604_000, 1, .resumed)),
        ("joined-quiet", event(42, later, 3, .joined(.init(role: .manager, name: "Mira", id: mira, quiet: true)))),
        ("closed-idle", event(41, later, 0, .closed(.init(why: .idle)))),
        ("closed-quiet", event(41, later, 2, .closed(.init(quiet: true)))),
        (
            "queued",
            work(
                20, 2,
                .queued(
                    .init(skill: orders, why: .transferred, to: dana, until: Timestamp(milliseconds: 1_763_764_810_000))
                ))
        ),
        (
            "offered",
            work(
                21, 0,
                .offered(
                    .init(
                        to: [dana, AgentID(trusted: "agent-omar")], until: Timestamp(milliseconds: 1_763_757_640_000))))
        ),
        ("declined", work(22, 2, .declined(.init(agents: [dana], said: true)))),
        ("note", work(23, 2, .note(.init(text: "Ask <Mira> about \"this\" / Grüße", mentions: [mira])))),
        (
            "note-audio",
            work(
                40, 2,
                .note(
                    .init(
                        audio: AudioContent(
                            media: MediaID(trusted: "media-1"), durationMs: 1000, waveform: [0, 50, 100],
                            sizeBytes: 4000))))
        ),
        ("noticed", work(24, 3, .noticed(.init(agent: mira)))),
        ("callback", work(25, 2, .callback(.init(until: Timestamp(milliseconds: 1_763_760_310_000))))),
        ("tagged", work(26, 2, .tagged(.init(tags: ["vip", "late"])))),
        ("attribute", work(27, 2, .attribute(.init(name: "order", value: "4711")))),
        ("disposed", work(28, 2, .disposed(.init(id: "refund", name: "Refund")))),
        ("urgent", work(29, 2, .urgent(.init(on: true)))),
        ("automatic", work(30, 0, .automatic(.init(on: .welcome, text: "Hello again.")))),
        ("left", work(31, 3, .left)),
        (
            "surveyed",
            work(
                32, 0,
                .surveyed(
                    .init(
                        question: "How did we do?", csat: true, nps: false, words: true,
                        until: Timestamp(milliseconds: 1_763_844_010_000))))
        ),
        ("rated", work(33, 1, .rated(.init(csat: 5, nps: 9, text: "Lovely")))),
        ("reopened", work(34, 2, .reopened(.init(to: .firstAgent)))),
        ("reopened-waiting", work(34, 2, .reopened(.init(to: nil)))),
        ("settled", work(35, 2, .settled)),
        (
            "call-invited",
            work(36, 2, .callInvited(.init(kind: .video, until: Timestamp(milliseconds: later + 45_000))))
        ),
        ("call-answered", work(37, 1, .callAnswered(.init(of: 36)))),
        (
            "call-ended",
            work(
                38, 2,
                .callEnded(
                    .init(
                        of: 36, why: .hungUp, ms: 61_500,
                        quality: CallQuality(lost: 7, jitterMs: 12, rttMs: 48, mos: 431, relayed: true))))
        ),
        ("call-ended-declined", work(38, 1, .callEnded(.init(of: 36, why: .declined)))),
        ("call-requested", work(39, 1, .callRequested(.init(kind: .voice)))),
        ("unknown", event(8, 1_763_757_605_000, 0, .unknown)),
    ]

    private static let later: Int64 = 1_763_757_610_000
    private static let (dana, mira, orders) = (
        AgentID(trusted: "agent-dana"), AgentID(trusted: "agent-mira"), SkillID(trusted: "orders")
    )

    private static func work(_ sequence: Int, _ by: Int, _ kind: Event.Kind) -> Event {
        event(sequence, later, by, kind)
    }

    @Test(arguments: golden) func `is read as its golden file says`(file: String, event: Event) throws {
        let bytes = try Data(contentsOf: Self.fixture(file))
        let found = try JSONDecoder().decode(Event.self, from: bytes)
        #expect(found == event)
        // Equal strings may differ in their scalars; a person's words must not.
        if case .text(let text) = found.kind, case .text(let meant) = event.kind {
            #expect(Array(text.unicodeScalars) == Array(meant.unicodeScalars))
        }
    }

    @Test(arguments: golden.filter { $0.event.kind != .unknown })
    func `is written as its golden file says, by hand and by Codable`(file: String, event: Event) throws {
        let wanted = try JSONSerialization.jsonObject(with: Data(contentsOf: Self.fixture(file))) as? NSDictionary
        #expect(try JSONSerialization.jsonObject(with: Data(event.wireBytes)) as? NSDictionary == wanted)
        #expect(try JSONSerialization.jsonObject(with: JSONEncoder().encode(event)) as? NSDictionary == wanted)
    }

    /// Every kind has its golden file: adding a kind without one fails here.
    @Test func `of every kind has a golden file`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).filter {
            $0.hasPrefix("event-")
        }
        #expect(Set(files) == Set(Self.golden.map { "event-\($0.file).json" }))
        for (_, event) in Self.golden {
            switch event.kind {
            case .started, .text, .audio, .scanned, .joined, .assigned, .closed, .resumed, .unknown: break
            case .queued, .offered, .declined, .note, .noticed, .callback, .tagged, .attribute, .disposed, .urgent,
                .automatic, .left, .surveyed, .rated, .reopened, .settled, .callInvited, .callAnswered, .callEnded,
                .callRequested:
                break
            }
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64]) func `says by hand what Codable says, whatever people write`(seed: UInt64)
        throws
    {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let text = Self.anyText(&random)
            let kinds: [Event.Kind] = [
                .text(text), .joined(.init(role: .manager, name: text, id: AgentID(trusted: "a"))),
                .audio(.sample("m", ms: .random(in: 0...Int.max, using: &random))),
            ]
            for kind in kinds {
                let event = Self.event(
                    .random(in: 1...Int.max, using: &random), .random(in: Int64.min...Int64.max, using: &random), 1,
                    kind)
                #expect(try JSONDecoder().decode(Event.self, from: Data(event.wireBytes)) == event)
                let both = try [Data(event.wireBytes), JSONEncoder().encode(event)].map {
                    try JSONDecoder().decode(Event.self, from: $0)
                }
                #expect(both[0] == both[1])
            }
        }
    }

    @Test func `without a number, a time or an author is none`() {
        for text in [
            #"{"at":1,"by":1,"text":"a"}"#, #"{"n":1,"by":1,"text":"a"}"#, #"{"n":1,"at":1,"text":"a"}"#, "[]", "{",
        ] {
            #expect(throws: (any Error).self) { try JSONDecoder().decode(Event.self, from: Data(text.utf8)) }
        }
    }

    @Test func `of a channel that came later is still an event`() throws {
        let event = try JSONDecoder().decode(
            Event.self, from: Data(#"{"n":1,"at":1,"by":1,"started":{"channel":"smoke","app":"a"}}"#.utf8))
        #expect(event.kind == .started(.init(channel: .unknown, app: AppID(trusted: "a"))))
    }

    @Test func `of a verdict that came later lets nothing through`() throws {
        let event = try JSONDecoder().decode(
            Event.self, from: Data(#"{"n":1,"at":1,"by":0,"scanned":{"of":1,"verdict":"sublime"}}"#.utf8))
        #expect(event.kind == .scanned(.init(of: 1, verdict: .failed)))
    }

    static func audio(loudness: Int?, scan: AudioContent.Scan?) -> AudioContent {
        AudioContent(
            media: MediaID(random: Array(0...15)), durationMs: 12_345,
            waveform: Array(0...31) + (0..<32).map { 100 - $0 }, sizeBytes: 54_321,
            loudness: loudness, scan: scan)
    }

    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures/wire")

    static func fixture(_ name: String) -> URL { folder.appending(path: "event-\(name).json") }

    static func event(_ sequence: Int, _ at: Int64, _ by: Int, _ kind: Event.Kind) -> Event {
        Event(sequence: sequence, at: Timestamp(milliseconds: at), by: ParticipantNumber(by), kind: kind)
    }

    private static func anyText(_ random: inout SeededGenerator) -> String {
        let ranges: [ClosedRange<UInt32>] = [
            0...0x1f, 0x20...0x7f, 0x80...0xd7ff, 0xe000...0xffff, 0x1_0000...0x10_ffff, 0x2028...0x2029, 0x22...0x5c,
        ]
        let scalars = (0..<Int.random(in: 0...40, using: &random)).compactMap { _ in
            Unicode.Scalar(UInt32.random(in: ranges.randomElement(using: &random)!, using: &random))
        }
        return String(String.UnicodeScalarView(scalars))
    }
}
