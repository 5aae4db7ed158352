import EarshotModel
import Testing

@testable import EarshotGateway

@Suite struct `Strict JSON` {
    @Test(arguments: [
        "", " ", "{", "}", "[1,]", "{\"a\":1,}", "{\"a\" 1}", "{a:1}", "{\"a\":1 \"b\":2}", "[1 2]", "01", "-", "-01",
        "+1", "1.", ".5", "1e", "1e+", "0x1",
        "NaN", "Infinity", "1e999", "tru", "True", "nul", "\"", "\"\\\"", "\"\\x\"", "\"\\u12\"", "\"\\ud800\"",
        "\"\\ud800\\u0041\"", "\"\\udc00\"",
        "\"a\nb\"", "\"a\tb\"", "\"\u{0}\"", "{\"a\":1,\"a\":2}", "{\"a\":1,\"\\u0061\":2}", "{}{}", "{} x", "// x\n{}",
        "'a'", "\u{feff}{}",
    ]) func `refuses what is not JSON`(_ text: String) {
        let refusal = #expect(throws: Rejection.self) { try StrictJSON.parse(Array(text.utf8)) }
        #expect(refusal?.code == .badRequest)
    }

    @Test func `refuses bytes that are not UTF-8`() {
        for bytes: [UInt8] in [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82]] {
            #expect(throws: Rejection.self) { try StrictJSON.parse([0x22] + bytes + [0x22]) }
        }
    }

    @Test func `nests to its limit and not deeper`() throws {
        let limit = StrictJSON.maximumDepth
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        _ = try StrictJSON.parse(nested(limit))
        #expect(throws: Rejection.self) { try StrictJSON.parse(nested(limit + 1)) }
        #expect(throws: Rejection.self) { try StrictJSON.parse(nested(1_000_000)) }
    }

    /// As the socket's decoder and JSON Schema do.
    @Test(arguments: [("2.0", 2), ("2e0", 2), ("-5.00", -5), ("1e2", 100), ("9007199254740992.0", 1 << 53)])
    func `reads a whole number in any form`(text: String, number: Int) throws {
        #expect(try StrictJSON.parse(Array(text.utf8)) == .integer(number))
    }

    @Test(arguments: ["2.5", "1e-1", "9007199254740994.0", "1e19"])
    func `does not make a whole number of what is none, or too large to be exact`(text: String) throws {
        guard case .number = try StrictJSON.parse(Array(text.utf8)) else { return #expect(Bool(false), "\(text)") }
    }

    @Test func `reads what is JSON`() throws {
        let text =
            #" {"s":"a\"\\\/\b\f\n\r\té\ud83d\udc4d","i":-0,"j":9223372036854775807,"k":9223372036854775808,"#
            + #""d":-1.5e-3,"l":[true,false,null,{}]} "#
        let value = try StrictJSON.parse(Array(text.utf8))
        #expect(
            value
                == .object([
                    "s": .string("a\"\\/\u{8}\u{c}\n\r\té👍"), "i": .integer(0), "j": .integer(.max),
                    "k": .number(9_223_372_036_854_775_808),
                    "d": .number(-0.0015), "l": .array([.bool(true), .bool(false), .null, .object([:])]),
                ]))
    }

    @Test func `writes texts that it reads back`() throws {
        for text in ["", "\"\\/<script>\u{0}\u{1f}\u{7f}\u{2028}é👍"] {
            #expect(try StrictJSON.parse(Array(text.jsonText.utf8)) == .string(text))
            #expect(!text.jsonText.contains("<"))
        }
    }
}
