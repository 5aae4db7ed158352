import EarshotModel
import Testing

@testable import EarshotCore

private func key(_ id: String, _ byte: UInt8, until: Timestamp? = nil) -> SigningKey {
    SigningKey(id: id, secret: [UInt8](repeating: byte, count: KeyRing.keyBytes), acceptedUntil: until)
}

@Suite struct `A consumer's token` {
    let tokens = ConsumerTokens(keys: KeyRing([key("1", 7)]))
    let issued = Timestamp(milliseconds: 1_763_757_600_000)

    var token: String { tokens.make(for: caller()) }

    private func caller(signedInUntil until: Timestamp? = nil, generation: Int = 0) -> ConsumerCaller {
        ConsumerCaller(
            id: ConsumerID(trusted: "consumer-1"), account: AccountID(trusted: "brand"), app: AppID(trusted: "shop"),
            conversation: ConversationID(trusted: "conversation-1"), tokenIssued: issued, signedInUntil: until,
            generation: generation)
    }

    @Test func `of a signed-in consumer ends with the ID token`() throws {
        let until = issued.adding(milliseconds: 300_000)
        let signedIn = tokens.make(for: caller(signedInUntil: until))
        #expect(try tokens.verify(signedIn, at: until.adding(milliseconds: -1)) == caller(signedInUntil: until))
        #expect(throws: Rejection.notSignedIn) { try tokens.verify(signedIn, at: until) }
        let parts = signedIn.split(separator: ".")
        let longer = (parts.dropLast(2) + [Substring("9999999999"), parts[8]]).joined(separator: ".")
        #expect(throws: Rejection.notSignedIn, "a later end") { try tokens.verify(longer, at: issued) }
        let endless = (["e2"] + parts[1..<7] + parts.suffix(1)).joined(separator: ".")
        #expect(throws: Rejection.notSignedIn, "no end") { try tokens.verify(endless, at: issued) }
    }

    @Test(arguments: [1, 2, 1_000_000])
    func `of a signed-in consumer says how often they were signed out everywhere before`(generation: Int) throws {
        let again = caller(signedInUntil: issued.adding(milliseconds: 300_000), generation: generation)
        let token = tokens.make(for: again)
        #expect(try tokens.verify(token, at: issued) == again)
        var parts = token.split(separator: ".")
        parts[8] = "9"
        #expect(throws: Rejection.notSignedIn, "another number") {
            try tokens.verify(parts.joined(separator: "."), at: issued)
        }
        let without = (["e3"] + parts[1..<8] + parts.suffix(1)).joined(separator: ".")
        #expect(throws: Rejection.notSignedIn, "no number") { try tokens.verify(without, at: issued) }
    }

    @Test func `says who its bearer is`() throws {
        let caller = try tokens.verify(token, at: issued.adding(milliseconds: 1000))
        #expect(caller.id == ConsumerID(trusted: "consumer-1"))
        #expect(caller.account == AccountID(trusted: "brand"))
        #expect(caller.app == AppID(trusted: "shop"))
        #expect(caller.conversation == ConversationID(trusted: "conversation-1"))
    }

    @Test func `is refused with any one of its characters changed`() throws {
        let genuine = Array(token)
        for index in genuine.indices {
            var forged = genuine
            forged[index] = forged[index] == "A" ? "B" : "A"
            #expect(throws: Rejection.notSignedIn, "changed at \(index)") {
                try tokens.verify(String(forged), at: issued)
            }
        }
    }

    @Test func `of another installation is refused`() {
        let others = ConsumerTokens(keys: KeyRing([key("1", 8)]))
        #expect(throws: Rejection.notSignedIn) { try others.verify(token, at: issued) }
    }

    @Test func `that is forged and from the future says nothing about its time`() {
        let forged = token.dropLast(4) + "AAAA"
        #expect(throws: Rejection.notSignedIn) {
            try tokens.verify(String(forged), at: issued.adding(milliseconds: -24 * 3_600_000))
        }
    }

    @Test(arguments: [
        "", ".", "e1", "e1......", "e1.a.b.c.d.1.AAAA", String(repeating: "a", count: 301),
        "e1.a.b.c.d.-1.AAAAAAAAAAAAAAAAAAAAAA",
    ])
    func `that is no token is refused`(text: String) {
        #expect(throws: Rejection.notSignedIn) { try tokens.verify(text, at: issued) }
    }

    @Test func `lives for 13 months and not a millisecond longer`() throws {
        _ = try tokens.verify(token, at: issued.adding(milliseconds: ConsumerTokens.lifetimeMs - 1))
        #expect(throws: Rejection.notSignedIn) {
            try tokens.verify(token, at: issued.adding(milliseconds: ConsumerTokens.lifetimeMs))
        }
    }

    @Test func `from the future is not valid yet, and becomes valid`() throws {
        _ = try tokens.verify(token, at: issued.adding(milliseconds: -5 * 60_000))
        #expect(throws: Rejection.notYetValid) {
            try tokens.verify(token, at: issued.adding(milliseconds: -5 * 60_000 - 1))
        }
    }

    @Test func `of the first format is accepted by the first key, and replaced when its owner returns`() throws {
        // Made by version 0.1.0 with the secret of this suite.
        let body = "e1.brand.shop.consumer-1.conversation-1.\(issued.milliseconds / 1000)"
        let old = body + "." + KeyRing([key("1", 7)]).sign(body)
        let caller = try tokens.verify(old, at: issued)
        #expect(caller.id == ConsumerID(trusted: "consumer-1"))
        #expect(tokens.isOld(old, of: caller, at: issued) && !tokens.isOld(token, of: caller, at: issued))
    }

    @Test func `survives a new key until the old one ends, and is replaced meanwhile`() throws {
        let end = issued.adding(milliseconds: 1_000_000)
        let rotated = ConsumerTokens(keys: KeyRing([key("2", 9), key("1", 7, until: end)]))
        let caller = try rotated.verify(token, at: end.adding(milliseconds: -1))
        #expect(rotated.isOld(token, of: caller, at: issued))
        #expect(throws: Rejection.notSignedIn) { try rotated.verify(token, at: end) }
        let new = rotated.make(for: caller)
        #expect(try rotated.verify(new, at: end) == caller)
        #expect(throws: Rejection.notSignedIn, "the old key's holder cannot forge the new key's tokens") {
            try rotated.verify(token.replacing("e2.1.", with: "e2.2."), at: issued)
        }
    }
}
