import EarshotModel
import Foundation
import Testing

@Suite struct `A client's frame` {
    private func read(_ text: String) -> ClientFrame.Reading {
        Array(text.utf8).withUnsafeBufferPointer(ClientFrame.read)
    }

    @Test(arguments: [
        #"{"send":"a b","text":"x"}"#, #"{"send":"","text":"x"}"#,
        #"{"send":"\#(String(repeating: "k", count: 65))","text":"x"}"#,
    ])
    func `with a key of the wrong form is refused`(text: String) {
        guard case .refused(let refusal) = read(text) else { return #expect(Bool(false), "\(read(text))") }
        #expect(refusal.rejection.code == .badKey)
    }

    @Test(arguments: [
        #"{"send":"k"}"#, #"{"send":"k","text":"x","audio":"m"}"#, #"{"take":"k"}"#,
    ])
    func `that lacks something is refused under its key`(text: String) {
        guard case .refused(let refusal) = read(text) else { return #expect(Bool(false), "\(read(text))") }
        #expect(refusal.rejection.code == .badRequest)
        #expect(refusal.key?.rawValue == "k")
    }

    @Test(arguments: [
        #"{"ask":"k"}"#, #"{"ask":"k","levitate":{}}"#, #"{"ask":"k","join":{},"leave":{}}"#,
        #"{"ask":"k","callback":"long"}"#,
    ])
    func `that asks for nothing known is refused under its key, by the complete decoder`(text: String) throws {
        #expect(read(text) == .unsure)
        let refusal = #expect(throws: FrameRefusal.self) {
            try JSONDecoder().decode(ClientFrame.self, from: Data(text.utf8))
        }
        #expect(refusal?.rejection.code == .badRequest && refusal?.key?.rawValue == "k")
    }

    @Test(arguments: [
        "", "{", "[]", "{}", "null", #"{"send":"k","text":"x"}x"#, #"{"send":"k","text":"x","text":"y"}"#,
        #"{"send":"k","extra":{"a":1}}"#, #"{"got":1.5}"#,
        #"{"got":9999999999999999999}"#, #"{"got":99999999999999999999}"#, #"{"got":-9999999999999999999}"#,
        #"{"levitate":1}"#,
    ])
    func `that is not plain is left to a complete decoder`(text: String) {
        #expect(read(text) == .unsure)
    }

    @Test func `is read with any spacing and any escape`() {
        let text = "\n { \"send\" : \"k1\" ,\t\"text\" : \"aA\\n\\\"\\\\👋\" , \"read\" : 7 } "
        #expect(
            read(text)
                == .frame(
                    .send(.init(key: IdempotencyKey("k1")!, conversation: nil, body: .text("aA\n\"\\👋"), read: 7))))
    }

    @Test func `is read by hand as by Codable, or left to it, whatever the text`() throws {
        var generator = SplitMix(seed: 20_261_121)
        for _ in 0..<2000 {
            let frame = ClientFrame.send(
                .init(
                    key: IdempotencyKey("k\(generator.next() % 1000)")!, conversation: nil,
                    body: .text(generator.text()), read: nil))
            let encoder = JSONEncoder()
            if generator.next() % 2 == 0 { encoder.outputFormatting = .withoutEscapingSlashes }
            let data = try encoder.encode(frame)
            let reading = Array(data).withUnsafeBufferPointer(ClientFrame.read)
            #expect(reading == .frame(frame) || reading == .unsure)
        }
    }
}

@Suite struct `What was played` {
    private func read(_ text: String) -> ClientFrame.Reading {
        Array(text.utf8).withUnsafeBufferPointer(ClientFrame.read)
    }

    /// By hand and by the complete decoder.
    private func isFrame(_ text: String) -> Bool {
        let slowly = try? JSONDecoder().decode(ClientFrame.self, from: Data(text.utf8))
        switch read(text) {
        case .frame(let frame): return slowly == frame
        case .refused: return false
        case .unsure: return slowly != nil
        }
    }

    @Test(arguments: [(0, false), (1, true), (63, true), (64, true), (65, false)])
    func `has so many spans`(count: Int, isFine: Bool) {
        let spans = (0..<count).map { "[\($0 * 10),\($0 * 10 + 5)]" }.joined(separator: ",")
        #expect(isFrame(#"{"played":3,"spans":[\#(spans)]}"#) == isFine)
    }

    @Test(arguments: [
        ("[0,599999]", true), ("[0,600000]", true), ("[0,600001]", false), ("[-1,5]", false), ("[5,4]", false),
        ("[5,5]", true), ("[5]", false),
        ("[1,2,3]", false), ("[1.5,2]", false), ("5", false), (#"["1","2"]"#, false),
    ])
    func `lies within what can be`(span: String, isFine: Bool) {
        #expect(isFrame(#"{"played":3,"spans":[\#(span)]}"#) == isFine)
    }

    @Test(arguments: [
        #"{"played":3}"#, #"{"played":"3","spans":[[0,1]]}"#, #"{"played":3,"spans":{}}"#,
        #"{"played":3,"spans":[[0,1]"#,
    ])
    func `is refused where something is missing`(text: String) {
        #expect(!isFrame(text))
    }

    @Test func `is read by hand with any spacing`() {
        let spans = [PlayedSpan(from: 0, to: 10)!, PlayedSpan(from: 20, to: 30)!]
        #expect(
            read(#" { "played" : 3 , "spans" : [ [ 0 , 10 ] , [20,30] ] } "#)
                == .frame(.played(.init(3, in: nil, spans: spans)!)))
    }
}

/// A small generator with a seed, so that a failure repeats.
struct SplitMix {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// Up to 20 scalars: control characters, quotes, letters of several planes.
    mutating func text() -> String {
        var text = ""
        for _ in 0..<(next() % 20) {
            let pool: [UInt32] = [
                UInt32(next() % 0x20), 0x22, 0x5c, 0x2f, UInt32(0x20 + next() % 0x60), 0xe9, 0x2028, 0x5d0, 0x1f44b,
                0x10ffff,
            ]
            if let scalar = Unicode.Scalar(pool[Int(next() % UInt64(pool.count))]) {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
