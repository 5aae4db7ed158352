import EarshotCore
import EarshotModel
import Testing

@Suite struct `A consumer's token` {
    let tokens = ConsumerTokens(secret: [UInt8](repeating: 7, count: 32))
    let issued = Timestamp(milliseconds: 1_763_757_600_000)

    var token: String {
        tokens.make(
            consumer: ConsumerID(trusted: "consumer-1"), account: AccountID(trusted: "brand"),
            app: AppID(trusted: "shop"),
            conversation: ConversationID(trusted: "conversation-1"), at: issued)
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
        let others = ConsumerTokens(secret: [UInt8](repeating: 8, count: 32))
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
}
