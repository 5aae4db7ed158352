import EarshotModel
import Foundation
import Testing

@Suite struct `An id` {
    @Test(arguments: ["", " ", "a b", "ä", "a/b", "a.b", "a\u{0}", String(repeating: "a", count: 65)])
    func `of the wrong form is refused`(text: String) {
        #expect(ConversationID(text) == nil)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([ConversationID].self, from: JSONEncoder().encode([text]))
        }
    }

    @Test(arguments: ["a", "demo-shop", "A_b-9", String(repeating: "a", count: 63), String(repeating: "a", count: 64)])
    func `of the right form is taken`(text: String) {
        #expect(ConversationID(text)?.rawValue == text)
    }

    @Test func `of 16 random bytes has 22 characters and is of the right form`() {
        let id = ConversationID(random: [UInt8](240..<255) + [255])
        #expect(id.rawValue.count == 22)
        #expect(ConversationID(id.rawValue) == id)
    }
}

@Suite struct `Base64url` {
    /// RFC 4648 section 10, without its padding.
    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
        ("foobar", "Zm9vYmFy"),
    ])
    func `is as the standard has it`(plain: String, encoded: String) {
        #expect(Base64URL.encode(Array(plain.utf8)) == encoded)
        #expect(Base64URL.decode(encoded) == Array(plain.utf8))
    }

    @Test(arguments: ["Z", "Zg==", "Zh", "Zm9v+", "Zm9v/", "Zm9vY!", "Zm9"])
    func `of a second spelling, or of none, is refused`(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test func `brings every byte back`() {
        let bytes = (0...255).map { UInt8($0) }
        #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
        #expect(!Base64URL.encode(bytes).contains { "+/=".contains($0) })
    }
}
