import EarshotModel
import Foundation
import Testing

@Suite struct `A text read straight from its stored form` {
    private static let texts = [
        "", "Hello", "line\nand tab\t, \"quotes\" \\ and / and \u{8}\u{c}\r", "Grüße 🙂 שלום", "\u{0}\u{1f}",
        "\\u0041 is not A here", "\"},{\"text\":\"",
        String(repeating: "x", count: 5000),
    ]

    @Test(arguments: texts) func `is what the Codable form reads, or nothing`(text: String) throws {
        let event = Event(
            sequence: 7, at: Timestamp(milliseconds: 1_763_757_600_123), by: ParticipantNumber(2), kind: .text(text))
        let bytes = event.wireBytes
        guard case .text(let read) = try JSONDecoder().decode(Event.self, from: Data(bytes)).kind else {
            throw CocoaError(.coderReadCorrupt)
        }
        #expect(read == text, "the premise")
        // Control characters are spelled as \u….
        let isPlain = text.unicodeScalars.allSatisfy { $0.value >= 0x20 || "\n\t\r".unicodeScalars.contains($0) }
        #expect(Event.text(inWire: bytes) == (isPlain ? text : nil))
    }

    @Test(arguments: [
        #"{"n":1,"at":2,"by":1,"joined":{"role":"agent","name":"text"}}"#, #"{"n":1,"at":2,"by":1,"resumed":{}}"#,
        #"{"n":1,"at":2,"by":1,"text":5}"#,
        #"{"n":1,"at":2,"by":1,"text":"a","more":1}"#, #"{"n":1,"at":2,"by":1,"text":"a""#,
        #"{"n":1,"at":2,"by":1,"text":"a"}x"#, #"{"n":1.5,"at":2,"by":1,"text":"a"}"#,
        #"{"at":2,"n":1,"by":1,"text":"a"}"#, #"{"note":{"text":"a"}}"#, "{}", "", "null",
    ]) func `is nothing where it is something else, or written otherwise`(wire: String) {
        #expect(Event.text(inWire: Array(wire.utf8)) == nil)
    }
}
