import EarshotCore
import EarshotModel
import Testing

@Suite struct `A password` {
    let salt = [UInt8](0..<16)

    @Test func `is known again by its hash, and no other is`() throws {
        let hash = try Passwords.hash("correct horse", salt: salt)
        #expect(Passwords.verify("correct horse", against: hash))
        #expect(!Passwords.verify("correct horsf", against: hash))
        #expect(!Passwords.verify("", against: hash))
    }

    @Test func `does not stand in its hash, and another salt makes another hash`() throws {
        let hash = try Passwords.hash("correct horse", salt: salt)
        #expect(!hash.encoded.contains("correct"))
        #expect(try Passwords.hash("correct horse", salt: salt.reversed()) != hash)
    }

    @Test(arguments: [
        "", "scrypt", "scrypt$16$8$1$AAAA", "md5$1$1$1$AAAA$AAAA", "scrypt$0$8$1$AAAA$AAAA", "scrypt$65536$8$2$$",
    ])
    func `whose stored hash cannot be read is nobody's`(encoded: String) {
        #expect(!Passwords.verify("", against: PasswordHash(encoded: encoded)))
        #expect(!Passwords.verify("x", against: PasswordHash(encoded: encoded)))
    }
}
