import EarshotCore
import EarshotModel
import Testing

@testable import EarshotGateway

@Suite struct `While the server's clock is wrong` {
    private static let dayMs: Int64 = 24 * 3600 * 1000
    private static let lifetime = ConsumerTokens.lifetimeMs
    private static let arrival = #"{"account":"tulip","app":"shop"}"#

    private static func create(_ gateway: TestGateway) async throws -> Reply {
        try await gateway.send("POST", "/v1/consumers", arrival)
    }

    private static func comeBack(_ gateway: TestGateway, _ token: String) async throws -> Reply {
        try await gateway.send("POST", "/v1/consumers/me", as: .consumer(token), "{}")
    }

    @Test func `consumers get no tokens and keep those they have, until it is right again`() async throws {
        try await TestGateway.run { gateway in
            let (clock, identity) = (gateway.brand.clock, gateway.brand.identity)
            try await identity.clock.refresh()
            let consumer = try await gateway.brand.consumer()
            clock.advance(milliseconds: Self.lifetime)
            for _ in 0..<2 {
                for reply in [try await Self.create(gateway), try await Self.comeBack(gateway, consumer.token)] {
                    #expect(reply.status == 503 && reply.code == "not_yet_valid")
                    #expect(reply["retry-after"] != nil)
                }
                try await identity.clock.refresh()
            }
            let forged = consumer.token.dropLast(4) + "AAAA"
            #expect(try await Self.comeBack(gateway, String(forged)).code == "not_signed_in")
            clock.advance(milliseconds: -Self.lifetime)
            #expect(try await Self.comeBack(gateway, consumer.token).json.text("token") == consumer.token)
            #expect(try await Self.create(gateway).status < 300)
        }
    }

    @Test func `no ID token signs a consumer in`() async throws {
        try await TestGateway.run { gateway in
            let (clock, identity, provider) = (gateway.brand.clock, gateway.brand.identity, BrandProvider())
            let mona = try await gateway.brand.agent("mona", role: .administrator)
            let setting = try provider.setting(claims: [])
            #expect(try await gateway.send("PUT", "/v1/identity-provider", as: .agent(mona), setting).status == 200)
            try await identity.clock.refresh()
            let token = try provider.token("ada", at: clock.now)
            let body = #"{"account":"tulip","app":"shop","idToken":"\#(token)"}"#
            let before = await gateway.brand.accounts.entries.count
            clock.advance(milliseconds: 2 * Self.dayMs)
            #expect(try await gateway.send("POST", "/v1/consumers/sign-in", body).code == "not_yet_valid")
            #expect(await gateway.brand.accounts.entries.count == before, "nothing is wrong with the ID token")
            clock.advance(milliseconds: -2 * Self.dayMs)
            #expect(try await gateway.send("POST", "/v1/consumers/sign-in", body).status == 200)
        }
    }

    @Test func `an old token is not replaced`() async throws {
        try await TestGateway.run { gateway in
            let (clock, identity) = (gateway.brand.clock, gateway.brand.identity)
            try await identity.clock.refresh()
            let consumer = try await gateway.brand.consumer()
            clock.advance(milliseconds: ConsumerTokens.renewAfterMs + 1)
            #expect(try await Self.comeBack(gateway, consumer.token).json.text("token") == consumer.token)
            await gateway.brand.retention.set(known: clock.now)
            try await identity.clock.refresh()
            #expect(try await Self.comeBack(gateway, consumer.token).json.text("token") != consumer.token)
        }
    }

    @Test func `an operator who confirms it ends that, and what has expired is refused`() async throws {
        try await TestGateway.run { gateway in
            let (clock, identity) = (gateway.brand.clock, gateway.brand.identity)
            await gateway.brand.retention.set(known: clock.now)
            try await identity.clock.refresh()
            let consumer = try await gateway.brand.consumer()
            clock.advance(milliseconds: Self.lifetime)
            try await identity.clock.refresh()
            #expect(try await Self.comeBack(gateway, consumer.token).status == 503)
            await gateway.brand.retention.set(known: clock.now)
            try await identity.clock.refresh()
            #expect(try await Self.comeBack(gateway, consumer.token).code == "not_signed_in")
            #expect(try await Self.create(gateway).status < 300)
        }
    }

    @Test(arguments: [(Self.dayMs, true), (Self.dayMs + 1, false), (-Self.dayMs, true), (-Self.dayMs - 1, false)])
    func `a jump of a day is none`(jump: Int64, isRight: Bool) async throws {
        try await TestGateway.run { gateway in
            try await gateway.brand.identity.clock.refresh()
            gateway.brand.clock.advance(milliseconds: jump)
            #expect(try await (Self.create(gateway).status < 300) == isRight)
        }
    }

    @Test(arguments: [(Self.dayMs, true), (Self.dayMs + 1, false), (-30 * Self.dayMs, true)])
    func `a server that starts compares with what it knew, and may have been off for days`(
        known: Int64, isRight: Bool
    ) async throws {
        try await TestGateway.run { gateway in
            await gateway.brand.retention.set(known: gateway.brand.clock.now.adding(milliseconds: known))
            try await gateway.brand.identity.clock.refresh()
            #expect(try await (Self.create(gateway).status < 300) == isRight)
        }
    }
}
