import EarshotCore
import EarshotDomain
import EarshotModel
import Testing

@testable import EarshotGateway

/// Bar 22, by the rules that are in force unless a test says otherwise.
@Suite struct `Rate limits` {
    @Test(arguments: [(Route.Allowance.newConsumers, 25), (.uploads, 220), (.availability, 660)])
    func `are exact over ten minutes`(allowance: Route.Allowance, wanted: Int) throws {
        let clock = TestClock()
        let book = AllowanceBook(GatewayConfiguration.Allowances(), now: { clock.now })
        let peer = Peer(address: NetworkAddress("198.51.100.7"), isProtected: true)
        var allowed = 0
        for _ in 0..<6_000 {
            if (try? book.take(allowance, caller: nil, peer: peer)) != nil { allowed += 1 }
            clock.advance(milliseconds: 100)
        }
        #expect(abs(allowed - wanted) <= 1, "\(allowed)")
    }

    @Test func `are exact for frames on sockets too`() {
        let (limits, commands) = (SocketLimits(), Throttle(SocketLimits().commands))
        let allowed = (0..<6_000).count {
            commands.wait(afterTaking: "dana", at: Timestamp(milliseconds: Int64($0) * 100)) == nil
        }
        #expect(limits.commands == .init(burst: 60, refillMs: 1_000))
        #expect(abs(allowed - 660) <= 1, "\(allowed)")
    }

    @Test func `answer the first request over the limit with 429 and Retry-After`() async throws {
        try await TestGateway.run(allowances: .init()) { gateway in
            var replies: [Reply] = []
            for _ in 0..<6 {
                replies.append(try await gateway.send("POST", "/v1/consumers", #"{"account":"tulip","app":"shop"}"#))
            }
            #expect(replies.map(\.status) == [201, 201, 201, 201, 201, 429])
            #expect(replies[5]["retry-after"] == "30")
            let consumer = try await gateway.brand.consumer()
            var statuses: [Int] = []
            for number in 0..<21 {
                let body = #"{"conversation":"\#(consumer.conversation)","draft":"d\#(number)"}"#
                let reply = try await gateway.send("POST", "/v1/uploads", as: .consumer(consumer.token), body)
                statuses.append(reply.status)
                if reply.status == 429 { #expect(reply["retry-after"] == "3") }
            }
            #expect(statuses == Array(repeating: 201, count: 20) + [429])
        }
    }
}
