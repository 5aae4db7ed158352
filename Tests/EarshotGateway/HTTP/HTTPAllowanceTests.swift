import EarshotCore
import EarshotDomain
import EarshotModel
import Testing

@testable import EarshotGateway

/// Bar 22, by the rules that are in force unless a test says otherwise.
@Suite struct `Rate limits` {
    @Test(arguments: [
        (Route.Allowance.newConsumers, 25), (.consumerSignIns, 1_260), (.uploads, 220), (.availability, 660),
        (.downloads, 220),
        (.requests, 6_000),
    ])
    func `are exact over ten minutes`(allowance: Route.Allowance, wanted: Int) throws {
        let clock = TestClock()
        let book = AllowanceBook(GatewayConfiguration.Allowances(), now: { clock.now })
        let peer = Peer(address: NetworkAddress("198.51.100.7"), isProtected: true)
        var allowed = 0
        for _ in 0..<6_000 {
            if (try? book.take(allowance, caller: Self.dana, peer: peer)) != nil { allowed += 1 }
            clock.advance(milliseconds: 100)
        }
        #expect(abs(allowed - wanted) <= 1, "\(allowed)")
    }

    private static let dana = Caller.agent(
        AgentCaller(id: AgentID(trusted: "dana"), account: AccountID(trusted: "tulip"), name: "Dana", role: .agent))

    @Test(arguments: [Route.Allowance.uploads, .downloads, .requests])
    func `hold for all callers of an address together`(allowance: Route.Allowance) throws {
        let rules = GatewayConfiguration.Allowances()
        let book = AllowanceBook(rules, now: { Timestamp(milliseconds: 0) })
        func allowed(from address: String) -> Int {
            (0..<10_000).count { place in
                let caller = Caller.agent(
                    AgentCaller(
                        id: AgentID(trusted: "a\(place)"), account: AccountID(trusted: "tulip"), name: "A", role: .agent
                    ))
                let peer = Peer(address: NetworkAddress(address), isProtected: true)
                return (try? book.take(allowance, caller: caller, peer: peer)) != nil
            }
        }
        let rule = allowance == .requests ? rules.requests : allowance == .uploads ? rules.uploads : rules.downloads
        #expect(allowed(from: "198.51.100.7") == 10 * rule.burst)
        #expect(allowed(from: "2001:db8::1") == 10 * rule.burst)
        #expect(allowed(from: "2001:db8::2") == 0, "the same network")
    }

    @Test func `hold for look-ups that need no credentials`() async throws {
        let folder = try PageFolder(["widget/index.html": "<html></html>"])
        var allowances = TestGateway.generous
        allowances.requests = .init(burst: 1, refillMs: 3_600_000)
        for (path, origin) in [
            ("/v1/availability?account=tulip&app=shop", "https://foreign.example"),
            ("/widget/?account=tulip&app=shop", nil),
        ] {
            try await TestGateway.run(pages: folder.path, allowances: allowances) { gateway in
                var statuses: [Int] = []
                for _ in 0..<11 { statuses.append(try await gateway.ask("GET", path, origin: origin).status) }
                #expect(statuses.last == 429 && !statuses.dropLast().contains(429), "\(path) \(statuses)")
            }
        }
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
