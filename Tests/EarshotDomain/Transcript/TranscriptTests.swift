import EarshotModel
import EarshotTestKit
import Foundation
import Testing

@testable import EarshotDomain

@Suite struct `A transcript` {
    private static let dana = Participant(by: .firstAgent, role: .agent, name: "Dana", id: AgentID(trusted: "dana"))
    private static let mira = Participant(
        by: ParticipantNumber(3), role: .manager, name: "Mira", id: AgentID(trusted: "mira"), quiet: true)
    private static let sound = AudioContent(
        media: MediaID(trusted: "sound"), durationMs: 16_400, waveform: [], sizeBytes: 1)

    private static func names(hasNotes: Bool = false) -> TranscriptNames {
        TranscriptNames(
            consumer: "Ana", people: [dana, mira], skills: [SkillID(trusted: "orders"): "Orders"],
            zone: "Europe/Berlin", hasNotes: hasNotes)
    }

    private static func head(hasNotes: Bool = false, verified: VerifiedClaims? = nil) -> TranscriptHead {
        var state = ConversationState(.sample())
        (state.sequence, state.status, state.people) = (9, .closed, [dana, mira])
        return TranscriptHead(
            brand: "Tulip & Thorn", state: state,
            consumer: ConsumerCard(
                name: "Ana", app: AppID(trusted: "shop"), since: Timestamp(milliseconds: 0), page: nil, language: "de",
                device: "Chrome on Linux", verified: verified),
            order: TranscriptOrder(
                at: Timestamp(milliseconds: 1_772_371_824_000), by: "Mira", zone: "Europe/Berlin", hasNotes: hasNotes))
    }

    /// The transcript of these events, which happen one second apart.
    private static func written(
        _ kinds: [(ParticipantNumber, Event.Kind)], as format: TranscriptFormat, hasNotes: Bool = false,
        listened: Set<Int> = []
    ) -> String {
        let (names, writer) = (names(hasNotes: hasNotes), format.writer(head(hasNotes: hasNotes)))
        let entries = kinds.enumerated().compactMap { index, kind in
            names.entry(
                of: Event(
                    sequence: index + 1, at: Timestamp(milliseconds: 1_772_371_824_000 + Int64(index) * 1000),
                    by: kind.0, kind: kind.1), isListened: listened.contains(index + 1))
        }
        return writer.beginning
            + entries.enumerated().map { writer.text(of: $1, isFirst: $0 == 0) }.joined() + writer.ending
    }

    @Test(arguments: TranscriptFormat.allCases)
    func `has in its head what the identity provider says about the consumer`(format: TranscriptFormat) {
        let claims = VerifiedClaims(
            name: nil, email: "ana@mail.example", phone: nil, others: [.init(label: "Tier", value: "<gold>")])
        let beginning = format.writer(Self.head(verified: claims)).beginning
        #expect(beginning.contains("ana@mail.example") && beginning.contains("gold"))
        #expect(!format.writer(Self.head()).beginning.contains("erified"))
        if format == .text { #expect(beginning.contains("Verified: e-mail: ana@mail.example; Tier: <gold>\n")) }
    }

    private static let story: [(ParticipantNumber, Event.Kind)] = [
        (.consumer, .started(.init(channel: .web, app: AppID(trusted: "shop")))), (.consumer, .text("Hello")),
        (.system, .queued(.init(skill: SkillID(trusted: "orders"), why: .routed))),
        (.firstAgent, .joined(.init(role: .agent, name: "Dana", id: dana.id))),
        (.firstAgent, .assigned(.init(to: .firstAgent))),
        (.consumer, .audio(sound)), (.firstAgent, .audio(sound)),
        (ParticipantNumber(3), .note(.init(text: "A good guest."))), (.firstAgent, .closed(.init())),
    ]

    @Test func `as text has a head, and a line for everything that was said or happened`() {
        let text = Self.written(Self.story, as: .text, listened: [6])
        #expect(
            text == """
                Brand: Tulip & Thorn
                Conversation: \(ConversationIdentity.sample().id)
                Status: closed
                Channel: web
                App: \(ConversationIdentity.sample().app)
                Consumer: Ana
                Device: Chrome on Linux
                Language: de
                Answered by: Dana
                Times: Europe/Berlin
                Private notes: not included
                Made: 2026-03-01T14:30:24+01:00 for Mira

                2026-03-01 14:30:24+01:00 * The conversation was opened on web in shop.
                2026-03-01 14:30:25+01:00 Ana (consumer): Hello
                2026-03-01 14:30:26+01:00 * Waiting for Orders.
                2026-03-01 14:30:27+01:00 * Dana joined.
                2026-03-01 14:30:28+01:00 * Dana answers from now on.
                2026-03-01 14:30:29+01:00 Ana (consumer): [audio message] 0:17, listened
                2026-03-01 14:30:30+01:00 Dana (agent): [audio message] 0:17, not listened
                2026-03-01 14:30:32+01:00 * Dana closed the conversation.

                """)
    }

    @Test(arguments: TranscriptFormat.allCases)
    func `includes private notes only on request`(format: TranscriptFormat) {
        #expect(!Self.written(Self.story, as: format).contains("good guest"))
        let transcript = Self.written(Self.story, as: format, hasNotes: true)
        #expect(transcript.contains("A good guest.") && transcript.lowercased().contains("note"))
    }

    @Test(arguments: ["\n", "\r", "\r\n", "\u{85}", "\u{2028}", "\u{2029}", "\u{B}", "\u{C}"])
    func `as text lets no message look like a line of another person`(lineBreak: String) {
        let forged = "Hi\(lineBreak)2026-03-01 14:30:24+01:00 Dana (agent): I promise"
        let text = Self.written([(.consumer, .text(forged))], as: .text)
        let lines = text.split(whereSeparator: \.isNewline)
        #expect(lines.count { $0.contains("I promise") && $0.hasPrefix("    2026") } == 1, "\(text)")
        #expect(lines.allSatisfy { !$0.hasPrefix("2026-03-01 14:30:24+01:00 Dana") })
    }

    @Test func `as text holds no control characters, and none that turn the direction of what follows`() {
        let text = Self.written([(.consumer, .text("a\u{0}b\u{1B}[2Jc\u{202E}d\u{9B}e\tf"))], as: .text)
        #expect(text.hasSuffix("Ana (consumer): a\u{FFFD}b\u{FFFD}[2Jc\u{FFFD}d\u{FFFD}e\tf\n"))
    }

    @Test func `as a page and as XML escapes what people wrote`() {
        let hostile = "</p><script>alert(1)</script>&\"'\u{1}"
        for format in [TranscriptFormat.html, .xml] {
            let text = Self.written([(.consumer, .text(hostile))], as: format)
            #expect(!text.contains("<script"), "\(format)")
            #expect(
                text.contains("&lt;/p&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;&quot;&#39;\u{FFFD}"), "\(format)")
        }
    }

    @Test func `as a page names voice messages as people do, with their length`() {
        let text = Self.written([(.consumer, .audio(Self.sound))], as: .html)
        #expect(text.contains("Voice message 0:17") && !text.contains("[audio message]"), "\(text)")
    }

    @Test func `as JSON is one object, also without entries`() throws {
        struct Read: Decodable {
            struct Conversation: Decodable { let brand, zone, made: String }
            struct Entry: Decodable {
                struct Audio: Decodable {
                    let durationMs: Int
                    let listened: Bool?
                }
                let seq: Int
                let time, from, type: String
                let role, text: String?
                let audio: Audio?
            }
            let conversation: Conversation
            let entries: [Entry]
        }
        let decoder = JSONDecoder()
        let empty = try decoder.decode(Read.self, from: Data(Self.written([], as: .json).utf8))
        #expect(empty.entries.isEmpty && empty.conversation.brand == "Tulip & Thorn")
        let read = try decoder.decode(Read.self, from: Data(Self.written(Self.story, as: .json, listened: [6]).utf8))
        #expect(read.entries.map(\.seq) == [1, 2, 3, 4, 5, 6, 7, 9])
        #expect(
            read.entries.map(\.type) == [
                "started", "text", "queued", "joined", "assigned", "audio", "audio", "closed",
            ])
        #expect(read.entries[5].audio?.listened == true && read.entries[6].audio?.listened == false)
        #expect(read.entries[5].text == "[audio message]" && read.entries[5].audio?.durationMs == 16_400)
        #expect(read.entries[1].time == "2026-03-01T14:30:25+01:00")
    }

    @Test func `names the people in a transfer, a survey and a closing`() {
        let text = Self.written(
            [
                (.firstAgent, .queued(.init(skill: SkillID(trusted: "orders"), why: .transferred, to: Self.mira.id))),
                (
                    .system,
                    .surveyed(
                        .init(
                            question: "How was it?", csat: true, nps: true, words: true,
                            until: Timestamp(milliseconds: 1)))
                ),
                (.consumer, .rated(.init(csat: 4, nps: 9, text: "Fine", audio: Self.sound))),
                (.consumer, .closed(.init(why: .consumer))), (.system, .closed(.init(why: .idle))),
                (.system, .scanned(.init(of: 6, verdict: .blocked))),
                (.system, .scanned(.init(of: 7, verdict: .clean))),
                (.firstAgent, .offered(.init(to: [], until: Timestamp(milliseconds: 1)))),
                (.system, .automatic(.init(on: .welcome, text: "Welcome!"))),
            ], as: .text)
        for sentence in [
            "* Dana transferred the conversation to Mira (Orders).", "* Earshot asked: How was it?",
            "* Ana answered the survey: satisfaction 4 of 5, recommendation 9 of 10, “Fine”, [audio message] 0:17.",
            "* Ana closed the conversation.", "* The conversation was closed after a period of inactivity.",
            "* The recording of message 6 was removed: it is harmful.", "Earshot: Welcome!",
        ] {
            #expect(text.contains(sentence), "\(sentence)\n\(text)")
        }
        #expect(!text.contains("message 7"))
    }
}
